"""Ingest: since which release entries are gone: the first that was scanned after the last one that has them."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from errorkb.ingest.bulk_updates import update_rows
from errorkb.models import ErrorEntry, Repository, Scan
from errorkb.models.chunks import in_chunks


def sync_removals(repository: Repository, now: datetime) -> int:
    """Make `gone_in` and `removed` of a repository's entries follow from its scans; return how many changed.

    An entry is gone in the first later release of which what was read holds its place, and that lacks it.
    """
    scans = sorted((scan for scan in repository.scans.all() if scan.is_whole), key=lambda scan: scan.order)
    later = {scan.pk: _later(scan, scans[n + 1 :]) for n, scan in enumerate(scans)}
    columns = ("pk", "path", "newest__scan", "gone_in")
    changed = {}
    for pk, path, scan, gone_in in repository.entries.filter(newest__isnull=False).values_list(*columns):
        since = next((other.label for other in later.get(scan, ()) if path.startswith(other.path_prefix)), "")
        if since != gone_in:
            changed[pk] = since
    for chunk in in_chunks(changed):
        _store(ErrorEntry.objects.filter(pk__in=chunk), changed, now)
    return len(changed)


def _later(scan: Scan, others: Sequence[Scan]) -> list[Scan]:
    """Return the scans of later releases that looked for all that one has seen, the first one first."""
    return [
        other for other in others if set(scan.languages) <= set(other.languages) and other.package in ("", scan.package)
    ]


def _store(rows: Iterable[ErrorEntry], since: dict[int, str], now: datetime) -> None:
    entries = list(rows)
    for row in entries:
        row.gone_in = since[row.pk]
        row.removed = bool(row.gone_in or (row.as_document().get("releases") or {}).get("removed"))
        row.modified_at = now
    update_rows(entries, ("gone_in", "removed", "modified_at"))
