"""Ingest: store what a scan saw: sightings beside documents, entries for new sites, and what is gone.

A document that a file or a person brought is never edited here. One that a scan made follows the newest sighting
until somebody else writes in it (`core.ownership`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cmp_to_key
from typing import Any

from errorkb.core import writers
from errorkb.core.identity import Site, mint_id, module_of
from errorkb.core.ownership import is_a_scans
from errorkb.core.site_matching import Evidence, MatchedSite, Pair, match_sites
from errorkb.core.throw_places import frame_key
from errorkb.ingest.entries import write_entries
from errorkb.ingest.outcomes import Outcome, Status
from errorkb.ingest.prepared import Prepared, prepare_entry
from errorkb.ingest.repositories import ensure_repositories, touch
from errorkb.ingest.scan_order import is_newer
from errorkb.ingest.scanned import (
    ScanFacts,
    ScannedSite,
    ScanReport,
    TooManyRemovedError,
    first_template,
    matched_site,
)
from errorkb.ingest.standings import sync_standings
from errorkb.ingest.states import WriteContext
from errorkb.ingest.transactions import writing
from errorkb.ingest.wordings import sync_wordings
from errorkb.models import EntryIdentifier, ErrorEntry, Repository, Scan, Sighting
from errorkb.models.chunks import in_chunks
from errorkb.scanning.sites import ThrowSite

BATCH = 200
# Taking away more than this part of what a repository's scans have seen needs somebody's word.
MAX_REMOVED = 0.1

_PLACE = ("path", "module", "line", "symbol", "frame_key", "removed", "gone_in", "newest", "modified_at")
_SEEN = (
    "path", "line", "end_line", "symbol", "template", "wordings", "conditions", "signature", "snippet", "evidence",
)  # fmt: skip


@dataclass(frozen=True)
class _Known:
    """An entry that the repository has, and when a scan last saw it."""

    pk: int
    site: MatchedSite
    scan: Scan | None


def store_scan(
    facts: ScanFacts,
    sites: Iterable[ScannedSite],
    context: WriteContext,
    *,
    allow_removals: bool = False,
    progress: Callable[[int], object] | None = None,
) -> ScanReport:
    """Store all sites of one scan, batch by batch; the same scan again changes nothing.

    Raises TooManyRemovedError, before anything is written, where more than a tenth of what scans have seen of the
    repository would be marked as removed.
    """
    run = _ScanRun(facts, list(sites), context, progress)
    run.check_removals(allow_removals=allow_removals)
    run.store()
    return run.report


class _ScanRun:
    """One scan on its way into the database."""

    def __init__(
        self,
        facts: ScanFacts,
        sites: list[ScannedSite],
        context: WriteContext,
        progress: Callable[[int], object] | None,
    ) -> None:
        self.facts = facts
        self.context = context
        self.report = ScanReport()
        self.progress = progress
        self.writer = f"{writers.SCAN}:{facts.repository.lower()}"
        self.now = context.clock()
        with writing():
            self.repository = ensure_repositories([facts.repository], self.now)[facts.repository.lower()]
        self.tag_format = self.repository.tag_format
        self.scan = _scan_row(facts, self.repository, self.now)
        self.known = {known.site.key: known for known in _known_entries(self.repository)}
        self.new = dict(enumerate(sites))
        self.later = self._scanned_later()
        self.pairs = match_sites(
            [matched_site(n, scanned.site) for n, scanned in self.new.items()],
            [known.site for known in self.known.values()],
        )
        self.removed = self._find_removed()

    def check_removals(self, *, allow_removals: bool) -> None:
        seen = sum(known.scan is not None for known in self.known.values())
        if not allow_removals and len(self.removed) > seen * MAX_REMOVED:
            raise TooManyRemovedError(
                f"{len(self.removed)} of {seen} entries of {self.repository} would be marked as removed, more than a "
                f"tenth; see that the whole source was scanned, then use --allow-removals"
            )

    def store(self) -> None:
        self._keep_scan()
        paired = {pair.new.key for pair in self.pairs}
        for pairs in in_chunks(self.pairs, BATCH):
            self._in_transaction(self._store_known, pairs)
        fresh = [scanned for n, scanned in self.new.items() if n not in paired]
        for chunk in in_chunks(fresh, BATCH):
            self._in_transaction(self._store_new, chunk)
        for keys in in_chunks(self.removed, BATCH):
            self._in_transaction(self._store_removed, keys)
        self.scan.counts = dict(self.report.counts)
        self.scan.save(update_fields=["counts"])

    def _in_transaction(self, write: Callable[[Any], None], items: Sequence[Any]) -> None:
        with writing():
            write(items)
            touch([self.repository.pk], self.now)
        if self.progress:
            self.progress(len(items))

    def _keep_scan(self) -> None:
        self.scan.batch = self.context.batch
        self.scan.save()

    def _newer(self, other: Scan | None) -> bool:
        """Say whether this scan's release comes after another's, or is the same."""
        return other is None or other.pk == self.scan.pk or is_newer(self.scan, other, self.tag_format)

    def _find_removed(self) -> list[int]:
        """Return entries inside what was scanned that scans of no newer release have seen, and this one has not."""
        paired = {pair.known.key for pair in self.pairs}
        return [
            known.pk
            for key, known in self.known.items()
            if key not in paired and known.scan is not None and self._covers(known) and self._newer(known.scan)
        ]

    def _covers(self, known: _Known) -> bool:
        scan = known.scan
        return bool(
            scan
            and known.site.path.startswith(self.facts.path_prefix)
            and set(scan.languages) <= set(self.facts.languages)
            and self.facts.package in ("", scan.package)
        )

    def _store_known(self, pairs: list[Pair]) -> None:
        scanned = {self.known[pair.known.key].pk: (self.new[_index(pair)], pair) for pair in pairs}
        rows = self._rows(scanned)
        followers = [pk for pk, row in rows.items() if is_a_scans(row.owners) and self._newer(_scan_of(row))]
        self._write([self._prepared(scanned[pk][0], row=pk) for pk in followers])
        for row in rows.values():
            one, pair = scanned[row.pk]
            became = _what_became(row, one.site, pair, is_gone_later=self._is_gone_later(row))
            self.report.counts[became] += 1
            if pair.evidence is not Evidence.SAME:
                self._name_after(row, one.site)
        self._sight(
            {pk: one.site for pk, (one, _) in scanned.items()}, {pk: p.evidence for pk, (_, p) in scanned.items()}
        )

    def _store_new(self, chunk: list[ScannedSite]) -> None:
        outcomes = self._write([self._prepared(scanned, is_new=True) for scanned in chunk])
        created = {outcome.name: scanned.site for outcome, scanned in zip(outcomes, chunk, strict=True) if outcome.name}
        keys = dict(ErrorEntry.objects.filter(public_id__in=created).values_list("public_id", "pk"))
        self.report.counts["new"] += len(created)
        self._sight({keys[name]: site for name, site in created.items()}, {})
        if gone_in := self._gone_since():
            self._store_gone(list(keys.values()), gone_in)

    def _store_removed(self, keys: list[int]) -> None:
        self._store_gone(keys, self.scan.label)
        self.report.counts["removed"] += len(keys)

    def _store_gone(self, keys: list[int], pin: str) -> None:
        ErrorEntry.objects.filter(pk__in=keys).update(gone_in=pin, removed=True, modified_at=self.now)

    def _gone_since(self) -> str:
        """Return the first later release that was scanned, where a site that is new to us had gone again."""
        first = min(self.later, key=cmp_to_key(self._order), default=None)
        return first.label if first else ""

    def _scanned_later(self) -> list[Scan]:
        """Return the scans of later releases that read all that this one reads."""
        others = self.repository.scans.exclude(pk=self.scan.pk)
        return [
            other
            for other in others
            if set(self.facts.languages) <= set(other.languages)
            and self.facts.path_prefix.startswith(other.path_prefix)
            and other.package in ("", self.facts.package)
            and not self._newer(other)
        ]

    def _is_gone_later(self, row: ErrorEntry) -> bool:
        """Say whether a later release is known not to have the entry any more."""
        return any(row.gone_in == scan.label for scan in self.later)

    def _order(self, one: Scan, other: Scan) -> int:
        return 1 if is_newer(one, other, self.tag_format) else -1

    def _write(self, prepared: list[Prepared]) -> list[Outcome]:
        outcomes = write_entries(prepared, self.context, with_wordings=False) if prepared else []
        self.report.refused += [outcome for outcome in outcomes if outcome.status is Status.REFUSED]
        return outcomes

    def _prepared(self, scanned: ScannedSite, *, row: int | None = None, is_new: bool = False) -> Prepared:
        where = f"{scanned.site.path}:{scanned.site.line}"
        return prepare_entry(scanned.document, where=where, writer=self.writer, row=row, is_new=is_new)

    def _rows(self, keys: Iterable[int]) -> dict[int, ErrorEntry]:
        return ErrorEntry.objects.select_related("newest__scan", "repository").in_bulk(list(keys))

    def _sight(self, sites: dict[int, ThrowSite], evidence: dict[int, str]) -> None:
        """Store a sighting of each entry, and let it say the entry's place where no newer release was scanned."""
        sightings = [self._sighting(pk, site, str(evidence.get(pk, ""))) for pk, site in sites.items()]
        Sighting.objects.bulk_create(
            sightings, update_conflicts=True, unique_fields=["entry", "scan"], update_fields=list(_SEEN)
        )
        stored = {sighting.entry_id: sighting for sighting in Sighting.objects.filter(scan=self.scan, entry__in=sites)}
        rows = self._rows(sites)
        newer = [row for row in rows.values() if self._newer(_scan_of(row))]
        placed = [row for row in newer if _place(row, stored[row.pk], self.now, is_gone_later=self._is_gone_later(row))]
        ErrorEntry.objects.bulk_update(placed, _PLACE)
        sync_wordings(rows)
        sync_standings(rows, self.now)

    def _sighting(self, entry: int, site: ThrowSite, evidence: str) -> Sighting:
        return Sighting(
            entry_id=entry,
            scan=self.scan,
            path=site.path,
            line=site.line,
            end_line=site.end_line,
            symbol=site.symbol,
            template=first_template(site),
            wordings=[{"message": w.message, "template": w.template} for w in site.wordings],
            conditions=list(site.conditions),
            signature=site.signature,
            snippet={"start_line": site.snippet_start, "code": site.snippet} if site.snippet else {},
            evidence=evidence,
        )

    def _name_after(self, row: ErrorEntry, site: ThrowSite) -> None:
        """Let the id that would be minted for the site as it is now lead to the entry, unless it has twins there."""
        now = Site(site.kind, site.exception_type, first_template(site), site.symbol)
        if self.repository.entries.filter(site_key=now.key).exclude(pk=row.pk).exists():
            return
        identifier = mint_id(self.repository.name, now, 0)
        EntryIdentifier.objects.get_or_create(value=identifier, defaults={"entry": row})


