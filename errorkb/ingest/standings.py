"""Ingest: which entries are stale: the code around their sites has changed since their words were written.

It follows from documents and sightings. Every write of either calls `sync_standings` in its own transaction.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Q

from errorkb.ingest.bulk_updates import update_rows
from errorkb.ingest.releases import is_before
from errorkb.models import ErrorEntry, Scan, Sighting
from errorkb.models.chunks import in_chunks
from errorkb.models.written_code import WordsPin, code_changes_of, needs_sightings, words_pin

# Documents may have eight megabytes: so many are in memory at a time.
CHUNK = 200


def sync_standings(entries: Iterable[int], now: datetime | None = None) -> int:
    """Make `stale` of entries, given by primary key, follow from documents and sightings; return how many changed.

    They count as changed at `now`, where that is given. The number of queries grows by chunks only; entries that
    nobody has explained are not read.
    """
    return sum(_sync(chunk, now) for chunk in in_chunks(entries, CHUNK))


def stray_standings(entries: Sequence[int]) -> set[int]:
    """Return those of the entries whose stored standing does not follow."""
    return {row.pk for row in _changed(entries)}


def _sync(entries: Sequence[int], now: datetime | None) -> int:
    changed = _changed(entries)
    for row in changed:
        row.stale, row.modified_at = not row.stale, now or row.modified_at
    update_rows(changed, ("stale", "modified_at"))
    return len(changed)


def _changed(entries: Sequence[int]) -> list[ErrorEntry]:
    """Return the entries whose standing is not what is stored, as they are stored."""
    wanted = Q(stale=True) | Q(explained=True, newest__isnull=False)
    rows = list(ErrorEntry.objects.filter(wanted, pk__in=entries).select_related("repository", "newest__scan"))
    if not rows:
        return []
    scans, sightings = _scans(rows), _sightings(rows)
    return [row for row in rows if row.stale != _is_stale(row, scans[row.repository_id], sightings.get(row.pk, []))]


def _scans(rows: Sequence[ErrorEntry]) -> dict[int, list[Scan]]:
    found: dict[int, list[Scan]] = defaultdict(list)
    for scan in Scan.objects.filter(repository__in={row.repository_id for row in rows}):
        found[scan.repository_id].append(scan)
    return found


def _sightings(rows: Sequence[ErrorEntry]) -> dict[int, list[Sighting]]:
    """Return the sightings of the entries that neither their documents nor the loader have code of."""
    found: dict[int, list[Sighting]] = defaultdict(list)
    wanted = [row.pk for row in rows if needs_sightings(row, row.as_document())]
    for sighting in Sighting.objects.filter(entry__in=wanted).with_content().select_related("scan") if wanted else ():
        found[sighting.entry_id].append(sighting)
    return found


def _is_stale(row: ErrorEntry, scans: Sequence[Scan], sightings: Sequence[Sighting]) -> bool:
    if row.newest is None or not row.explained:
        return False
    document = row.as_document()
    if _was_scanned_before(row.newest.scan, words_pin(document), scans, row.repository.tag_format):
        return False
    return code_changes_of(row, document, sightings) is not None


def _was_scanned_before(newest: Scan, pin: WordsPin, scans: Sequence[Scan], tag_format: str) -> bool:
    """Say whether the words are known to be about a later release than the newest sighting."""
    later = (scan for scan in scans if pin.is_of(scan) and scan.order > newest.order)
    return is_before(newest, pin.release, tag_format) or any(later)
