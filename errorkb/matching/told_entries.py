"""Matching: the entries that an answer tells of, with their repositories; the rest of their rows stays in the database.

The SQL is written out, for Django takes longer to make it of a queryset than a database to answer it.
"""

from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection, models

from errorkb.models import ErrorEntry, Repository
from errorkb.models.lookups import among


def _fields(model: type[models.Model], names: Collection[str]) -> "list[models.Field[Any, Any]]":
    """Return fields in the order in which `from_db` takes their values."""
    return [field for field in model._meta.concrete_fields if field.name in names]


_ENTRY = _fields(
    ErrorEntry,
    (
        *("id", "public_id", "repository", "kind", "exception_type", "message", "template", "path", "line", "symbol"),
        *("explained", "reviewed", "removed", "stale", "gone_in", "state"),
    ),
)
_REPOSITORY = _fields(Repository, ("id", "name", "key"))
_COLUMNS = ", ".join(
    [*(f"entry.{field.column}" for field in _ENTRY), *(f"repository.{field.column}" for field in _REPOSITORY)]
)
_SQL = f"""
SELECT {_COLUMNS} FROM errorkb_errorentry AS entry
JOIN errorkb_repository AS repository ON repository.id = entry.repository_id
WHERE entry.state = 'published' AND
"""


def load_entries(keys: Collection[int]) -> dict[int, ErrorEntry]:
    """Return the public ones of entries by primary key, with what is told of each and its repository, in one query."""
    if not keys:
        return {}
    condition, wanted = among("entry.id", keys)
    with connection.cursor() as cursor:
        cursor.execute(f"{_SQL} {condition}", [wanted])
        entries = [_entry(row) for row in cursor.fetchall()]
    return {entry.pk: entry for entry in entries}


def _entry(row: Sequence[Any]) -> ErrorEntry:
    entry: ErrorEntry = _made(ErrorEntry, _ENTRY, row[: len(_ENTRY)])
    entry.repository = _made(Repository, _REPOSITORY, row[len(_ENTRY) :])
    return entry


def _made(model: type[models.Model], fields: "Sequence[models.Field[Any, Any]]", values: Sequence[Any]) -> Any:
    read = [field.to_python(value) for field, value in zip(fields, values, strict=True)]
    return model.from_db(connection.alias, [field.attname for field in fields], read)
