"""Ingest: one writer of documents at a time, on every database: what it has looked up stays true while it writes."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

# Any number will do that no other program uses on the same base: "errorkb" in ASCII.
_LOCK = 0x6572726F726B62


# Pages of SQLite's log before it is carried over into the base: each page that was written again and again is then
# carried over once. 80 MB.
_CHECKPOINT_OF_MANY = 20_000
_CHECKPOINT = 1_000


@contextmanager
def writing_much() -> Iterator[None]:
    """Let a run of many transactions tidy up behind itself less often. Readers see each of them all the same.

    https://www.sqlite.org/pragma.html#pragma_wal_autocheckpoint
    """
    _tidy_after(_CHECKPOINT_OF_MANY)
    try:
        yield
    finally:
        _tidy_after(_CHECKPOINT)


def _tidy_after(pages: int) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA wal_autocheckpoint={pages:d}")


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction, or a savepoint within one, in which nobody else writes documents; readers never wait.

    SQLite has one writer at a time by itself. On PostgreSQL an advisory lock lasts to the transaction's end, see
    https://www.postgresql.org/docs/15/explicit-locking.html#ADVISORY-LOCKS. Raises OperationalError after the wait
    that errorkb.settings allows.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        yield
