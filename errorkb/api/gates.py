"""API: what every address below /api/ has in common: open to all who read, and never an answer in another language."""

from collections.abc import Callable, Sequence
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from errorkb.api.answers import NOT_STORED, REVALIDATED
from errorkb.api.problems import ProblemError, problem_for

View = Callable[..., HttpResponseBase]

_OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Last-Modified, Link",
}
READING = ("GET", "HEAD")


def open_to_all(view: View, *, methods: Sequence[str] = READING, caching: str = REVALIDATED) -> View:
    """Return a view that pages of other sites may use (CORS), that answers OPTIONS, and says everything that goes
    wrong as a problem (RFC 9457).

    `methods` are those that the view takes; `caching` is the Cache-Control of answers that state none. What is posted
    is nobody's to keep.
    """
    allowed = ", ".join((*methods, "OPTIONS"))

    @wraps(view)
    def gate(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        is_asked = request.method == "OPTIONS"
        response = _preflight(allowed) if is_asked else _answered(view, request, allowed, *args, **kwargs)
        for name, value in _OPEN.items():
            response.headers[name] = value
        is_kept = response.status_code < 500 and (request.method in READING or "POST" not in methods)
        response.headers.setdefault("Cache-Control", caching if is_kept else NOT_STORED)
        return response

    gate.csrf_exempt = True  # type: ignore[attr-defined]
    return gate


def _answered(view: View, request: HttpRequest, allowed: str, *args: object, **kwargs: object) -> HttpResponse:
    try:
        response = view(request, *args, **kwargs)
        if response.status_code == 405:
            detail = f"Expected one of {allowed}."
            raise ProblemError("method-not-allowed", detail, headers={"Allow": allowed})
    except Exception as error:
        return problem_for(request, error)
    assert isinstance(response, HttpResponse), "the API streams nothing"
    return response


def _preflight(allowed: str) -> HttpResponse:
    headers = {
        "Allow": allowed,
        "Access-Control-Allow-Methods": allowed,
        "Access-Control-Allow-Headers": "*",
        "Access-Control-Max-Age": "86400",
    }
    response = HttpResponse(headers=headers)
    del response["Content-Type"]
    return response
