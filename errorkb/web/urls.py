"""Web: the addresses of the pages."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from errorkb.web.views import comparisons, entries, health, home, matches, pull_requests, repositories, searches


class IdentifierConverter(StringConverter):
    """An id or alias, in any letter case."""

    regex = "[0-9a-fA-F]{16}"


register_converter(IdentifierConverter, "identifier")

urlpatterns = [
    path("", home.home, name="home"),
    path("match/", matches.match_text, name="match"),
    path("match/tell/", matches.tell, name="tell"),
    path("errors/", searches.entry_list, name="entry-list"),
    path("help/search/", searches.search_help, name="search-help"),
    path("errors/<identifier:identifier>/", entries.entry_detail, name="entry-detail"),
    path("r/<path:name>/pulls/<int:number>/", pull_requests.pull_request_detail, name="pull-request-detail"),
    path("r/<path:name>/pulls/", pull_requests.pull_request_list, name="pull-request-list"),
    path("r/<path:name>/compare/", comparisons.comparison, name="comparison"),
    path("r/<path:name>/", repositories.repository_detail, name="repository-detail"),
    path("healthz", health.healthz, name="healthz"),
    path("robots.txt", health.robots, name="robots"),
]
