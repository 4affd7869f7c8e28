"""Models: SQL that is asked again and again in the same words: PostgreSQL need not plan it each time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def plans_kept(connection: Any) -> Iterator[None]:
    """Let PostgreSQL keep the plan of each query that is asked within, for the next one of the same words.

    It is a plan for whatever values come (`plan_cache_mode` in the settings): to make one takes longer than most of our
    queries. SQLite has nothing to keep, nor has PostgreSQL where a pooler gives each transaction to another server
    process, as is stated by what Django needs to know of that. `connection` is one of Django's.
    """
    if connection.vendor != "postgresql" or connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS"):
        yield
        return
    connection.ensure_connection()
    asked = connection.connection
    before = asked.cursor_factory, asked.prepare_threshold
    asked.cursor_factory, asked.prepare_threshold = connection.Database.Cursor, 0
    try:
        yield
    finally:
        asked.cursor_factory, asked.prepare_threshold = before
