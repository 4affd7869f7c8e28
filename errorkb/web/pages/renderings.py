"""Web pages: HTML made from documents is made once for each content, and kept; keeping it never fails a page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import DatabaseError, connection, transaction
from pydantic import BaseModel, ValidationError

from errorkb.core.rendering import RENDERER_VERSION
from errorkb.models import Rendering

# Raised whenever the fragments of a page change: what older versions have kept is then passed over.
FRAGMENTS_VERSION = 4
VERSION = RENDERER_VERSION * 1_000 + FRAGMENTS_VERSION

F = TypeVar("F", bound=BaseModel)


def kept_or_made(content_hash: str, model: type[F], make: Callable[[], F]) -> F:
    """Return the fragments kept for a content, else those that `make` returns, which are then kept."""
    row = Rendering.objects.filter(content_hash=content_hash, version=VERSION).first()
    if row:
        try:
            return model.model_validate(row.fragments)
        except ValidationError:
            return make()
    made = make()
    _keep(Rendering(content_hash=content_hash, version=VERSION, fragments=made.model_dump(mode="json")))
    return made


def _keep(rendering: Rendering) -> None:
    """Write the row, unless somebody else is writing: a reader does not wait for a load to end."""
    try:
        with connection.cursor() as cursor, without_waiting(cursor), transaction.atomic():
            Rendering.objects.bulk_create([rendering], ignore_conflicts=True)
    except DatabaseError:
        return


@contextmanager
def without_waiting(cursor: Any) -> Iterator[None]:
    """Make SQLite say at once that it is busy; PostgreSQL's writers do not wait for one another here."""
    if connection.vendor != "sqlite":
        yield
        return
    usual = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
    cursor.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {int(usual)}")
