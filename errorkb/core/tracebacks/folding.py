"""Core: errors of one paste put together: roles in chains, and repeats told once."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from errorkb.core.tracebacks.drafts import Draft, occurrence_of
from errorkb.core.tracebacks.pastes import Occurrence

_DIGITS = re.compile(r"\d++")
# A message of so many characters that stands in another line is the same error told twice.
_LEAST_QUOTED = 16
_MOST_COMPARED, _MOST_COMPARISONS = 300, 2_000_000
# An error that is named so many lines before or behind its own traceback is told twice, and happened once.
_BESIDE = 4

_Text = tuple[str, str]
_Place = tuple[str, str]


def told_once(drafts: Sequence[Draft], repeats: Mapping[int, int]) -> tuple[Occurrence, ...]:
    """Return errors in the order of the paste, each with its role; those alike but for digits once, counted.

    `repeats` is how often lines stand in the paste that were not all read, by the number of the first.
    """
    sizes = Counter(draft.chain for draft in drafts)
    seen: set[tuple[int, int]] = set()
    occurrences = [occurrence_of(draft, _role(draft, sizes, seen)) for draft in drafts]
    counted = _counted(occurrences, repeats)
    return tuple(sorted(_unquoted(counted), key=lambda one: one.number))


def _role(draft: Draft, sizes: Counter[int], seen: set[tuple[int, int]]) -> str:
    if sizes[draft.chain] == 1:
        return "only"
    place = (draft.chain, draft.branch)
    if draft.is_group or place in seen:
        return "consequence"
    seen.add(place)
    return "root"


def _counted(occurrences: Sequence[Occurrence], repeats: Mapping[int, int]) -> list[Occurrence]:
    """Return errors that are alike once, with their number; the first one with frames stands for all.

    Errors of one text that were raised at different places are different ones; lines that only name them count
    for the first.
    """
    starts = _starts(occurrences)
    kept: dict[_Text, dict[_Place, _Repeated]] = {}
    for one in occurrences:
        alike = kept.setdefault(_text(one), {})
        known = _taken_as(one, alike)
        if known is None:
            known = _Repeated(one)
        else:
            known.take(one, is_same=_is_beside(known.first, one, starts))
        known.unread = max(known.unread, repeats.get(one.number, 0))
        alike[_place(known.first)] = known
    return [each.told for alike in kept.values() for each in alike.values()]


def _taken_as(one: Occurrence, alike: "dict[_Place, _Repeated]") -> "_Repeated | None":
    """Return which of the errors of the same text an error repeats."""
    place = _place(one)
    if place in alike or not alike:
        return alike.get(place)
    return alike.pop(_NOWHERE, None) if one.frames else next(iter(alike.values()))


@dataclass
class _Repeated:
    """An error, how often it was read, and how often its line stands in the paste where not all were read."""

    first: Occurrence
    count: int = 1
    unread: int = 0

    @property
    def told(self) -> Occurrence:
        """Return the error with its number."""
        count = max(self.count, self.unread)
        return replace(self.first, count=count) if count != self.first.count else self.first

    def take(self, one: Occurrence, *, is_same: bool) -> None:
        """Count a further one; put the one with frames first."""
        self.count += not is_same
        if one.frames and not self.first.frames:
            self.first = one


_NOWHERE: _Place = ("", "")


def _text(one: Occurrence) -> _Text:
    return one.type_name, _DIGITS.sub("0", one.message)


def _place(one: Occurrence) -> _Place:
    """Return where an error was raised, as far as its frames tell."""
    return (one.frames[-1].path, one.frames[-1].symbol) if one.frames else _NOWHERE


def _starts(occurrences: Sequence[Occurrence]) -> dict[int, int]:
    """Return the line on which each chain starts."""
    starts: dict[int, int] = {}
    for one in occurrences:
        first = min([one.number, *(frame.number for frame in one.frames[:1])])
        starts[one.chain] = min(first, starts.get(one.chain, first))
    return starts


def _is_beside(one: Occurrence, other: Occurrence, starts: Mapping[int, int]) -> bool:
    """Say whether one of two equal errors only names the other: on its own line, or beside its traceback."""
    if bool(one.frames) == bool(other.frames):
        return one.number == other.number and not one.frames
    traced, named = (one, other) if one.frames else (other, one)
    return starts[traced.chain] - _BESIDE <= named.number <= traced.last_number + _BESIDE


def _unquoted(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Leave out lines that only tell again, in whole or in part, of an error that is told with type and frames."""
    told = _Told([one for one in occurrences if one.shape != "quoted"], among=len(occurrences))
    return [one for one in occurrences if one.frames or not told.has(one)]


class _Told:
    """The messages of errors with type or frames, to find in them what other lines repeat."""

    def __init__(self, occurrences: Sequence[Occurrence], *, among: int) -> None:
        most = min(_MOST_COMPARED, _MOST_COMPARISONS // max(1, among))
        self.messages = [one.message for one in occurrences if one.exception_type or one.frames][:most]
        self.quotable = [head for head in map(_head, self.messages) if len(head) >= _LEAST_QUOTED]
        traced = [one for one in occurrences if one.exception_type and one.frames]
        self.traced: dict[_Text, str] = {(one.type_name, _head(one.message)): one.message for one in traced}
        self.newest = [(one.type_name, one.message) for one in traced[:most]]

    def has(self, one: Occurrence) -> bool:
        """Say whether an error without frames only tells again of one of these."""
        if one.shape == "quoted":
            return any(one.message.strip() in message for message in self.messages)
        if not one.exception_type:
            return any(head in one.message for head in self.quotable)
        if one.message.endswith("..."):
            stem = one.message.removesuffix("...")
            return any(name == one.type_name and message.startswith(stem) for name, message in self.newest)
        message = self.traced.get((one.type_name, _head(one.message)))
        return message is not None and all(line.strip() in message for line in one.message.split("\n"))


def _head(message: str) -> str:
    return message.split("\n", 1)[0]
