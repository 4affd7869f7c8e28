"""Ingest: store what a scan saw: sightings beside documents, entries for new sites, and what is gone.

A document that a file or a person brought is never edited here. One that a scan made follows the newest sighting
until somebody else writes in it (`core.ownership`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from errorkb.core import writers
from errorkb.core.identity import Site, mint_id, module_of
from errorkb.core.ownership import is_a_scans
from errorkb.core.site_matching import Evidence, Pair
from errorkb.core.throw_places import frame_key
from errorkb.ingest.bulk_updates import update_rows
from errorkb.ingest.entries import write_entries
from errorkb.ingest.links.report_links import sync_report_links
from errorkb.ingest.outcomes import Outcome, Status
from errorkb.ingest.places import index_places
from errorkb.ingest.prepared import Prepared, prepare_entry
from errorkb.ingest.releases import sync_releases
from errorkb.ingest.repositories import ensure_repositories, touch
from errorkb.ingest.scanned import (
    ScanFacts,
    ScannedSite,
    ScanReport,
    TooManyRemovedError,
    first_template,
    matched_site,
)
from errorkb.ingest.scans.surveys import ScanSurvey, entry_of, index_of, scan_row
from errorkb.ingest.sighting_rows import write_sightings
from errorkb.ingest.standings import sync_standings
from errorkb.ingest.states import WriteContext
from errorkb.ingest.transactions import writing
from errorkb.ingest.wordings import sync_wordings
from errorkb.models import EntryIdentifier, ErrorEntry, Sighting
from errorkb.models.chunks import in_chunks
from errorkb.scanning.sites import ThrowSite
from errorkb.search.vocabulary import refresh_if_grown

BATCH = 200
# Taking away more than this part of what a repository's scans have seen needs somebody's word.
MAX_REMOVED = 0.1

PLACE = ("path", "module", "line", "symbol", "frame_key", "removed", "gone_in", "newest", "modified_at")


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
    run.begin(allow_removals=allow_removals)
    run.store()
    refresh_if_grown()
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
        self.sites = sites
        self.context = context
        self.report = ScanReport()
        self.progress = progress
        self.writer = f"{writers.SCAN}:{facts.repository.lower()}"
        self.now = context.clock()

    def begin(self, *, allow_removals: bool) -> None:
        """Look what the scan means for the entries, and note that it has begun, unless it would remove too many."""
        with writing():
            self.repository = ensure_repositories([self.facts.repository], self.now)[self.facts.repository.lower()]
            self.scan = scan_row(self.facts, self.repository, self.now)
            self.scan.batch = self.context.batch
            self.scan.save()
            sync_releases(self.repository, self.facts.releases)
            self.scan.refresh_from_db(fields=["rank", "of_release"])
            self.report.scan = self.scan
            found = (matched_site(n, scanned.site) for n, scanned in enumerate(self.sites))
            self.survey = ScanSurvey(self.facts, self.repository, self.scan, found)
            self._check_removals(allow_removals=allow_removals)

    def _check_removals(self, *, allow_removals: bool) -> None:
        seen, removed = self.survey.seen_count, len(self.survey.removed)
        if not allow_removals and removed > seen * MAX_REMOVED:
            raise TooManyRemovedError(
                f"{removed} of {seen} entries of {self.repository} would be marked as removed, more than a "
                f"tenth; see that the whole source was scanned, then use --allow-removals"
            )

    def store(self) -> None:
        paired = set(map(index_of, self.survey.pairs))
        for pairs in in_chunks(self.survey.pairs, BATCH):
            self._in_transaction(self._store_known, pairs)
        fresh = [scanned for n, scanned in enumerate(self.sites) if n not in paired]
        for chunk in in_chunks(fresh, BATCH):
            self._in_transaction(self._store_new, chunk)
        for keys in in_chunks(self.survey.removed, BATCH):
            self._in_transaction(self._store_removed, keys)
        for keys in in_chunks(self.survey.gone_earlier, BATCH):
            self._in_transaction(self._store_gone_earlier, keys)
        self.scan.counts = {"sites": len(self.sites)} | self.report.counts
        self.scan.save(update_fields=["counts"])

    def _in_transaction(self, write: Callable[[Any], None], items: Sequence[Any]) -> None:
        with writing():
            write(items)
            touch([self.repository.pk], self.now)
        if self.progress:
            self.progress(len(items))

    def _store_known(self, pairs: list[Pair]) -> None:
        scanned = {entry_of(pair): self.sites[index_of(pair)] for pair in pairs}
        rows = _rows(scanned)
        for pair in pairs:
            row = rows[entry_of(pair)]
            is_gone_later = self.survey.is_gone_later(row)
            self.report.counts[_what_became(row, scanned[row.pk].site, pair, is_gone_later=is_gone_later)] += 1
        rows |= _rows(self._follow(rows, scanned))
        for pair in pairs:
            if pair.evidence is not Evidence.SAME:
                self._name_after(rows[entry_of(pair)], scanned[entry_of(pair)].site)
        evidence = {entry_of(pair): str(pair.evidence) for pair in pairs}
        self._sight(rows, {pk: one.site for pk, one in scanned.items()}, evidence)

    def _follow(self, rows: Mapping[int, ErrorEntry], scanned: Mapping[int, ScannedSite]) -> list[int]:
        """Let the documents that scans made follow this one; return the keys of rows that are not as they were read."""
        followers = [pk for pk, row in rows.items() if is_a_scans(row.owners) and self.survey.is_newer_than_seen(row)]
        outcomes = self._write([self._prepared(scanned[pk], row=pk) for pk in followers])
        return [pk for pk, outcome in zip(followers, outcomes, strict=True) if outcome.status is not Status.UNCHANGED]

    def _store_new(self, chunk: list[ScannedSite]) -> None:
        outcomes = self._write([self._prepared(scanned, is_new=True) for scanned in chunk])
        created = {outcome.name: scanned.site for outcome, scanned in zip(outcomes, chunk, strict=True) if outcome.name}
        keys = dict(ErrorEntry.objects.filter(public_id__in=created).values_list("public_id", "pk"))
        self.report.counts["new"] += len(created)
        self._sight(_rows(keys.values()), {keys[name]: site for name, site in created.items()}, {})
        if gone_in := self.survey.gone_since():
            self._store_gone(list(keys.values()), gone_in)

    def _store_removed(self, keys: list[int]) -> None:
        self._store_gone(keys, self.scan.label)
        self.report.counts["removed"] += len(keys)

    def _store_gone_earlier(self, keys: list[int]) -> None:
        self._store_gone(keys, self.scan.label)

    def _store_gone(self, keys: list[int], pin: str) -> None:
        ErrorEntry.objects.filter(pk__in=keys).update(gone_in=pin, removed=True, modified_at=self.now)

    def _write(self, prepared: list[Prepared]) -> list[Outcome]:
        outcomes = write_entries(prepared, self.context, with_wordings=False) if prepared else []
        self.report.refused += [outcome for outcome in outcomes if outcome.status is Status.REFUSED]
        return outcomes

    def _prepared(self, scanned: ScannedSite, *, row: int | None = None, is_new: bool = False) -> Prepared:
        where = f"{scanned.site.path}:{scanned.site.line}"
        return prepare_entry(scanned.document, where=where, writer=self.writer, row=row, is_new=is_new)

    def _sight(
        self, rows: Mapping[int, ErrorEntry], sites: Mapping[int, ThrowSite], evidence: Mapping[int, str]
    ) -> None:
        """Store a sighting of each entry, and let it say the entry's place where no newer release was scanned."""
        newer = [row for row in rows.values() if self.survey.is_newer_than_seen(row)]
        places = {row.pk: (row.path, row.symbol) for row in newer}
        write_sightings(self.scan, rows, sites, evidence)
        seen = [(row, row.newest) for row in newer if row.newest]
        placed = [
            row
            for row, sighting in seen
            if place_entry(row, sighting, self.now, is_gone_later=self.survey.is_gone_later(row))
        ]
        update_rows(placed, PLACE)
        index_places(row for row in placed if (row.path, row.symbol) != places[row.pk])
        sync_wordings(rows)
        sync_standings(rows, self.now)
        sync_report_links(rows, self.now, repositories=(self.repository.pk,))

    def _name_after(self, row: ErrorEntry, site: ThrowSite) -> None:
        """Let the id that would be minted for the site as it is now lead to the entry, unless it has twins there."""
        now = Site(site.kind, site.exception_type, first_template(site), site.symbol)
        if self.repository.entries.filter(site_key=now.key).exclude(pk=row.pk).exists():
            return
        identifier = mint_id(self.repository.name, now, 0)
        EntryIdentifier.objects.get_or_create(value=identifier, defaults={"entry": row})


def _rows(keys: Iterable[int]) -> dict[int, ErrorEntry]:
    wanted = list(keys)
    return ErrorEntry.objects.select_related("newest__scan").in_bulk(wanted) if wanted else {}


def _what_became(row: ErrorEntry, site: ThrowSite, pair: Pair, *, is_gone_later: bool) -> str:
    if row.gone_in and not is_gone_later:
        return "returned"
    if pair.evidence is Evidence.REWORDED:
        return "reworded"
    return "seen" if (row.path, row.line, row.symbol) == (site.path, site.line, site.symbol) else "moved"


def place_entry(row: ErrorEntry, sighting: Sighting, now: datetime, *, is_gone_later: bool) -> bool:
    """Let the newest sighting say the entry's place; say whether anything changed by that."""
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
