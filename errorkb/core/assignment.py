"""Core: which of several entries with the same fingerprint a document means; twins are told apart by their place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from posixpath import basename


@dataclass(frozen=True)
class Place:
    """Where a throw site stands: path, line, and the pin (commit, else release) that they are true for."""

    path: str = ""
    line: int | None = None
    pin: str = ""


Rule = Callable[[Place, Place], bool]


def assign(offered: Sequence[Place], stored: Sequence[Place]) -> list[int | None]:
    """Return for each offered place the index of the stored one that is the same site, None where it is a new one.

    Each stored place is used once, except that the very same place may be offered again. First equal places meet;
    then those that can have moved, in the order of their lines where there are as many on both sides, else by
    nearness. Two lines of one pin are never the same site.
    """
    answer: list[int | None] = [_equal(place, stored) for place in offered]
    free = [n for n in range(len(stored)) if n not in answer]
    waiting = [n for n, found in enumerate(answer) if found is None]
    for rule in (_fills_in, _same_file, _same_name):
        waiting, free = _settle(rule, answer, waiting, free, offered, stored)
    return answer


def _equal(place: Place, stored: Sequence[Place]) -> int | None:
    for n, other in enumerate(stored):
        if (place.path, place.line) == (other.path, other.line):
            return n
    return None


def _fills_in(new: Place, old: Place) -> bool:
    """One of the two says nothing of the file, or of the line within the same file."""
    return not new.path or not old.path or (new.path == old.path and (new.line is None or old.line is None))


def _same_file(new: Place, old: Place) -> bool:
    return new.path == old.path and new.pin != old.pin


def _same_name(new: Place, old: Place) -> bool:
    return basename(new.path) == basename(old.path) and bool(new.pin) and bool(old.pin) and new.pin != old.pin


def _settle(
    rule: Rule,
    answer: list[int | None],
    waiting: list[int],
    free: list[int],
    offered: Sequence[Place],
    stored: Sequence[Place],
) -> tuple[list[int], list[int]]:
    """Fill `answer` for those of `waiting` that `rule` lets meet one of `free`; return what is left of both."""
    open_pairs = [(n, m) for n in waiting for m in free if rule(offered[n], stored[m])]
    wanting = sorted({n for n, _ in open_pairs}, key=lambda n: offered[n].line or 0)
    wanted = sorted({m for _, m in open_pairs}, key=lambda m: stored[m].line or 0)
    pairs = set(open_pairs)
    if len(wanting) == len(wanted) and all(pair in pairs for pair in zip(wanting, wanted, strict=True)):
        chosen = list(zip(wanting, wanted, strict=True))
    else:
        chosen = _nearest(open_pairs, offered, stored)
    for n, m in chosen:
        answer[n] = m
    taken_new, taken_old = {n for n, _ in chosen}, {m for _, m in chosen}
    return [n for n in waiting if n not in taken_new], [m for m in free if m not in taken_old]


def _nearest(pairs: list[tuple[int, int]], offered: Sequence[Place], stored: Sequence[Place]) -> list[tuple[int, int]]:
    """Choose pairs greedily by the distance of their lines, each side used once."""
    chosen: list[tuple[int, int]] = []
    used_new: set[int] = set()
    used_old: set[int] = set()
    for n, m in sorted(pairs, key=lambda pair: abs((offered[pair[0]].line or 0) - (stored[pair[1]].line or 0))):
        if n not in used_new and m not in used_old:
            chosen.append((n, m))
            used_new.add(n)
            used_old.add(m)
    return chosen
