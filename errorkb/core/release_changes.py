"""Core: what releases did to an error: brought it, moved it, reworded it, took it away, brought it back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from errorkb.core.lineages import KnownRelease, Line, Lineage, states_of
from errorkb.core.release_ranges import Has


class Kind(StrEnum):
    """What became of an error in a release; the first two name its beginning, known and unknown."""

    INTRODUCED = "introduced"
    SEEN = "seen"
    MOVED = "moved"
    REWORDED = "reworded"
    REMOVED = "removed"
    RETURNED = "returned"


@dataclass(frozen=True)
class Sight:
    """An error as a release has it: where, and in which wording."""

    path: str
    line: int
    symbol: str
    template: str
    message: str = ""


@dataclass(frozen=True)
class Change:
    """What a release did, beside the one before it that was read: their labels, and the error in both.

    `before` is empty for the first release of a branch; a sight is None where the release has no such error.
    """

    kind: Kind
    release: str
    before: str = ""
    old: Sight | None = None
    new: Sight | None = None


def release_changes(lineage: Lineage, has: Has, sights: Mapping[str, Sight]) -> list[Change]:
    """Return what the releases that were read did to an error, by version; a shifted line is no change."""
    found = [change for line in lineage.lines for change in _changes(line, has, sights)]
    return sorted(found, key=lambda change: lineage.places[change.release])


def kinds_between(old: Sight, new: Sight) -> tuple[Kind, ...]:
    """Return what happened to an error between two releases that have it."""
    moved = (old.path, old.symbol) != (new.path, new.symbol)
    reworded = old.template != new.template
    return (*((Kind.MOVED,) if moved else ()), *((Kind.REWORDED,) if reworded else ()))


def _changes(line: Line, has: Has, sights: Mapping[str, Sight]) -> Iterator[Change]:
    own = {release.label for release in line.own}
    before: KnownRelease | None = None
    was_there = False
    for release, has_it in states_of(line.chain, has):
        if release.label in own:
            kinds = _kinds(release, before, has, sights, was_there=was_there)
            last = before.label if before else ""
            yield from (
                Change(kind, release.label, last, sights.get(last), sights.get(release.label)) for kind in kinds
            )
        before, was_there = release, was_there or has_it


def _kinds(
    release: KnownRelease, before: KnownRelease | None, has: Has, sights: Mapping[str, Sight], *, was_there: bool
) -> tuple[Kind, ...]:
    had_it = before is not None and has[before.label]
    if not has[release.label]:
        return (Kind.REMOVED,) if had_it else ()
    if before is None:
        return (Kind.SEEN,)
    if not had_it:
        return (Kind.RETURNED,) if was_there else (Kind.INTRODUCED,)
    old, new = sights.get(before.label), sights.get(release.label)
    return kinds_between(old, new) if old and new else ()
