"""Composition: what holds for every answer, whoever made it."""

from collections.abc import Callable

from django.http import HttpRequest, StreamingHttpResponse
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


def _empty(response: HttpResponseBase) -> None:
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = []
    elif content := getattr(response, "content", b""):
        response.headers.setdefault("Content-Length", str(len(content)))
        response.content = b""  # type: ignore[attr-defined]
