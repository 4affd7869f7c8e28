"""Core: what differs between two documents, leaf by leaf."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from errorkb.core.problems import json_path

Location = tuple[str | int, ...]


class _Absent:
    """The value of a field that a document does not have; null is another thing."""

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = _Absent()


@dataclass(frozen=True)
class Difference:
    """One leaf (or a whole part that only one side has): JSON path, old and new value, ABSENT where there is none."""

    path: str
    old: Any
    new: Any


def json_equal(left: Any, right: Any) -> bool:
    """Say whether two values are the same JSON: order of keys does not count, `1` and `true` differ."""
    if left is ABSENT or right is ABSENT:
        return left is right
    return _canonical(left) == _canonical(right)


def differences(old: Any, new: Any) -> tuple[Difference, ...]:
    """Return the leaves that differ, in the old document's order, then what the new one adds."""
    return tuple(_walk((), old, new))


def common_beginning(left: Sequence[object], right: Sequence[object]) -> int:
    """Return how many items two sequences begin with in common: characters of texts, words of lists."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(left), len(right)))


def _walk(location: Location, old: Any, new: Any) -> Iterator[Difference]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _walk((*location, key), old.get(key, ABSENT), new.get(key, ABSENT))
    elif isinstance(old, list) and isinstance(new, list):
        for index in range(max(len(old), len(new))):
            yield from _walk((*location, index), _item(old, index), _item(new, index))
    elif not json_equal(old, new):
        yield Difference(json_path(location), old, new)


def _item(values: list[Any], index: int) -> Any:
    return values[index] if index < len(values) else ABSENT


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
