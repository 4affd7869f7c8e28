"""Core: one JSON document from bytes, with everything refused that JSON or the contract does not allow."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from errorkb.core.problems import DocumentError, Problem, first_told, json_path, refuse

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 64
# A whole number that any reader of JSON keeps exactly needs far fewer digits; Python refuses over 4,300.
MAX_DIGITS = 1_000

Location = tuple[str | int, ...]


class BrokenJsonError(DocumentError):
    """The bytes are not JSON at all, so that nothing behind them in the same array can be trusted."""


class _Repeated(dict[str, Any]):
    """An object that names a key twice; `key` is the one."""

    key: str


def parse_document(data: bytes) -> dict[str, Any]:
    """Return the JSON object in `data`, strings verbatim and keys in order.

    Raises BrokenJsonError where it isn't UTF-8 or isn't JSON, else DocumentError for what JSON allows and documents
    don't: over 8 MiB, over 64 levels, NUL, lone surrogates, keys given twice, numbers that are not finite.
    """
    if len(data) > MAX_BYTES:
        raise refuse("$", f"expected at most {MAX_BYTES} bytes (8 MiB), found {len(data)}")
    value = _decode_clean(data)
    if value is not None:
        return value
    value = _decode(data)
    if not isinstance(value, dict):
        raise refuse("$", f"expected a JSON object, found {_named(value)}")
    problems = first_told(_faults(value, suspicious=b"\\" in data))
    if problems:
        raise DocumentError(problems)
    return value


def dump_document(document: Any) -> str:
    """Return a document as one line of JSON, keys in order, letters of any script as they are."""
    return _ENCODER.encode(document)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def content_hash(text: str) -> str:
    """Return SHA-256 of a document's JSON, in hex."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class _SuspectError(ValueError):
    """Something that has to be looked at closely."""


def _decode_clean(data: bytes) -> dict[str, Any] | None:
    """Return an object in which at a glance nothing can be wrong, as it is nearly always; None where something may be.

    Only escapes bring NUL and lone surrogates into a string; there are no more levels than brackets.
    """
    if _SUSPECT.search(data) or data.count(b"{") + data.count(b"[") >= MAX_DEPTH:
        return None
    try:
        value = _QUICK.decode(data.decode("utf-8"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


_SUSPECT = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")


def _object_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _SuspectError
    return made


def _suspect(text: str) -> NoReturn:
    raise _SuspectError


def _finite(text: str) -> float:
    value = float(text)
    return value if value - value == 0 else _suspect(text)


def _short(digits: str) -> int:
    return int(digits) if len(digits) <= MAX_DIGITS else _suspect(digits)


_QUICK = json.JSONDecoder(
    object_pairs_hook=_object_once, parse_float=_finite, parse_int=_short, parse_constant=_suspect
)


def _decode(data: bytes) -> Any:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _broken(f"expected UTF-8, found byte 0x{data[error.start]:02x} at offset {error.start}") from None
    try:
        return json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_constant=_refuse_constant, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise _broken(f"expected JSON; {error.msg[:1].lower()}{error.msg[1:]} ({where} of the document)") from None
    except RecursionError:
        raise refuse("$", f"expected at most {MAX_DEPTH} levels") from None


def _broken(text: str) -> BrokenJsonError:
    return BrokenJsonError((Problem("$", text),))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    seen: set[str] = set()
    repeated = _Repeated(made)
    repeated.key = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return repeated


def _refuse_constant(name: str) -> None:
    raise refuse("$", f"expected a finite number, found {name}")


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise refuse("$", f"expected a number of at most {MAX_DIGITS} digits, found {len(digits)}")
    return int(digits)


def _faults(document: dict[str, Any], *, suspicious: bool) -> Iterator[Problem]:
    """Yield what is wrong in places; strings need a look only where the JSON has a backslash in it."""
    waiting: list[tuple[Location, Any]] = [((), document)]
    while waiting:
        location, value = waiting.pop()
        if isinstance(value, dict | list):
            if len(location) >= MAX_DEPTH:
                yield Problem(json_path(location[:3]) + "…", f"expected at most {MAX_DEPTH} levels")
                return
            yield from _object_faults(location, value, suspicious=suspicious)
            waiting.extend(reversed([((*location, key), item) for key, item in _children(value) if _needs(item)]))
        elif isinstance(value, str) and suspicious:
            yield from _string_faults(location, value)
        elif isinstance(value, float) and value - value != 0:
            yield Problem(json_path(location), "expected a finite number")


def _needs(value: Any) -> bool:
    return isinstance(value, dict | list | str | float)


def _children(value: dict[str, Any] | list[Any]) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    else:
        yield from enumerate(value)


def _object_faults(location: Location, value: dict[str, Any] | list[Any], *, suspicious: bool) -> Iterator[Problem]:
    if isinstance(value, _Repeated):
        yield Problem(json_path((*location, value.key)), "this key stands twice; expected it once")
    if isinstance(value, dict) and suspicious:
        for key in value:
            for fault in _string_faults(location, key):
                yield Problem(fault.path, f"a key: {fault.text}")


def _string_faults(location: Location, text: str) -> Iterator[Problem]:
    if "\x00" in text:
        yield Problem(json_path(location), "expected text without NUL characters")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        yield Problem(json_path(location), f"expected whole characters, found the lone surrogate U+{code:04X}")


def _named(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
