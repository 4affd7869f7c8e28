"""API: every address below /api/, and the entry's own address for tools that start from its page."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, URLPattern, path, re_path, register_converter, resolve
from django.urls.converters import StringConverter
from django.views.decorators.http import require_safe

from errorkb.api.answers import PRIVATE, REVALIDATED, one_form
from errorkb.api.docs import docs
from errorkb.api.entries import entry_as_json
from errorkb.api.gates import READING, open_to_all
from errorkb.api.interface import interface
from errorkb.api.openapi import openapi_json

app_name = "api"
_UNKNOWN = "unknown-address"
# The addresses that take a body: their methods. What is pasted there is for nobody else.
_ASKING = {"match": (*READING, "POST"), "match/batch": ("POST",), "affected": ("POST",)}


class LeadingSegments(StringConverter):
    """All segments of a repository's name but the last: its owner, or a host and groups."""

    regex = r"[^/]+(?:/[^/]+)*"


register_converter(LeadingSegments, "leading")


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Lead a person who looks around to the description."""
    return redirect("api:docs")


def unknown_address(request: HttpRequest) -> HttpResponse:
    """Lead to the same address with or without its last slash, if there is something there."""
    bare = request.path_info.rstrip("/")
    for address in (bare, f"{bare}/"):
        if _is_known(address) and (elsewhere := one_form(request, address)):
            return elsewhere
    raise Http404


def _is_known(address: str) -> bool:
    try:
        return resolve(address).url_name != _UNKNOWN
    except Resolver404:
        return False


def _opened(pattern: URLPattern) -> URLPattern:
    route = str(pattern.pattern)
    methods, caching = _ASKING.get(route, READING), PRIVATE if route in _ASKING else REVALIDATED
    pattern.callback = open_to_all(pattern.callback, methods=methods, caching=caching)
    return pattern


entry_json = open_to_all(entry_as_json)

urlpatterns = [
    _opened(pattern)
    for pattern in (
        path("", index, name="index"),
        path("docs", docs, name="docs"),
        path("openapi.json", openapi_json, name="openapi"),
        *(pattern for pattern in interface.urls[0] if isinstance(pattern, URLPattern)),
        re_path(r"[\s\S]*\Z", unknown_address, name=_UNKNOWN),
    )
]
