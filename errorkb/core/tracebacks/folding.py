"""Core: errors of one paste put together: roles in chains, and repeats told once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from errorkb.core.tracebacks.pastes import Occurrence
from errorkb.core.tracebacks.python import Draft, occurrence_of

_DIGITS = str.maketrans("123456789", "000000000")
# A message of so many characters that stands in another line is the same error told twice.
_LEAST_QUOTED = 16
_MOST_COMPARED = 300


def told_once(drafts: Sequence[Draft]) -> tuple[Occurrence, ...]:
    """Return errors in the order of the paste, each with its role; those alike but for digits once, counted."""
    sizes = Counter(draft.chain for draft in drafts)
    seen: set[int] = set()
    occurrences = []
    for draft in drafts:
        occurrences.append(occurrence_of(draft, _role(draft, sizes, seen)))
    counted = _counted(occurrences)
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


def _counted(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Return errors that are alike once, with their number; the first one with frames stands for all."""
    kept: dict[tuple[str, str], Occurrence] = {}
    for one in occurrences:
        key = (one.type_name, one.message.translate(_DIGITS) or str([(f.path, f.symbol) for f in one.frames[-3:]]))
        known = kept.get(key)
        if known is None:
            kept[key] = one
        elif one.frames and not known.frames:
            kept[key] = replace(one, count=known.count + 1)
        else:
            kept[key] = replace(known, count=known.count + 1)
    return list(kept.values())


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
