"""Ingest: many new rows of a table at once, as each database takes them fastest; call within a transaction."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, Field, JSONField, Model

from errorkb.search.backends import SEARCH_TABLE

Row = tuple[Any, ...]
Rows = Sequence[Sequence[Any]]
Convert = Callable[[Any], Any]


def new_keys(model: type[Model], count: int) -> Sequence[int]:
    """Return primary keys for new rows, ascending, which nobody else will be given."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            (last,) = cursor.fetchone() or (0,)
            return range(last + 1, last + 1 + count)
        cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [table, count])
        return [key for (key,) in cursor.fetchall()]


def insert_rows(model: type[Model], columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert rows, each the values of `columns` (attribute names, foreign keys by `_id`) as the model has them.

    Nothing is asked of the rows but what the database itself asks: no defaults, no signals.
    """
    fields = {field.attname: field for field in model._meta.concrete_fields}
    plain = _plain([fields[name] for name in columns], rows)
    _INSERT[connection.vendor](model._meta.db_table, [str(fields[name].column) for name in columns], plain)


def _plain(fields: Sequence["Field[Any, Any]"], rows: Iterable[Row]) -> Rows:
    """Return rows as the database's driver takes them."""
    converts = [(place, convert) for place, field in enumerate(fields) if (convert := _convert(field))]
    return list(_converted(rows, converts) if converts else rows)


def _convert(field: "Field[Any, Any]") -> Convert | None:
    if isinstance(field, JSONField):
        return _encode
    # Rows of one batch have the same few moments.
    return lru_cache(maxsize=16)(connection.ops.adapt_datetimefield_value) if isinstance(field, DateTimeField) else None


def _encode(value: Any) -> str:
    return "{}" if value == {} else _ENCODER.encode(value)


_ENCODER = json.JSONEncoder()


def _converted(rows: Iterable[Row], converts: Sequence[tuple[int, Convert]]) -> Iterator[Sequence[Any]]:
    for row in rows:
        values = list(row)
        for place, convert in converts:
            values[place] = convert(values[place])
        yield values


def _insert(table: str, columns: Sequence[str], rows: Rows) -> None:
    if table == SEARCH_TABLE:
        _insert_at_once(table, columns, rows)
        return
    with connection.cursor() as cursor:
        cursor.executemany(_insertion(table, columns), rows)


def _insert_at_once(table: str, columns: Sequence[str], rows: Rows) -> None:
    """Insert rows into a table of SQLite by one statement.

    At the end of each statement that fires a trigger of its, FTS5 writes what it has gathered into its index: doing so
    for each row takes three times as long.
    """
    names, new = ", ".join(columns), f"new_{table}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMP TABLE {new} AS SELECT {names} FROM {table} WHERE 0")
        cursor.executemany(_insertion(new, columns), rows)
        cursor.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM {new}")
        cursor.execute(f"DROP TABLE {new}")


def _insertion(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"


def _copy(table: str, columns: Sequence[str], rows: Rows) -> None:
    """Copy rows into PostgreSQL: https://www.psycopg.org/psycopg3/docs/basic/copy.html."""
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


_INSERT = {"sqlite": _insert, "postgresql": _copy}
