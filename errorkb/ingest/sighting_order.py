"""Ingest: what scans saw of an entry, those of the newest releases first."""

from errorkb.models import ErrorEntry, Sighting

# Nobody reads the releases of ten years on one page.
MOST_READ = 100

_UNREAD = ("conditions", "signature", "snippet")
_NOWHERE_READ = ("scan__counts", "scan__languages", *_UNREAD, *(f"same_as__{field}" for field in _UNREAD))


def newest_sightings(entry: ErrorEntry) -> list[Sighting]:
    """Return an entry's sightings with their scans, newest release first, MOST_READ at most.

    It takes one query. Conditions, signature and snippet stay in the database.
    """
    rows = Sighting.objects.filter(entry=entry).with_content().select_related("scan").defer(*_NOWHERE_READ)
    return list(rows.order_by("-scan__rank", "-scan")[:MOST_READ])
