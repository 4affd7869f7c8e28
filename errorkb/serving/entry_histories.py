"""Serving: in which releases an entry is, where it stands in each, and what that tells of any version."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from errorkb.core.releases.answers import Answer, Claims, EntryReleases, answer
from errorkb.core.releases.changes import Sight
from errorkb.core.releases.ranges import EntryRange, entry_range, osv_ranges
from errorkb.models import ErrorEntry, Repository, Sighting
from errorkb.models.chunks import in_chunks
from errorkb.models.sightings import seen
from errorkb.serving.releases import RepositoryReleases, releases_of, repository_releases

_SIGHT = ("scan", seen("path"), "line", seen("symbol"), seen("template"), seen("wordings"))


@dataclass(frozen=True)
class EntryHistory:
    """An entry beside the releases of its repository.

    `scans` has by the label of a release that has it the primary key of the scan that saw it, `sights` what that scan
    saw; there are none in the histories of many entries.
    """

    entry: ErrorEntry
    releases: RepositoryReleases
    known: EntryReleases
    scans: Mapping[str, int]
    sights: Mapping[str, Sight] = field(default_factory=dict)

    def answer(self, asked: str) -> Answer:
        """Say whether the release that is asked about has the entry."""
        return answer(self.known, asked, self.releases.names)

    def range(self) -> EntryRange:
        """Return where the entry is, as scans saw it; where none did, what its document states."""
        claims = self.known.claims
        if not any(self.known.has.values()):
            return EntryRange(first=claims.first, last=claims.last, removed=claims.removed)
        return entry_range(self.known.lineage, self.known.has)


def entry_history(entry: ErrorEntry, releases: RepositoryReleases | None = None) -> EntryHistory:
    """Return the history of one entry that was loaded with its repository; a query, and two without `releases`."""
    known = releases or releases_of(entry.repository)
    rows = entry.sightings.order_by("scan").values_list(*_SIGHT)
    sights = {scan: _sight(*seen_there) for scan, *seen_there in rows}
    return _history(entry, known, sights, sights)


def entry_histories(entries: Iterable[ErrorEntry]) -> dict[int, EntryHistory]:
    """Return the histories of entries that were loaded with their repositories, by primary key; queries by chunks."""
    rows = {entry.pk: entry for entry in entries}
    releases = repository_releases({row.repository_id: row.repository for row in rows.values()}.values())
    scans: dict[int, list[int]] = defaultdict(list)
    for chunk in in_chunks(rows):
        for entry, scan in Sighting.objects.filter(entry__in=chunk).order_by("scan").values_list("entry", "scan"):
            scans[entry].append(scan)
    return {key: _history(row, releases[row.repository_id], scans[key]) for key, row in rows.items()}


def claims_of(document: Mapping[str, Any]) -> Claims:
    """Return what a document says of releases."""
    stated, source = document.get("releases") or {}, document.get("source") or {}
    return Claims(
        pin=source.get("release") or source.get("commit") or "",
        first=stated.get("first") or "",
        last=stated.get("last") or "",
        removed=stated.get("removed") or "",
    )


def served_range(history: EntryHistory) -> dict[str, Any]:
    """Return what is served under `computed` of the releases that have an entry."""
    found, known = history.range(), history.known
    url = _clone_address(history.entry.repository)
    return {
        "releases": {
            "first": found.first or None,
            "last": found.last or None,
            "introduced": found.introduced or None,
            "removed": found.removed or None,
            "returned": list(found.returned),
            "branches": [
                {
                    "branch": branch.branch,
                    "first": branch.first,
                    "last": branch.last,
                    "introduced": branch.introduced or None,
                    "removed": branch.removed or None,
                }
                for branch in found.branches
            ],
            "read": len(known.has),
        },
        "ranges": osv_ranges(known.lineage, known.has, scheme=known.scheme, repo=url),
        "versions": _versions(history, found),
    }


def _history(
    entry: ErrorEntry, releases: RepositoryReleases, scans: Iterable[int], sights: Mapping[int, Sight] | None = None
) -> EntryHistory:
    found = {releases.labels[scan]: scan for scan in scans if scan in releases.labels}
    rows = {row.pk: row for several in releases.scans.values() for row in several} if found else {}
    packages = {rows[scan].package for scan in found.values()}
    # A scan that does not recognise an entry where none ever did says nothing of it.
    read = releases.covering(entry, packages) if found else set()
    has = {label: label in found for label in (*releases.lineage.places,) if label in found or label in read}
    claims = claims_of(entry.as_document())
    known = EntryReleases(releases.lineage, has, releases.scheme, releases.tag_format, claims)
    seen_there = {label: sights[scan] for label, scan in found.items()} if sights else {}
    return EntryHistory(entry, releases, known, found, seen_there)


def _versions(history: EntryHistory, found: EntryRange) -> list[str]:
    """Return the versions that are known to have an entry, oldest first, each once."""
    having = set(found.having)
    versions = (release.version for release in history.known.lineage.releases if release.label in having)
    return list(dict.fromkeys(version.text for version in versions if version))


def _clone_address(repository: Repository) -> str:
    links = repository.links()
    return links.base if links else ""


def _sight(path: str, line: int, symbol: str, template: str, wordings: list[dict[str, str]]) -> Sight:
    message = wordings[0].get("message", "") if wordings else ""
    return Sight(path, line, symbol, template, message or template)
