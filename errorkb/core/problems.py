"""Core: what is wrong with a document, as JSON path, expectation and finding, in words for people."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

# Parts of pydantic's locations that name a branch of a union, not a place in the document.
_UNION_TAGS = {"text", "object", "str", "ReleaseRange"}
_SHOWN = 60

_PREFIXES = (
    ("Value error, ", ""),
    ("Input should be ", "expected "),
    ("String should ", "expected a string that should "),
)

_EXPECTATIONS = {
    "missing": "this field is required",
    "extra_forbidden": "unknown field; schema version 1.0 has no such name",
    "string_type": "expected a string",
    "int_type": "expected a whole number",
    "bool_type": "expected true or false",
    "list_type": "expected an array",
    "dict_type": "expected an object",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
    "frozen_instance": "expected an object",
}


@dataclass(frozen=True)
class Problem:
    """One fault: `path` is a JSON path such as `$.solutions[2].text`, `text` what was expected and found."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


class DocumentError(Exception):
    """A document is refused; `problems` says why, place by place."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def refuse(path: str, text: str) -> DocumentError:
    """Return the error that refuses a document for one fault."""
    return DocumentError((Problem(path, text),))


def json_path(location: tuple[str | int, ...]) -> str:
    """Return a JSON path: `('solutions', 2, 'text')` gives `$.solutions[2].text`."""
    return "$" + "".join(_step(part) for part in location)


def _step(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if part.isidentifier() else f"[{json.dumps(part, ensure_ascii=False)[:_SHOWN]}]"


def problems_of(error: ValidationError) -> tuple[Problem, ...]:
    """Return pydantic's findings as Problems, in document order, without its union branches."""
    found = (_problem(item) for item in error.errors(include_url=False))
    return tuple(dict.fromkeys(found))


def _problem(item: Mapping[str, Any]) -> Problem:
    location = _place(item["loc"])
    kind = item["type"]
    text = _EXPECTATIONS.get(kind) or _sentence(item["msg"])
    if kind not in ("missing", "extra_forbidden") and not isinstance(item["input"], dict | list):
        text += f", found {shown(item['input'])}"
    return Problem(json_path(location), text)


def _place(location: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Drop the union branches that pydantic puts behind an index or behind a field of several types."""
    kept: list[str | int] = []
    dropped = False
    for part in location:
        behind = bool(kept) and not dropped and (isinstance(kept[-1], int) or kept[-1] == "releases")
        dropped = behind and isinstance(part, str) and (part in _UNION_TAGS or part.startswith("list["))
        if not dropped:
            kept.append(part)
    return tuple(kept)


def _sentence(message: str) -> str:
    for prefix, instead in _PREFIXES:
        if message.startswith(prefix):
            return instead + message.removeprefix(prefix)
    return f"expected otherwise: {message}"


def shown(value: object) -> str:
    """Return a value as JSON, cut to some sixty characters, for a message."""
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
