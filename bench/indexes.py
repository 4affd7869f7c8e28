"""Bench: the indexes of tables, left out while a base is filled and made again at the end, the full-text one too."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from errorkb.search import schema

# Indexes by name with the statement that makes each; those of constraints stay.
_INDEXES = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = %s",
    "postgresql": """
SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND schemaname = current_schema()
AND indexname NOT IN (SELECT conname FROM pg_constraint)
""",
}
_TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s"


@contextmanager
def indexes_made_last(connection: BaseDatabaseWrapper, models: Sequence[type[Model]]) -> Iterator[None]:
    """Drop the indexes of tables (and SQLite's triggers for the full-text index), and make them when all is written."""
    tables = [model._meta.db_table for model in models]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous = OFF")
            for (name,) in _asked(cursor, _TRIGGERS, tables):
                cursor.execute(f'DROP TRIGGER "{name}"')
        found = _asked(cursor, _INDEXES[connection.vendor], tables)
        for name, _ in found:
            cursor.execute(f'DROP INDEX "{name}"')
    yield
    with connection.cursor() as cursor:
        for _, statement in found:
            cursor.execute(statement)
    schema.install(connection)


def _asked(cursor, question: str, tables: Sequence[str]) -> list[tuple[str, ...]]:
    rows = []
    for table in tables:
        cursor.execute(question, [table])
        rows += cursor.fetchall()
    return rows
