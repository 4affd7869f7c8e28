"""Core: errors of one paste put together: roles in chains, and repeats told once."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from errorkb.core.tracebacks.drafts import Draft, occurrence_of
from errorkb.core.tracebacks.pastes import Occurrence

_DIGITS = re.compile(r"\d++")
# A message of so many characters that stands in another line is the same error told twice.
_LEAST_QUOTED = 16
_MOST_COMPARED, _MOST_COMPARISONS = 300, 2_000_000
# An error that is named so many lines before or behind its own traceback is told twice, and happened once.
_BESIDE = 4

_Key = tuple[str, str]


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
    """Return errors that are alike once, with their number; the first one with frames stands for all."""
    starts = _starts(occurrences)
    kept: dict[_Key, Occurrence] = {}
    counts: Counter[_Key] = Counter()
    for one in occurrences:
        key = _key(one)
        known = kept.setdefault(key, one)
        if one.frames and not known.frames:
            kept[key] = one
        is_same = known is not one and _is_beside(known, one, starts)
        counts[key] = max(counts[key] + (not is_same), repeats.get(one.number, 0))
    return [replace(one, count=counts[key]) for key, one in kept.items()]


def _key(one: Occurrence) -> _Key:
    message = one.message or str([(frame.path, frame.symbol) for frame in one.frames[-3:]])
    return one.type_name, _DIGITS.sub("0", message)


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
        firsts = (message.split("\n", 1)[0] for message in self.messages)
        self.quotable = [first for first in firsts if len(first) >= _LEAST_QUOTED]
        self.traced = [(one.type_name, one.message) for one in occurrences if one.exception_type and one.frames]
        self.heads = {(name, message.split("\n", 1)[0]) for name, message in self.traced if "\n" in message}

    def has(self, one: Occurrence) -> bool:
        """Say whether an error without frames only tells again of one of these."""
        if one.shape == "quoted":
            return any(one.message.strip() in message for message in self.messages)
        if not one.exception_type:
            return any(first in one.message for first in self.quotable)
        if one.message.endswith("..."):
            head = (one.type_name, one.message.removesuffix("..."))
            return any(
                name == head[0] and message.startswith(head[1]) for name, message in self.traced[:_MOST_COMPARED]
            )
        return (one.type_name, one.message) in self.heads
