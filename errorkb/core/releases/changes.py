"""Core, releases: what releases did to an error: brought it, moved it, reworded it, took it away, brought it back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from errorkb.core.releases.lineages import Line, Lineage, states_of
from errorkb.core.releases.ranges import Has


class Kind(StrEnum):
    """What became of an error in a release; the first two name its beginning, known and unknown."""

    INTRODUCED = "introduced"
    SEEN = "seen"
    MOVED = "moved"
    REWORDED = "reworded"
    REMOVED = "removed"
    RETURNED = "returned"


# What is told of two releases that both have the error.
_OF_BOTH = (Kind.MOVED, Kind.REWORDED)


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
    """What a release did: its label, that of the release before it, and the error in both.

    `before` is the release that was read last, for what moved or was reworded the last one that had it, and empty for
    the first of a branch. `old` is the error as it was last, None before it came.
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
    before = had = ""
    for release, has_it in states_of(line.chain, has):
        label = release.label
        old, new = sights.get(had), sights.get(label)
        if label in own:
            for kind in _kinds(before, had, old, new, has_it=has_it):
                yield Change(kind, label, had if kind in _OF_BOTH else before, old, new)
        before, had = label, label if has_it else had


def _kinds(before: str, had: str, old: Sight | None, new: Sight | None, *, has_it: bool) -> Iterator[Kind]:
    """Yield what a release did; `before` is the one before it, `had` the last one before it that had the error."""
    if not has_it:
        if had and had == before:
            yield Kind.REMOVED
    elif not had:
        yield Kind.INTRODUCED if before else Kind.SEEN
    else:
        if had != before:
            yield Kind.RETURNED
        if old and new:
            yield from kinds_between(old, new)
