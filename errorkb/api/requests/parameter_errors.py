"""API: which parameter of a query string is wrong, what was expected, and what was found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from ninja.errors import ValidationError

from errorkb.core.problems import shown

_EXPECTATIONS = {
    "missing": "a value: this parameter is required",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "int_from_float": "a whole number",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "string_too_short": "some text",
    "string_too_long": "at most {max_length} characters",
    "literal_error": "{expected}",
    "value_error": "{error}",
}


@dataclass(frozen=True)
class ParameterError:
    """One wrong parameter; `found` is JSON, cut to some sixty characters."""

    parameter: str
    expected: str
    found: str | None = None

    def __str__(self) -> str:
        found = f", found {self.found}" if self.found is not None else ""
        return f"{self.parameter}: expected {self.expected}{found}"


def wrong_parameters(error: ValidationError, given: QueryDict) -> list[ParameterError]:
    """Return what django-ninja found wrong with the parameters that were `given`, in words."""
    return [_wrong(item, given) for item in error.errors]


def _wrong(item: Mapping[str, Any], given: QueryDict) -> ParameterError:
    name = next(part for part in reversed(item["loc"]) if isinstance(part, str))
    expected = _EXPECTATIONS.get(item["type"], "another value").format(**(item.get("ctx") or {}))
    values = given.getlist(name)
    last = item["loc"][-1]
    position = last if isinstance(last, int) and last < len(values) else -1
    return ParameterError(name, expected, shown(values[position]) if values else None)
