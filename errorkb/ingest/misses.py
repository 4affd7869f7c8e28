"""Ingest: unknown errors that readers tell the curators of: masked, counted, and bounded against floods."""

import hashlib
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import transaction
from django.db.models import F

from errorkb.core.masking import MaskedError
from errorkb.models import Miss

# Curators read a list of hundreds; nobody is helped by a million rows that somebody's script has sent.
MAX_MISSES = 10_000
MAX_NEW_AN_HOUR = 200
# The same error told twice within this time counts once.
PAUSE = timedelta(seconds=30)


class Told(StrEnum):
    """What became of a miss that somebody told."""

    STORED = "stored"
    COUNTED = "counted"
    ENOUGH = "enough"
    NOTHING = "nothing"


def record_miss(error: MaskedError, *, now: datetime) -> Told:
    """Store an unknown error, or count it once more where it is known to the curators.

    A curator who has dealt with it hears of it again. Returns ENOUGH where there are too many new ones to be stored,
    NOTHING where the masks have left nothing to store.
    """
    if not error.says_something:
        return Told.NOTHING
    digest = miss_digest(error)
    with transaction.atomic():
        known = Miss.objects.select_for_update().filter(digest=digest)
        if known.exists():
            known.filter(last_at__lte=now - PAUSE).update(count=F("count") + 1, last_at=now, is_done=False)
            return Told.COUNTED
        if not _has_room(now):
            return Told.ENOUGH
        Miss.objects.get_or_create(digest=digest, defaults={**vars(error), "first_at": now, "last_at": now})
        return Told.STORED


def miss_digest(error: MaskedError) -> str:
    """Return what is equal for equal errors: SHA-256 of type, template and place, in hex."""
    parts = (error.exception_type, error.template, error.path, error.symbol)
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()


def _has_room(now: datetime) -> bool:
    lately = Miss.objects.filter(first_at__gt=now - timedelta(hours=1)).count()
    return lately < MAX_NEW_AN_HOUR and Miss.objects.count() < MAX_MISSES
