"""Composition: what holds for every answer, whoever made it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

Handler = Callable[[HttpRequest], HttpResponseBase]


def bodiless_head(handle: Handler) -> Handler:
    """Return a handler that answers HEAD with the headers of GET and without a body (RFC 9110, section 9.3.2).

    Servers send none either way, but gunicorn logs a warning about each that it has to leave out.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = handle(request)
        if request.method == "HEAD":
            _empty(response)
        return response

    return answer


def without_nul(handle: Handler) -> Handler:
    """Return a handler that refuses what no browser sends: a NUL in a cookie, or in the address of an admin's list.

    Django asks the database for both as they are, and PostgreSQL has no text with a NUL in it.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        asked = request.GET.values() if request.path.startswith("/admin/") else ()
        if any("\x00" in value for value in (*request.COOKIES.values(), *asked)):
            return HttpResponseBadRequest("a NUL byte is no part of any name here", content_type="text/plain")
        return handle(request)

    return answer


def _empty(response: HttpResponseBase) -> None:
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = []
    elif content := getattr(response, "content", b""):
        response.headers.setdefault("Content-Length", str(len(content)))
        response.content = b""  # type: ignore[attr-defined]
