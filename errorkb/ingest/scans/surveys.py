"""Ingest: what a scan means for a repository's entries before it is stored: which it found again, which are gone."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from errorkb.core.site_matching import MatchedSite, Pair, match_sites
from errorkb.ingest.scanned import ScanFacts
from errorkb.models import ErrorEntry, Repository, Scan


@dataclass(frozen=True)
class KnownEntry:
    """An entry that the repository has, when a scan last saw it, and which one no longer found it."""

    pk: int
    site: MatchedSite
    scan: Scan | None
    gone_in: str


class ScanSurvey:
    """A scan, which is stored and has its place among others, beside what is known of its repository.

    `pairs` are the sites that are entries already, `removed` the keys of entries that are gone since this release,
    `gone_earlier` of those that a later one was known not to have, `later` the scans of later releases that read all
    that this one reads.
    """

    def __init__(self, facts: ScanFacts, repository: Repository, scan: Scan, sites: Iterable[MatchedSite]) -> None:
        self.facts = facts
        self.repository = repository
        self.scan = scan
        known = {entry.site.key: entry for entry in _known_entries(repository)}
        self.pairs = match_sites(list(sites), [entry.site for entry in known.values()])
        self.later = list(self._scanned_later())
        self.seen_count = sum(entry.scan is not None for entry in known.values())
        missed = self._find_missed(known)
        labels = {scan.label for scan in self.later}
        self.removed = [entry.pk for entry in missed if not entry.gone_in]
        self.gone_earlier = [entry.pk for entry in missed if entry.gone_in in labels]

    def is_newer(self, other: Scan | None) -> bool:
        """Say whether this scan's release comes after another's, or is the same."""
        return other is None or self.scan.order >= other.order

    def is_newer_than_seen(self, row: ErrorEntry) -> bool:
        """Say whether no newer release than this scan's was seen to have the entry."""
        return self.is_newer(row.newest.scan if row.newest else None)

    def is_gone_later(self, row: ErrorEntry) -> bool:
        """Say whether a later release is known not to have the entry any more."""
        return any(row.gone_in == scan.label for scan in self.later)

    def gone_since(self) -> str:
        """Return the first later release that was scanned, where a site that is new to us had gone again."""
        first = min(self.later, key=attrgetter("order"), default=None)
        return first.label if first else ""

    def _find_missed(self, known: Mapping[Hashable, KnownEntry]) -> list[KnownEntry]:
        """Return entries inside what was scanned that scans of no newer release have seen, and this one has not."""
        paired = {pair.known.key for pair in self.pairs}
        return [
            entry
            for key, entry in known.items()
            if key not in paired and entry.scan is not None and self._covers(entry) and self.is_newer(entry.scan)
        ]

    def _covers(self, known: KnownEntry) -> bool:
        scan = known.scan
        return bool(
            scan
            and known.site.path.startswith(self.facts.path_prefix)
            and set(scan.languages) <= set(self.facts.languages)
            and self.facts.package in ("", scan.package)
        )

    def _scanned_later(self) -> Iterator[Scan]:
        for other in self.repository.scans.exclude(pk=self.scan.pk):
            reads_all = (
                set(self.facts.languages) <= set(other.languages)
                and self.facts.path_prefix.startswith(other.path_prefix)
                and other.package in ("", self.facts.package)
            )
            if other.is_whole and reads_all and not self.is_newer(other):
                yield other


def scan_row(facts: ScanFacts, repository: Repository, now: datetime) -> Scan:
    """Return the row of this pin's scan, a new one (not saved) where the pin was never scanned."""
    told = ("commit", "release", "version", "package", "path_prefix")
    pin = {name: getattr(facts, name) for name in told}
    scan = repository.scans.filter(**pin).first() or Scan(repository=repository, at=now, **pin)
    scan.languages, scan.dirty, scan.committed_at = list(facts.languages), facts.dirty, facts.committed_at
    scan.follows = list(facts.follows)
    return scan


def _known_entries(repository: Repository) -> Iterator[KnownEntry]:
    """Yield the repository's entries as they were last seen."""
    scans = {scan.pk: scan for scan in repository.scans.all()}
    fields = (
        "pk", "kind", "exception_type", "template", "symbol", "path", "line", "newest__template", "newest__scan",
        "gone_in",
    )  # fmt: skip
    for pk, kind, exception_type, stated, symbol, path, line, seen, scan, gone_in in repository.entries.values_list(
        *fields
    ):
        site = MatchedSite(pk, kind, exception_type, stated if seen is None else seen, symbol, path, line or 0)
        yield KnownEntry(pk, site, scans.get(scan) if scan else None, gone_in)


def index_of(pair: Pair) -> int:
    """Return the number of a pair's new site among those of the scan."""
    assert isinstance(pair.new.key, int)
    return pair.new.key


def entry_of(pair: Pair) -> int:
    """Return the primary key of a pair's entry."""
    assert isinstance(pair.known.key, int)
    return pair.known.key
