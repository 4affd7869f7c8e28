"""API: what every address below /api/ has in common: open to all who read, and never an answer in another language."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from errorkb.api.answers import REVALIDATED
from errorkb.api.problems import ProblemError, problem_for

View = Callable[..., HttpResponseBase]

_METHODS = "GET, HEAD, OPTIONS"
_OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Last-Modified, Link",
}
_PREFLIGHT = {
    "Allow": _METHODS,
    "Access-Control-Allow-Methods": _METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}


def open_to_all(view: View) -> View:
    """Return a view that pages of other sites may read (CORS), that answers OPTIONS, and says everything that goes
    wrong as a problem (RFC 9457)."""

    @wraps(view)
    def gate(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = _preflight() if request.method == "OPTIONS" else _answered(view, request, *args, **kwargs)
        for name, value in _OPEN.items():
            response.headers[name] = value
        response.headers.setdefault("Cache-Control", "no-store" if response.status_code >= 500 else REVALIDATED)
        return response

    gate.csrf_exempt = True  # type: ignore[attr-defined]
    return gate


def _answered(view: View, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
    try:
        response = view(request, *args, **kwargs)
        if response.status_code == 405:
            detail = f"Expected one of {_METHODS}."
            raise ProblemError("method-not-allowed", detail, headers={"Allow": _METHODS})
    except Exception as error:
        return problem_for(request, error)
    assert isinstance(response, HttpResponse), "the API streams nothing"
    return response


def _preflight() -> HttpResponse:
    response = HttpResponse(headers=_PREFLIGHT)
    del response["Content-Type"]
    return response
