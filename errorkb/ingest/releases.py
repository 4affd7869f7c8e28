"""Ingest: the releases of a repository, and their order: they follow from its document, its scans, and what git told.

Every write of any of these calls `sync_releases` in its own transaction.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from errorkb.core.releases.order import Ordered, comes_before, in_release_order
from errorkb.core.releases.tags import version_in_tag
from errorkb.ingest.bulk_updates import update_rows
from errorkb.models import Release, Repository, Scan

_COLUMNS = ("tag", "version", "commit", "date", "parents", "is_stated", "rank")
_Key = tuple[str, object]


@dataclass(frozen=True)
class FoundRelease:
    """A release as git has it: a tag, the commit that it points to, and the nearest tags that it came from."""

    tag: str
    commit: str
    date: str = ""
    parents: tuple[str, ...] = ()


def sync_releases(repository: Repository, found: Iterable[FoundRelease] = ()) -> None:
    """Make the releases of a repository, the scans of each and the order of all follow from what is known now.

    `found` are releases that git has just told of. The number of queries does not grow with their number, but for
    chunks.
    """
    known = _known(repository, found)
    Release.objects.bulk_create(known.fresh())
    update_rows(known.changed(), _COLUMNS)
    repository.releases.filter(name__in=known.gone()).delete()
    update_rows(known.moved_scans(), ("rank", "of_release"))


def are_releases_stray(repository: Repository) -> bool:
    """Say whether the stored releases of a repository, or the order of its scans, do not follow."""
    known = _known(repository)
    return bool(known.fresh() or known.changed() or known.gone() or known.moved_scans())


def version_of(scan: Scan, tag_format: str = "") -> str:
    """Return the version that a scan read, by its package or its tag; empty where neither tells one."""
    return version_in_tag(scan.release, tag_format) or version_in_tag(scan.version, "")


def is_before(scan: Scan, release: str, tag_format: str = "") -> bool:
    """Say whether `scan` saw a release that is known to come before the one with this tag."""
    return comes_before(version_of(scan, tag_format), version_in_tag(release, tag_format))


@dataclass(frozen=True)
class _Known:
    """The releases that a repository is to have, by name, as `before` had them stored, and the scans of each."""

    before: dict[str, tuple[Any, ...]]
    wanted: dict[str, Release]
    scans: list[Scan]
    of_scans: dict[int, str]
    ranks: dict[_Key, int]

    def fresh(self) -> list[Release]:
        return [row for row in self.wanted.values() if row.pk is None]

    def changed(self) -> list[Release]:
        stored = (row for row in self.wanted.values() if row.name in self.before)
        return [row for row in stored if _values(row) != self.before[row.name]]

    def gone(self) -> set[str]:
        return self.before.keys() - self.wanted.keys()

    def moved_scans(self) -> list[Scan]:
        """Return the scans that have another place in the order, or are of another release, which they now have."""
        return [scan for scan in self.scans if self._is_moved(scan)]

    def _is_moved(self, scan: Scan) -> bool:
        name = self.of_scans[scan.pk]
        release = self.wanted[name] if name else None
        before = scan.rank, scan.of_release_id
        scan.rank, scan.of_release = release.rank if release else self.ranks["scan", scan.pk], release
        return before != (scan.rank, scan.of_release_id)


def _known(repository: Repository, found: Iterable[FoundRelease] = ()) -> _Known:
    stored = {release.name: release for release in repository.releases.all()}
    scans = list(Scan.objects.filter(repository=repository).defer("counts").order_by("pk"))
    before = {name: _values(release) for name, release in stored.items()}
    releases = _Releases(repository, stored)
    releases.state()
    for one in found:
        releases.find(one)
    of_scans = {scan.pk: releases.of_scan(scan) for scan in scans}
    wanted = releases.wanted({name for name in of_scans.values() if name})
    ranks = _ranks(wanted, scans, of_scans)
    for release in wanted.values():
        release.rank = ranks["release", release.name]
    return _Known(before, wanted, scans, of_scans, ranks)


class _Releases:
    """The releases of a repository as they are worked out, by name."""

    def __init__(self, repository: Repository, stored: dict[str, Release]) -> None:
        self._repository = repository
        self._rows = dict(stored)
        self._document = repository.as_document()
        self._format = repository.tag_format
        self._kept: set[str] = {name for name, row in stored.items() if row.tag and row.commit and not row.is_stated}

    def state(self) -> None:
        """Take the releases that the repository's document states."""
        stated: dict[str, dict[str, Any]] = {one["tag"]: one for one in self._document.get("releases") or []}
        for row in self._rows.values():
            row.is_stated = row.name in stated
            row.version = version_in_tag(row.tag, self._format) if row.tag else row.version
        for tag, one in stated.items():
            row = self._row(tag)
            row.is_stated = True
            row.version = one.get("version") or row.version
            row.commit, row.date = one.get("commit") or row.commit, one.get("date") or row.date
        self._kept |= stated.keys()

    def find(self, found: FoundRelease) -> None:
        row = self._row(found.tag)
        row.commit, row.parents = found.commit, list(found.parents)
        row.date = row.date if row.is_stated and row.date else found.date
        self._kept.add(found.tag)

    def of_scan(self, scan: Scan) -> str:
        """Return the name of a scan's release, one of the same version for a package whose tag is not known."""
        if scan.release:
            row = self._row(scan.release)
            row.commit = row.commit or scan.commit
            row.date = row.date or (scan.committed_at.isoformat() if scan.committed_at else "")
            return row.name
        if not scan.version:
            return ""
        same = (row.name for row in self._rows.values() if row.tag and row.version == scan.version)
        return next(same, "") or self._row(scan.version, tag="").name

    def wanted(self, scanned: set[str]) -> dict[str, Release]:
        """Return the releases that are stated, that git has, or that were scanned."""
        return {name: row for name, row in self._rows.items() if name in self._kept or name in scanned}

    def _row(self, name: str, tag: str | None = None) -> Release:
        if name not in self._rows:
            tag = name if tag is None else tag
            version = version_in_tag(tag, self._format) if tag else name
            self._rows[name] = Release(repository=self._repository, name=name, tag=tag, version=version)
        return self._rows[name]


def _ranks(wanted: dict[str, Release], scans: list[Scan], of_scans: dict[int, str]) -> dict[_Key, int]:
    order = in_release_order([*_releases_in_order(wanted, scans, of_scans), *_commits_in_order(scans, of_scans)])
    return {key: n for n, key in enumerate(order, 1) if isinstance(key, tuple)}


def _releases_in_order(wanted: dict[str, Release], scans: list[Scan], of_scans: dict[int, str]) -> Iterator[Ordered]:
    seen = {of_scans[scan.pk]: scan.at for scan in reversed(scans)}
    for name, release in wanted.items():
        parents = tuple(("release", parent) for parent in release.parents)
        yield Ordered(("release", name), release.version, parents, _moment(release.date), seen.get(name))


def _commits_in_order(scans: list[Scan], of_scans: dict[int, str]) -> Iterator[Ordered]:
    for scan in scans:
        if not of_scans[scan.pk]:
            parents = tuple(("release", name) for name in scan.follows)
            yield Ordered(("scan", scan.pk), "", parents, scan.committed_at, scan.at)


def _values(release: Release) -> tuple[Any, ...]:
    return tuple(list(value) if isinstance(value, list) else value for value in (getattr(release, c) for c in _COLUMNS))


def _moment(stated: str) -> datetime | None:
    """Return a date as a document or git states it; one without a zone counts as UTC."""
    with suppress(ValueError):
        found = datetime.fromisoformat(stated)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None
