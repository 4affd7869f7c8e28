"""Core: what is wrong with a document, as JSON path, expectation and finding, in words for people."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pydantic import ValidationError

# A document can be wrong in millions of places; so many are told.
MAX_TOLD = 20
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
    return first_told(_problem(item) for item in error.errors(include_url=False))


def first_told(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the first problems, each once; where there are too many to tell, the last one says so."""
    found = _each_once(problems)
    told = tuple(islice(found, MAX_TOLD))
    return (*told, Problem("$", "more is wrong than these")) if next(found, None) else told


def _each_once(problems: Iterable[Problem]) -> Iterator[Problem]:
    seen: set[Problem] = set()
    for problem in problems:
        if problem not in seen:
            seen.add(problem)
            yield problem


def _problem(item: Mapping[str, Any]) -> Problem:
    location = _place(item["loc"])
    kind = item["type"]
    text = _EXPECTATIONS.get(kind) or _sentence(item["msg"])
    if kind not in ("missing", "extra_forbidden") and not isinstance(item["input"], dict | list):
        text += f", found {shown(item['input'])}"
    return Problem(json_path(location), text)


def _place(location: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Drop what pydantic says between the parts of a solution: which branch of a union it tried."""
    if location[:1] != ("solutions",):
        return location
    branch_of_releases = 4 if location[3:4] == ("releases",) else None
    return tuple(part for n, part in enumerate(location) if n not in (2, branch_of_releases))


def _sentence(message: str) -> str:
    for prefix, instead in _PREFIXES:
        if message.startswith(prefix):
            return instead + message.removeprefix(prefix)
    return f"expected otherwise: {message}"


def shown(value: object) -> str:
    """Return a value as JSON, cut to some sixty characters, for a message."""
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
