"""Web pages: the kinds of entries: which of them lists show unless somebody asks for others."""

from errorkb.models import ErrorEntry
from errorkb.models.entries import ErrorEntryQuerySet

# Errors end something; warnings and logged messages are many, and are listed on request.
LISTED_KINDS = ("error", "assertion")
KINDS_ON_REQUEST = {"warning": "warning", "log": "logged message"}


def listed_entries() -> ErrorEntryQuerySet:
    """Return the public entries of the kinds that lists show by default."""
    return ErrorEntry.objects.public().filter(kind__in=LISTED_KINDS)
