"""Core, releases: those of a repository in order of version, and by branch where their ancestry is known."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from errorkb.core.releases.versions import ReadVersion

# Fewer digits name no commit.
_COMMIT_DIGITS = 7


@dataclass(frozen=True)
class KnownRelease:
    """A release: its label (tag, else version, else commit), and the labels of those that it directly descends from.

    `parents` is None where ancestry is not known; the release then follows the one before it by version.
    """

    label: str
    version: ReadVersion | None = None
    commit: str = ""
    parents: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Line:
    """A branch: the releases that it has alone, and those before it that others have, too; each in order."""

    name: str
    own: tuple[KnownRelease, ...]
    before: tuple[KnownRelease, ...] = ()

    @property
    def chain(self) -> tuple[KnownRelease, ...]:
        return (*self.before, *self.own)


class Lineage:
    """The releases of one repository, oldest version first; one that has no version stays behind the one before it."""

    def __init__(self, releases: Iterable[KnownRelease]) -> None:
        self.releases = tuple(_in_order(list(releases)))
        self.places = {release.label: place for place, release in enumerate(self.releases)}
        self._versioned = [release for release in self.releases if release.version]

    def named(self, text: str) -> tuple[KnownRelease, ...]:
        """Return the releases that a text names: by label, or by a commit's first digits."""
        place = self.places.get(text)
        if place is not None:
            return (self.releases[place],)
        digits = text.lower() if len(text) >= _COMMIT_DIGITS else ""
        return tuple(release for release in self.releases if digits and release.commit.startswith(digits))

    def with_version(self, version: ReadVersion) -> tuple[KnownRelease, ...]:
        """Return the releases of a version; of builds of one version those with the same local part, if there are."""
        start = bisect_left(self._versioned, version.order, key=_order_of)
        same = []
        for release in self._versioned[start:]:
            if _order_of(release) != version.order:
                break
            same.append(release)
        exact = tuple(release for release in same if release.version and release.version.local == version.local)
        return exact or tuple(same)

    def ancestors(self, release: KnownRelease) -> frozenset[str]:
        """Return the labels of all releases that one descends from."""
        bits = self._ancestry[self.places[release.label]]
        return frozenset(other.label for place, other in enumerate(self.releases) if bits >> place & 1)

    def descendants(self, release: KnownRelease) -> frozenset[str]:
        """Return the labels of all releases that descend from one."""
        bit = self.places[release.label]
        return frozenset(other.label for place, other in enumerate(self.releases) if self._ancestry[place] >> bit & 1)

    def nearest(self, release: KnownRelease, among: Iterable[str], *, after: bool = False) -> tuple[KnownRelease, ...]:
        """Return of the releases labelled `among` the nearest ancestors of one; with `after` its nearest descendants.

        One that another of them lies between is none of the nearest.
        """
        related = self.descendants(release) if after else self.ancestors(release)
        found = [self.places[label] for label in among if label in related]
        bits = sum(1 << place for place in found)
        hidden = 0
        for place in found:
            hidden |= self._ancestry[place] & bits if not after else 0
        if after:
            hidden = sum(1 << place for place in found if self._ancestry[place] & bits)
        return tuple(self.releases[place] for place in sorted(found) if not hidden >> place & 1)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Return the branches, the one of the newest version first."""
        return tuple(self._found_lines())

    def _found_lines(self) -> Iterator[Line]:
        rest = dict(enumerate(self.releases))
        while rest:
            tip = max(rest)
            bits = self._ancestry[tip] | 1 << tip
            own = tuple(release for place, release in rest.items() if bits >> place & 1)
            before = (release for place, release in enumerate(self.releases) if bits >> place & 1 and place not in rest)
            yield Line(_name_of(self.releases[tip]), own, tuple(before))
            rest = {place: release for place, release in rest.items() if not bits >> place & 1}

    @cached_property
    def _ancestry(self) -> list[int]:
        """Return for each release the places of its ancestors, as the bits of a number."""
        parents = [self._parents(place) for place in range(len(self.releases))]
        found: list[int | None] = [None] * len(parents)
        for start in range(len(parents)):
            _fill(start, parents, found)
        return [bits or 0 for bits in found]

    def _parents(self, place: int) -> tuple[int, ...]:
        stated = self.releases[place].parents
        if stated is None:
            return (place - 1,) if place else ()
        known = (self.places[label] for label in stated if label in self.places)
        return tuple(parent for parent in known if parent != place)


def _fill(start: int, parents: Sequence[Sequence[int]], found: list[int | None]) -> None:
    """Work out the ancestors of one place; what descends from itself, as broken data may say, ends there."""
    waiting, entered = [start], set()
    while waiting:
        place = waiting[-1]
        open_ones = [parent for parent in parents[place] if found[parent] is None and parent not in entered]
        if found[place] is None and open_ones and place not in entered:
            entered.add(place)
            waiting += open_ones
            continue
        waiting.pop()
        bits = 0
        for parent in parents[place]:
            bits |= 1 << parent | (found[parent] or 0)
        found[place] = bits & ~(1 << place)


def _order_of(release: KnownRelease) -> object:
    return release.version.order if release.version else None


def _in_order(releases: list[KnownRelease]) -> list[KnownRelease]:
    found = sorted((release for release in releases if release.version), key=_order_of)  # type: ignore[arg-type]
    before: KnownRelease | None = None
    for release in releases:
        if not release.version:
            found.insert(1 + found.index(before) if before else 0, release)
        before = release
    return found


def _name_of(tip: KnownRelease) -> str:
    if tip.version is None:
        return tip.label
    epoch, *series = tip.version.series if len(tip.version.series) > 2 else (0, *tip.version.series)
    text = ".".join(map(str, series))
    return f"{epoch}!{text}" if epoch else text


def states_of(releases: Iterable[KnownRelease], has: Mapping[str, bool]) -> list[tuple[KnownRelease, bool]]:
    """Return those of the releases for which it is known whether they have something, with what is known."""
    return [(release, has[release.label]) for release in releases if release.label in has]
