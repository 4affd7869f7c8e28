"""Web: the addresses of the pages."""

from django.urls import path, re_path

from errorkb.web.views import entries, health, home, pull_requests, repositories, searches

urlpatterns = [
    path("", home.home, name="home"),
    path("errors/", searches.entry_list, name="entry-list"),
    re_path(r"^errors/(?P<identifier>[0-9a-fA-F]{16})/\Z", entries.entry_detail, name="entry-detail"),
    path("r/<path:name>/pulls/<int:number>/", pull_requests.pull_request_detail, name="pull-request-detail"),
    path("r/<path:name>/", repositories.repository_detail, name="repository-detail"),
    path("healthz", health.healthz, name="healthz"),
    path("robots.txt", health.robots, name="robots"),
]
