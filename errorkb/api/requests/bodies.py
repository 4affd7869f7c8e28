"""API: the bodies that requests bring, read to a bound; what is wrong with one is a problem."""

import json
from typing import Any, cast

from django.http import HttpRequest

from errorkb.api.problems import ProblemError, wrong_parameter
from errorkb.api.requests.parameter_errors import ParameterError
from errorkb.core.paste_bytes import decode_paste
from errorkb.core.problems import shown


def json_object(request: HttpRequest, bound: int, *, too_large: ProblemError, like: str) -> dict[str, Any]:
    """Return the JSON object that a request brings; `like` shows one. Raises ProblemError."""
    if request.content_type != "application/json":
        raise unsupported(request, "application/json")
    body = _parsed(decode_paste(body_bytes(request, bound, too_large=too_large)))
    if not isinstance(body, dict):
        raise wrong_parameter(ParameterError("body", f"an object, {like}", shown(body)))
    return body


def body_bytes(request: HttpRequest, bound: int, *, too_large: ProblemError) -> bytes:
    """Return the body's bytes; raise `too_large` where there are more than `bound`, before they are read."""
    try:
        if int(request.headers.get("Content-Length") or 0) > bound:
            raise too_large
        data = cast(bytes, _stream(request).read(bound + 1))
    except (OSError, ValueError):
        raise ProblemError("bad-request", "The body ended early, or its length is none.") from None
    if len(data) > bound:
        raise too_large
    return data


def unsupported(request: HttpRequest, expected: str) -> ProblemError:
    """Return the problem that a body is of another type than is expected."""
    found = shown(request.headers.get("Content-Type", ""))
    return ProblemError("unsupported-media-type", f"Expected {expected}, found {found}.")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        detail = f"Expected JSON; {error.msg[:1].lower()}{error.msg[1:]} (line {error.lineno} column {error.colno})."
        raise ProblemError("bad-request", detail) from None
    except (RecursionError, ValueError):
        raise ProblemError("bad-request", "Expected JSON with strings of text in it, found something else.") from None


def _stream(request: HttpRequest) -> Any:
    """Return what to read the body from: a chunked one has no length, so that Django would take it for empty."""
    is_chunked = "chunked" in request.headers.get("Transfer-Encoding", "").lower()
    return request.META["wsgi.input"] if is_chunked and request.META.get("wsgi.input_terminated") else request
