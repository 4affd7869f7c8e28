"""Matching: the index as a database is asked for it: wordings by keys that a text has, entries by frame and type.

What differs between databases is SQL; each has a module with its `Dialect`. All queries bound what one key may bring
within a subquery, so that a key that everybody has costs no more than another.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

# Primary keys of a wording and of its entry, the beginning of its template, its key and check key.
WordingRow = tuple[int, int, str, str, str]
# A frame key or type key, and the primary key of an entry that has it.
EntryRow = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is looked at: rows that one key may bring, rows in all; of which repository (primary key), if of one.

    `rows_seen` of one key are looked at where some of them may not be wanted. `template` is how many characters.
    """

    rows_per_key: int
    rows_seen: int
    rows: int
    template: int
    repository: int | None = None


@dataclass(frozen=True, slots=True)
class Dialect:
    """The queries in one database's SQL; `array` makes of many values the one that goes in for `asked`.

    `known` has a place for {column}; `wordings` and `entries`, for {column} and {where}, take the keys, `rows_seen`,
    what `of_repository` takes where there is one, and `rows_per_key`.
    """

    known: str
    wordings: str
    entries: str
    of_repository: str
    array: Callable[[Iterable[str]], Any]


@dataclass(frozen=True, slots=True)
class Index:
    """The index of match in one kind of database. Each method is one query, whatever it is asked for."""

    dialect: Dialect

    def known(self, connection: BaseDatabaseWrapper, column: str, windows: Iterable[str]) -> set[str]:
        """Return those windows that some wording has in `column`: key or check_key."""
        sql = self.dialect.known.format(column=column)
        return {value for (value,) in _rows(connection, sql, [self.dialect.array(windows)])}

    def wordings(
        self, connection: BaseDatabaseWrapper, keys: Collection[str], check_keys: Collection[str], bounds: Bounds
    ) -> list[WordingRow]:
        """Return wordings that have one of `keys` as key or one of `check_keys` as check key; some may come twice."""
        asked = [(column, values) for column, values in (("key", keys), ("check_key", check_keys)) if values]
        if not asked:
            return []
        parts = [self.dialect.wordings.format(column=column, where=self._where(bounds)) for column, _ in asked]
        values = [value for _, some in asked for value in (bounds.template, *self._values(some, bounds))]
        return _rows(connection, f"{' UNION ALL '.join(parts)} LIMIT %s", [*values, bounds.rows])

    def entries(
        self, connection: BaseDatabaseWrapper, frames: Collection[str], types: Collection[str], bounds: Bounds
    ) -> tuple[list[EntryRow], list[EntryRow]]:
        """Return entries by frame key and entries by type key, of each key those without wordings first."""
        asked = [(column, values) for column, values in (("frame_key", frames), ("type_key", types)) if values]
        if not asked:
            return [], []
        parts = [self.dialect.entries.format(column=column, where=self._where(bounds)) for column, _ in asked]
        values = [value for _, some in asked for value in self._values(some, bounds)]
        rows = _rows(connection, f"{' UNION ALL '.join(parts)} LIMIT %s", [*values, bounds.rows])
        by_frame = [(key, entry) for column, key, entry in rows if column == "frame_key"]
        return by_frame, [(key, entry) for column, key, entry in rows if column == "type_key"]

    def _where(self, bounds: Bounds) -> str:
        return "" if bounds.repository is None else self.dialect.of_repository

    def _values(self, asked: Iterable[str], bounds: Bounds) -> list[Any]:
        repository = [] if bounds.repository is None else [bounds.repository]
        return [self.dialect.array(asked), bounds.rows_seen, *repository, bounds.rows_per_key]


def _rows(connection: BaseDatabaseWrapper, sql: str, values: Sequence[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
