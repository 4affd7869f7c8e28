"""Core: errors of one paste put together: roles in chains, and repeats told once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from errorkb.core.tracebacks.pastes import Occurrence
from errorkb.core.tracebacks.python import Draft, occurrence_of

_DIGITS = str.maketrans("123456789", "000000000")
# A message of so many characters that stands in another line is the same error told twice.
_LEAST_QUOTED = 16
_MOST_COMPARED = 300


def told_once(drafts: Sequence[Draft], repeats: Mapping[int, int]) -> tuple[Occurrence, ...]:
    """Return errors in the order of the paste, each with its role; those alike but for digits once, counted.

    `repeats` is how often lines stand in the paste that were not all read, by the number of the first.
    """
    sizes = Counter(draft.chain for draft in drafts)
    seen: set[int] = set()
    occurrences = []
    for draft in drafts:
        occurrences.append(occurrence_of(draft, _role(draft, sizes, seen)))
    counted = _counted(occurrences, repeats)
    return tuple(sorted(_unquoted(counted), key=lambda one: one.number))


def _role(draft: Draft, sizes: Counter[int], seen: set[int]) -> str:
    if sizes[draft.chain] == 1:
        return "only"
    if draft.is_group:
        seen.add(-draft.chain)
        return "consequence"
    if draft.chain in seen and -draft.chain not in seen:
        return "consequence"
    seen.add(draft.chain)
    return "root"


def _counted(occurrences: Sequence[Occurrence], repeats: Mapping[int, int]) -> list[Occurrence]:
    """Return errors that are alike once, with their number; the first one with frames stands for all."""
    kept: dict[tuple[str, str], Occurrence] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for one in occurrences:
        key = (one.type_name, one.message.translate(_DIGITS) or str([(f.path, f.symbol) for f in one.frames[-3:]]))
        known = kept.setdefault(key, one)
        if one.frames and not known.frames:
            kept[key] = one
        counts[key] = max(counts[key] + 1, repeats.get(one.number, 0))
    return [replace(one, count=counts[key]) for key, one in kept.items()]


def _unquoted(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Leave out lines that only quote the message of an error that is told with its type or frames."""
    told = [one for one in occurrences if one.exception_type or one.frames][:_MOST_COMPARED]
    quoted = [one.message.split("\n", 1)[0] for one in told]
    quoted = [message for message in quoted if len(message) >= _LEAST_QUOTED]
    return [
        one
        for one in occurrences
        if one.exception_type or one.frames or not any(message in one.message for message in quoted)
    ]
