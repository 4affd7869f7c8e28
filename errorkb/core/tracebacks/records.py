"""Core: log records in JSON, told line by line as a program would have printed them."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

# So deep and so many texts are looked for in one JSON line.
_MOST_DEPTH = 8
_MOST_TEXTS = 200
_MOST_JSON = 1 << 20
_MOST_FRAMES = 200

# Keys whose text is what a program said, those of its level, and those of an error's parts.
SAYING = frozenset(
    (
        *("msg", "message", "event", "text", "description", "detail", "reason", "log"),
        *("error", "err", "exception", "exc_info", "exc", "stack", "stack_trace", "stacktrace", "traceback"),
        *("error.message", "error.stack_trace", "exception.message", "exception.stacktrace"),
    )
)
LEVELS = ("level", "levelname", "severity", "log.level", "loglevel", "lvl", "level_name")
_TYPES = (
    *("exc_type", "exception_type", "error_type", "errorType", "exception.type", "error.type"),
    *("type", "class", "name"),
)
_VALUES = (
    *("exc_value", "exception_value", "exc_message", "error_message", "errorMessage"),
    *("exception.message", "error.message", "value", "message", "msg"),
)
_RECORD_KEYS = frozenset((*SAYING, *LEVELS, *_TYPES[:6], *_VALUES[:7]))
_PATHS = ("abs_path", "filename", "path", "file")
_LINES = ("lineno", "line", "line_number", "lineNumber")
_SYMBOLS = ("name", "function", "func", "method")
_ERROR_TYPE = re.compile(r"[A-Za-z_][\w.]{0,300}$")
_LIKE_ERROR = re.compile(r"(?:Error|Exception|Warning|Exit|Interrupt|Timeout|NotFound|DoesNotExist|Failure|Group)$")
_CAUSED = "The above exception was the direct cause of the following exception:"


class Said(NamedTuple):
    """One line of what a line of a paste carries, with the level that its record has."""

    text: str
    level: str = ""


def said_in_json(line: str) -> list[Said] | None:
    """Return what a JSON object in a line says, and what stands around it; None where there is none."""
    opened = line.find("{")
    if opened < 0 or len(line) > _MOST_JSON or '"' not in line:
        return None
    try:
        value, end = json.JSONDecoder().raw_decode(line, opened)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not _is_record(value):
        return None
    around = [Said(text) for text in (line[:opened].strip(), line[end:].strip()) if text]
    return [*around[:1], *blocks(_said(value, _level(value), 0)), *around[1:]]


def _is_record(value: dict[str, Any]) -> bool:
    """Say whether a JSON object is a log record or an answer, and not a value in a line of code."""
    inner = [one for one in value.values() if isinstance(one, dict)]
    return any(not _RECORD_KEYS.isdisjoint(one) for one in (value, *inner))


def blocks(texts: Iterable[Said]) -> list[Said]:
    """Return the lines of several texts, a blank one behind each, so that none runs into the next."""
    lines: list[Said] = []
    for count, said in enumerate(texts):
        if count >= _MOST_TEXTS:
            break
        first, *others = said.text.split("\n")
        lines += [Said(first, said.level), *map(Said, others), Said("")]
    return lines


def _level(record: dict[str, Any]) -> str:
    found = next((record[key] for key in LEVELS if key in record), "")
    if isinstance(found, dict):
        found = found.get("name", "")
    return found if isinstance(found, str) else ""


def _said(value: Any, level: str, depth: int) -> Iterator[Said]:
    """Yield the texts of a JSON value: errors with their parts first put together."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, list):
        if len(value) > 1 and all(_error_of(one) for one in value):
            yield Said(f"\n\n{_CAUSED}\n\n".join(map(_error_of, _oldest_first(value))))
            return
        for inner in value:
            yield from _said_under("", inner, level, depth)
    elif isinstance(value, dict):
        error = _error_of(value)
        if error:
            yield Said(error)
        for key, inner in value.items():
            if not (error and (key in _VALUES or key in _TYPES or key in ("frames", "stacktrace"))):
                yield from _said_under(key, inner, level, depth)


def _said_under(key: str, value: Any, level: str, depth: int) -> Iterator[Said]:
    if not isinstance(value, str):
        yield from _said(value, (isinstance(value, dict) and _level(value)) or level, depth + 1)
        return
    inner = _record_in(value)
    if inner:
        yield from _said(inner, _level(inner) or level, depth + 1)
    elif value.strip():
        yield Said(value, level if key in SAYING else "")


def _record_in(text: str) -> dict[str, Any] | None:
    """Return the log record that a text is itself, as where a container's log holds a program's."""
    if not text.startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and _is_record(value) else None


def _oldest_first(errors: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return errors as Python prints them: structlog has the last one first, Sentry the first one."""
    return errors[::-1] if any("is_cause" in error for error in errors) else errors


def _error_of(value: Any) -> str:
    """Return an error that stands in a JSON object as type, message and frames as Python prints it, or nothing."""
    if not isinstance(value, dict):
        return ""
    name = next((value[key] for key in _TYPES if isinstance(value.get(key), str)), "")
    if not _ERROR_TYPE.match(name) or not ("exc_type" in value or _LIKE_ERROR.search(name)):
        return ""
    message = next((value[key] for key in _VALUES if isinstance(value.get(key), str)), "")
    if message == name:
        message = ""
    frames = list(_frames(value))
    head = ["Traceback (most recent call last):", *frames] if frames else []
    return "\n".join([*head, f"{name}: {message}" if message else name])


def _frames(value: dict[str, Any]) -> Iterator[str]:
    stack = value.get("frames") or value.get("stacktrace")
    frames = stack.get("frames") if isinstance(stack, dict) else stack
    for frame in frames[-_MOST_FRAMES:] if isinstance(frames, list) else ():
        if not isinstance(frame, dict):
            continue
        path, line, symbol = (next((frame[k] for k in keys if k in frame), "") for keys in (_PATHS, _LINES, _SYMBOLS))
        if path and str(line).isdecimal():
            yield f'  File "{path}", line {line}, in {symbol}'
            code = frame.get("context_line")
            if isinstance(code, str) and code.strip():
                yield f"    {code.strip()}"
