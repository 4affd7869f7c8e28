"""Ingest: what scans saw of an entry, those of the newest releases first."""

from functools import cmp_to_key

from errorkb.ingest.scan_order import is_newer
from errorkb.models import ErrorEntry, Sighting

# So many sightings, those stored last, are put in order; nobody reads the releases of ten years on one page.
MOST_READ = 100

_UNREAD = ("conditions", "signature", "snippet", "scan__counts", "scan__languages")


def newest_sightings(entry: ErrorEntry) -> list[Sighting]:
    """Return an entry's sightings with their scans, newest release first, MOST_READ at most.

    It takes one query if the entry was loaded with its repository. Conditions, signature and snippet stay in the
    database.
    """
    rows = list(entry.sightings.select_related("scan").defer(*_UNREAD)[:MOST_READ])
    if len(rows) < 2:
        return rows
    tag_format = entry.repository.tag_format

    def order(one: Sighting, other: Sighting) -> int:
        return is_newer(other.scan, one.scan, tag_format) - is_newer(one.scan, other.scan, tag_format)

    return sorted(rows, key=cmp_to_key(order))
