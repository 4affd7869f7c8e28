"""Ingest: store some releases of a walk at once: what each has, entries that only they have, and what follows from it.

All of it is one transaction, so that a walk may be stopped at any time: a release is stored whole or not at all.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from errorkb.core import writers
from errorkb.core.identity import Site, mint_id
from errorkb.core.ownership import is_a_scans
from errorkb.ingest.bulk_updates import update_rows
from errorkb.ingest.entries import write_entries
from errorkb.ingest.links.report_links import sync_report_links
from errorkb.ingest.outcomes import Outcome, Status
from errorkb.ingest.places import index_places
from errorkb.ingest.prepared import Prepared, prepare_entry
from errorkb.ingest.releases import sync_releases
from errorkb.ingest.removals import sync_removals
from errorkb.ingest.repositories import touch
from errorkb.ingest.scanned import first_template
from errorkb.ingest.scans.storing import PLACE, place_entry
from errorkb.ingest.scans.surveys import scan_row
from errorkb.ingest.sighting_rows import PLACE as PLACE_OF_SIGHTING
from errorkb.ingest.sighting_rows import Light, insert_light, move_sighting, sighting_of
from errorkb.ingest.standings import sync_standings
from errorkb.ingest.states import WriteContext
from errorkb.ingest.transactions import writing
from errorkb.ingest.walks.walked import KnownSites, Sighted, Thread, WalkedRelease
from errorkb.ingest.wordings import sync_wordings
from errorkb.models import EntryIdentifier, ErrorEntry, Repository, Scan, Sighting
from errorkb.models.chunks import in_chunks
from errorkb.scanning.sites import ThrowSite

BATCH = 200


def store_releases(
    repository: Repository, releases: Sequence[WalkedRelease], known: KnownSites, context: WriteContext
) -> list[Outcome]:
    """Store releases, those of later versions first; return the documents that were refused."""
    storing = _Storing(repository, releases, known, context)
    with writing():
        storing.store()
    return storing.refused


@dataclass
class _Rows:
    """The sightings of one release on their way; `moved` are whole ones of older releases that go along."""

    whole: list[Sighting] = field(default_factory=list)
    moved: list[Sighting] = field(default_factory=list)
    light: list[Light] = field(default_factory=list)


class _Storing:
    def __init__(
        self, repository: Repository, releases: Sequence[WalkedRelease], known: KnownSites, context: WriteContext
    ) -> None:
        self.repository = repository
        self.releases = releases
        self.known = known
        self.context = context
        self.now: datetime = context.clock()
        self.refused: list[Outcome] = []
        self.scans: list[Scan] = []
        self.changed: set[int] = set()
        self.newest: dict[Thread, tuple[Sighted, WalkedRelease, Scan]] = {}

    def store(self) -> None:
        self._store_scans()
        self._find_newest()
        self._write_documents()
        self._store_sightings()
        self._place_entries()
        sync_removals(self.repository, self.now)
        self._name_after()
        touched = {one.thread.pk for release in self.releases for one in release.sighted if one.thread.pk}
        sync_wordings(sorted(touched))
        sync_standings(sorted(touched), self.now)
        sync_report_links(sorted(self.changed), self.now, repositories=(self.repository.pk,))
        touch([self.repository.pk], self.now)

    def _store_scans(self) -> None:
        for release in self.releases:
            scan = scan_row(release.found.facts, self.repository, self.now)
            scan.batch = self.context.batch
            scan.counts = {"sites": len(release.sighted), "new": release.new}
            scan.save()
            self.scans.append(scan)
        sync_releases(self.repository)
        ranks = dict(self.repository.scans.values_list("pk", "rank"))
        for scan in self.scans:
            scan.rank = ranks[scan.pk]

    def _find_newest(self) -> None:
        """Note the entries of which no newer release was seen, with the newest of these releases that has each."""
        for release, scan in zip(self.releases, self.scans, strict=True):
            for one in release.sighted:
                order = self._order_of(one.thread)
                if order is None or order < scan.order:
                    self.newest[one.thread] = (one, release, scan)

    def _order_of(self, thread: Thread) -> tuple[int, int] | None:
        return self.newest[thread][2].order if thread in self.newest else thread.newest

    def _write_documents(self) -> None:
        """Make entries for new threads, and let the documents that scans made follow."""
        new = {thread: where for thread, where in self.newest.items() if not thread.pk}
        for chunk in in_chunks(new.items(), BATCH):
            outcomes = self._write([self._prepared(one, release) for _, (one, release, _) in chunk])
            keys = dict(
                ErrorEntry.objects.filter(public_id__in=[outcome.name for outcome in outcomes]).values_list(
                    "public_id", "pk"
                )
            )
            for (thread, _), outcome in zip(chunk, outcomes, strict=True):
                thread.pk = keys.get(outcome.name, 0)
                self.known.threads[thread.pk] = thread
        old = {thread.pk: where for thread, where in self.newest.items() if thread not in new}
        for keys_of_old in in_chunks(old, BATCH):
            owners = ErrorEntry.objects.filter(pk__in=keys_of_old).values_list("pk", "owners")
            followers = [pk for pk, writers_of in owners if is_a_scans(writers_of)]
            self._write([self._prepared(old[pk][0], old[pk][1], row=pk) for pk in followers])

    def _prepared(self, one: Sighted, release: WalkedRelease, *, row: int | None = None) -> Prepared:
        where = f"{release.found.facts.release}:{one.site.path}:{one.site.line}"
        writer = f"{writers.SCAN}:{release.found.facts.repository.lower()}"
        document = release.found.document(one.origin)
        return prepare_entry(document, where=where, writer=writer, row=row, is_new=row is None)

    def _write(self, prepared: list[Prepared]) -> list[Outcome]:
        outcomes = write_entries(prepared, self.context, with_wordings=False) if prepared else []
        self.refused += [outcome for outcome in outcomes if outcome.status is Status.REFUSED]
        return outcomes

    def _store_sightings(self) -> None:
        """Store whole sightings for what is new, and light ones that lean on them or on what is stored."""
        for release, scan in zip(self.releases, self.scans, strict=True):
            rows = _Rows()
            for one in release.sighted:
                if one.thread.pk:
                    self._sight(one, scan, rows)
            update_rows(rows.moved, PLACE_OF_SIGHTING)
            Sighting.objects.bulk_create(rows.whole, batch_size=BATCH)
            insert_light(rows.light)
            self.changed |= {whole.entry_id for whole in rows.whole}

    def _sight(self, one: Sighted, scan: Scan, rows: "_Rows") -> None:
        whole, site = one.content.whole, one.site
        if whole is None:
            whole = one.content.whole = sighting_of(scan, one.thread.pk, site, one.evidence)
            rows.whole.append(whole)
        elif whole.scan.order < scan.order and self._is_newest(one, scan):
            rows.light.append(Light(whole, whole.scan_id, whole.line, whole.end_line, whole.evidence))
            move_sighting(whole, sighting_of(scan, one.thread.pk, site, one.evidence))
            rows.moved.append(whole)
        elif whole.scan_id != scan.pk:
            rows.light.append(Light(whole, scan.pk, site.line, site.end_line, one.evidence))

    def _is_newest(self, one: Sighted, scan: Scan) -> bool:
        return one.thread in self.newest and self.newest[one.thread][2].pk == scan.pk

    def _place_entries(self) -> None:
        wanted = {thread.pk: (thread, one, scan) for thread, (one, _, scan) in self.newest.items() if thread.pk}
        for chunk in in_chunks(wanted, BATCH):
            placed, moved = [], []
            for row in ErrorEntry.objects.filter(pk__in=chunk):
                thread, one, scan = wanted[row.pk]
                thread.newest = scan.order
                place = row.path, row.symbol
                if one.content.whole and place_entry(row, one.content.whole, self.now, is_gone_later=True):
                    placed.append(row)
                    moved += [row] if (row.path, row.symbol) != place else []
            update_rows(placed, PLACE)
            index_places(moved)

    def _name_after(self) -> None:
        """Let the ids that would be minted for sites as they were lead to their entries, unless they have twins."""
        changed = (one for release in self.releases for one in release.sighted if one.evidence and one.thread.pk)
        named = {(one.thread.pk, site.key): site for one in changed if (site := _site_of(one.site))}
        for chunk in in_chunks(named.items(), BATCH):
            keys = {key for (_, key), _ in chunk}
            taken: dict[str, set[int]] = defaultdict(set)
            for key, pk in self.repository.entries.filter(site_key__in=keys).values_list("site_key", "pk"):
                taken[key].add(pk)
            identifiers = [
                EntryIdentifier(value=mint_id(self.repository.name, site, 0), entry_id=pk)
                for (pk, key), site in chunk
                if taken[key] <= {pk}
            ]
            EntryIdentifier.objects.bulk_create(identifiers, ignore_conflicts=True)


def _site_of(site: ThrowSite) -> Site:
    return Site(site.kind, site.exception_type, first_template(site), site.symbol)
