"""API: what went wrong, as `application/problem+json` (RFC 9457), one row a kind of problem."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.encoding import escape_uri_path
from django.utils.log import log_response
from ninja.errors import HttpError, ValidationError

from errorkb.api.requests.parameter_errors import ParameterError, wrong_parameters
from errorkb.core.json_documents import dump_document

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True)
class ProblemType:
    """A kind of problem: its status, its title, and what a client can do about it."""

    status: int
    title: str
    advice: str


PROBLEM_TYPES = {
    "bad-request": ProblemType(
        400,
        "The request cannot be read",
        "Its address or query string is malformed: mend it before sending it again.",
    ),
    "unknown-entry": ProblemType(
        404, "No such entry", "No public entry has this id or alias. An id has 16 hex digits, in any letter case."
    ),
    "unknown-repository": ProblemType(
        404,
        "No such repository",
        "No repository of this name is loaded. Present and former names are accepted.",
    ),
    "unknown-pull-request": ProblemType(
        404, "No such pull request", "No report on this pull request is loaded; it may well exist on its forge."
    ),
    "unknown-schema": ProblemType(404, "No such schema", "The schemas are listed at /api/schemas/."),
    "unknown-address": ProblemType(404, "Nothing at this address", "Every address is described at /api/docs."),
    "method-not-allowed": ProblemType(
        405, "This method is not allowed here", "The Allow header lists the methods that are."
    ),
    "precondition-failed": ProblemType(
        412, "A precondition does not hold", "If-Match or If-Unmodified-Since asks for another state than today's."
    ),
    "too-large": ProblemType(
        413, "Too much text", "Send the part of it that has the error: the traceback, and the lines around it."
    ),
    "unsupported-media-type": ProblemType(
        415, "A body of another type", "Say by Content-Type what it is: a text, or a JSON object."
    ),
    "wrong-parameters": ProblemType(
        422, "Wrong parameters", "`errors` lists each that is wrong, what was expected, and what was found."
    ),
    "internal-error": ProblemType(500, "This answer could not be made", "The mistake is ours. Try again later."),
}


class ProblemError(Exception):
    """A request that ends in a problem: `name` is a key of PROBLEM_TYPES, `detail` a sentence about this occurrence.

    `members` are further members of the body, `headers` further headers.
    """

    def __init__(
        self, name: str, detail: str, *, headers: Mapping[str, str] | None = None, members: dict[str, Any] | None = None
    ) -> None:
        super().__init__(detail)
        self.name = name
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members or {}


def problem_for(request: HttpRequest, error: Any) -> HttpResponse:
    """Return the problem that an exception means to a client; what nobody foresaw is logged, and not told."""
    for kind, translated in _TRANSLATIONS:
        if isinstance(error, kind):
            return problem_response(request, translated(request, error))
    response = problem_response(request, ProblemError("internal-error", "Something broke while it was made."))
    log_response("Internal Server Error: %s", request.path, response=response, request=request, exception=error)
    return response


def problem_response(request: HttpRequest, problem: ProblemError) -> HttpResponse:
    """Return a problem as the body that RFC 9457 describes, with its status."""
    kind = PROBLEM_TYPES[problem.name]
    body = {
        "type": f"{settings.SITE_URL}/api/docs#{problem.name}",
        "title": kind.title,
        "status": kind.status,
        "detail": problem.detail,
        "instance": escape_uri_path(request.path),
    }
    content = dump_document(body | problem.members)
    return HttpResponse(content, status=kind.status, content_type=MEDIA_TYPE, headers=problem.headers)


def wrong_parameter(*errors: ParameterError) -> ProblemError:
    """Return the problem that says which parameters are wrong, and why."""
    return ProblemError("wrong-parameters", "; ".join(map(str, errors)), members={"errors": [*map(asdict, errors)]})


def _itself(request: HttpRequest, error: ProblemError) -> ProblemError:
    return error


def _of_parameters(request: HttpRequest, error: ValidationError) -> ProblemError:
    return wrong_parameter(*wrong_parameters(error, request.GET))


def _unknown_address(request: HttpRequest, error: Exception) -> ProblemError:
    return ProblemError("unknown-address", "Nothing is served here; /api/docs describes what is.")


def _bad_request(request: HttpRequest, error: Exception) -> ProblemError:
    return ProblemError("bad-request", str(error) or "The request cannot be read.")


_TRANSLATIONS: tuple[tuple[type[Exception], Callable[[HttpRequest, Any], ProblemError]], ...] = (
    (ProblemError, _itself),
    (ValidationError, _of_parameters),
    (Http404, _unknown_address),
    (PermissionDenied, _unknown_address),
    (SuspiciousOperation, _bad_request),
    (HttpError, _bad_request),
)
