"""Core, releases: which of a repository's releases comes after which: by version, else by history, else by date."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from packaging.version import Version

from errorkb.core.releases.tags import parsed_version

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Ordered:
    """A release, or a commit between releases, as far as its place among others can be told.

    `parents` are the keys of those that it came from, nearest ones first or in any order; `key` is the caller's name
    for it. `committed_at` and `seen_at` (when it was scanned) carry a time zone.
    """

    key: Hashable
    version: str = ""
    parents: tuple[Hashable, ...] = ()
    committed_at: datetime | None = None
    seen_at: datetime | None = None


def in_release_order(releases: Iterable[Ordered]) -> list[Hashable]:
    """Return the keys of releases from the oldest to the newest.

    Those with a version (PEP 440) stand by it. One without stands behind the last of these that is known to come
    before it: an ancestor; where it has no relatives, one that was committed earlier; else one that was seen earlier.
    Among several without a version, ancestors come first.
    """
    known = {release.key: release for release in releases}
    versioned = sorted((one for one in known.values() if parsed_version(one.version)), key=_by_version)
    slots = _Slots(known, versioned)
    loose = [one for one in known.values() if not parsed_version(one.version)]
    placed = {one.key: slots.behind(one) for one in loose}
    loose.sort(key=lambda one: (placed[one.key], slots.depth(one.key), *_by_date(one)))
    whole: list[tuple[int, int, Ordered]] = [(n + 1, 0, one) for n, one in enumerate(versioned)]
    whole += [(placed[one.key], n + 1, one) for n, one in enumerate(loose)]
    return [one.key for *_, one in sorted(whole, key=lambda item: item[:2])]


class _Slots:
    """Between which releases with a version one without has its place; 0 is before all of them."""

    def __init__(self, known: Mapping[Hashable, Ordered], versioned: Sequence[Ordered]) -> None:
        self._known = known
        self._versioned = versioned
        self._numbers = {one.key: n for n, one in enumerate(versioned, 1)}
        self._sequence = _ancestors_first(known)
        self._depths: dict[Hashable, int] = {}
        self._after: dict[Hashable, int] = {}
        self._before: dict[Hashable, int] = {}
        self._spread()

    def depth(self, key: Hashable) -> int:
        """Return how many releases lie between one and the first of its ancestors."""
        return self._depths[key]

    def behind(self, one: Ordered) -> int:
        """Return the number of the release with a version that one without stands behind."""
        if self._after[one.key]:
            return self._after[one.key]
        if one.key in self._before:
            return self._before[one.key] - 1
        return max((n for n, other in enumerate(self._versioned, 1) if _is_earlier(other, one)), default=0)

    def _spread(self) -> None:
        """Carry the numbers of releases down to their descendants, and up to their ancestors."""
        for key in self._sequence:
            parents = self._parents(key)
            self._depths[key] = 1 + max((self._depths[parent] for parent in parents), default=-1)
            self._after[key] = max((self._number_or_after(parent) for parent in parents), default=0)
        for key in reversed(self._sequence):
            number = self._numbers.get(key) or self._before.get(key)
            if number:
                self._before |= {parent: min(self._before.get(parent, number), number) for parent in self._parents(key)}

    def _number_or_after(self, key: Hashable) -> int:
        return max(self._numbers.get(key, 0), self._after[key])

    def _parents(self, key: Hashable) -> list[Hashable]:
        return [parent for parent in self._known[key].parents if parent in self._depths]


def _ancestors_first(known: Mapping[Hashable, Ordered]) -> list[Hashable]:
    """Return all keys, each behind those of its parents; what others wrote may run in a circle, which is cut."""
    done: dict[Hashable, None] = {}
    for start in known:
        path: dict[Hashable, None] = {}
        waiting = [start]
        while waiting:
            key = waiting[-1]
            path[key] = None
            missing = [
                parent for parent in known[key].parents if parent in known and parent not in done and parent not in path
            ]
            if missing and key not in done:
                waiting.append(missing[0])
            else:
                done[key] = None
                waiting.pop()
    return list(done)


def _is_earlier(one: Ordered, other: Ordered) -> bool:
    if one.committed_at and other.committed_at:
        return one.committed_at <= other.committed_at
    return (one.seen_at or _LONG_AGO) <= (other.seen_at or _LONG_AGO)


def _by_version(one: Ordered) -> tuple[Version, datetime, datetime]:
    version = parsed_version(one.version)
    assert version is not None
    return (version, *_by_date(one))


def _by_date(one: Ordered) -> tuple[datetime, datetime]:
    return one.committed_at or _LONG_AGO, one.seen_at or _LONG_AGO


def comes_before(version: str, other: str) -> bool:
    """Say whether a version is known to come before another one."""
    ours, theirs = parsed_version(version), parsed_version(other)
    return ours is not None and theirs is not None and ours < theirs