def _scan_row(facts: ScanFacts, repository: Repository, now: datetime) -> Scan:
    """Return the row of this pin's scan, a new one (not saved) where the pin was never scanned."""
    told = ("commit", "release", "version", "package", "path_prefix")
    pin = {name: getattr(facts, name) for name in told}
    scan = repository.scans.filter(**pin).first() or Scan(repository=repository, at=now, **pin)
    scan.languages, scan.dirty, scan.committed_at = list(facts.languages), facts.dirty, facts.committed_at
    return scan


def _known_entries(repository: Repository) -> Iterable[_Known]:
    """Yield the repository's entries as they were last seen."""
    scans = {scan.pk: scan for scan in repository.scans.all()}
    fields = (
        "pk", "kind", "exception_type", "template", "symbol", "path", "line", "newest__template", "newest__scan",
    )  # fmt: skip
    for pk, kind, exception_type, template, symbol, path, line, seen, scan in repository.entries.values_list(*fields):
        site = MatchedSite(pk, kind, exception_type, template if seen is None else seen, symbol, path, line or 0)
        yield _Known(pk, site, scans.get(scan) if scan else None)


def _index(pair: Pair) -> int:
    assert isinstance(pair.new.key, int)
    return pair.new.key


def _scan_of(row: ErrorEntry) -> Scan | None:
    return row.newest.scan if row.newest else None


def _what_became(row: ErrorEntry, site: ThrowSite, pair: Pair, *, is_gone_later: bool) -> str:
    if row.gone_in and not is_gone_later:
        return "returned"
    if pair.evidence is Evidence.REWORDED:
        return "reworded"
    return "seen" if (row.path, row.line, row.symbol) == (site.path, site.line, site.symbol) else "moved"


def _place(row: ErrorEntry, sighting: Sighting, now: datetime, *, is_gone_later: bool) -> bool:
    """Let a sighting say the entry's place; say whether anything changed by that."""
    gone_in = row.gone_in if is_gone_later else ""
    place = (sighting.pk, sighting.path, sighting.line, sighting.symbol, gone_in)
    if place == (row.newest_id, row.path, row.line, row.symbol, row.gone_in):
        return False
    row.newest = sighting
    row.path, row.module = sighting.path, module_of(sighting.path)
    row.line, row.symbol = sighting.line, sighting.symbol
    row.frame_key = frame_key(row.path, row.symbol)
    row.gone_in = gone_in
    row.removed = bool(gone_in or (row.as_document().get("releases") or {}).get("removed"))
    row.modified_at = now
    return True
