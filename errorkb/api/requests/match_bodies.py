"""API: the texts that a request brings to be matched, and what is said of a body that brings none."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from errorkb.api.problems import ProblemError, wrong_parameter
from errorkb.api.requests.bodies import body_bytes, json_object, unsupported
from errorkb.api.requests.parameter_errors import ParameterError
from errorkb.core.paste_bytes import UnknownCharsetError, decode_paste, paste_size, tidy_paste
from errorkb.core.problems import shown

MAX_TEXTS = 1_000
# JSON writes a character in several bytes now and then; a body may be so many times as large as its texts.
ESCAPED = 2

_IN_THE_QUERY = "limit, repository, release and fields stand in the query string"


def read_paste(request: HttpRequest) -> str:
    """Return the text of a `text/plain` or JSON body. Raises ProblemError."""
    read = _READERS.get(request.content_type or "text/plain")
    if read is None:
        raise unsupported(request, "text/plain or application/json")
    return read(request)


def read_texts(request: HttpRequest) -> list[Any]:
    """Return what stands in `texts` of a JSON body, whatever each of them is. Raises ProblemError."""
    if request.content_type != "application/json":
        raise unsupported(request, "application/json")
    texts = _member(request, "texts")
    if not isinstance(texts, list):
        raise wrong_parameter(ParameterError("texts", "an array of texts", shown(texts)))
    if len(texts) > MAX_TEXTS:
        raise wrong_parameter(ParameterError("texts", f"at most {MAX_TEXTS:,} texts", f"{len(texts):,} texts"))
    return texts


def text_fault(text: Any) -> ProblemError | None:
    """Return what is wrong with a text that is to be matched, None where nothing is."""
    if not isinstance(text, str):
        return wrong_parameter(ParameterError("text", "a string", shown(text)))
    if not text or text.isspace():
        return wrong_parameter(ParameterError("text", "some text"))
    return _too_large() if paste_size(text) > settings.MATCH_MAX_BYTES else None


def _plain(request: HttpRequest) -> str:
    charset = request.content_params.get("charset", "utf-8") if request.content_params else "utf-8"
    data = body_bytes(request, 2 * settings.MATCH_MAX_BYTES, too_large=_too_large())
    if paste_size(data) > settings.MATCH_MAX_BYTES:
        raise _too_large()
    if not data or data.isspace():
        raise wrong_parameter(ParameterError("text", "some text"))
    try:
        return decode_paste(data, charset)
    except UnknownCharsetError:
        raise unsupported(request, "text in UTF-8") from None


def _json(request: HttpRequest) -> str:
    text = _member(request, "text")
    if fault := text_fault(text):
        raise fault
    return tidy_paste(text)


_READERS: dict[str, Callable[[HttpRequest], str]] = {"text/plain": _plain, "application/json": _json}


def _member(request: HttpRequest, name: str) -> Any:
    """Return the one member that a JSON body has."""
    body = json_object(request, ESCAPED * settings.MATCH_MAX_BYTES, too_large=_too_large(), like=f'{{"{name}": …}}')
    strangers = [each for each in body if each != name]
    if strangers:
        raise wrong_parameter(ParameterError(strangers[0][:60], f"`{name}` alone in the body: {_IN_THE_QUERY}"))
    if name not in body:
        raise wrong_parameter(ParameterError(name, "a value: it is required"))
    return body[name]


def _too_large() -> ProblemError:
    limit = settings.MATCH_MAX_BYTES
    shown_limit = f"{limit // 2**20} MiB" if limit % 2**20 == 0 else f"{limit:,} bytes"
    return ProblemError("too-large", f"Expected at most {shown_limit} of text; send the part with the error.")
