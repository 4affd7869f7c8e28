"""Matching: the index as a database is asked for it: wordings by keys that a text has, entries by frame and type.

What differs between databases is SQL; each has a module with its `Dialect`. What one key may bring is bounded within
the queries, so that a key that everybody has costs no more than another.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper


class KeyRow(NamedTuple):
    """A wording (primary key) and its keys."""

    wording: int
    key: str
    check_key: str


class WordingRow(NamedTuple):
    """A wording and its entry (primary keys), and the beginning of its template."""

    wording: int
    entry: int
    template: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """The queries in one database's SQL. `array` makes of many values the one that goes in for them.

    `known` takes an array; `keyed`, an array and how many rows each value of it may bring; `entries`, an array, how
    many rows of each value are looked at, the repository if there is one, and how many rows it may bring. They are
    about a {column}, and their rows begin with its name. `wordings` takes the length of templates, an array, the
    repository.
    """

    known: str
    keyed: str
    entries: str
    wordings: str
    of_repository: str
    array: Callable[[Iterable[Any]], Any]


@dataclass(frozen=True, slots=True)
class Index:
    """The index of match in one kind of database. Each method is one query, whatever it is asked for."""

    dialect: Dialect

    def known(
        self, connection: BaseDatabaseWrapper, windows: Collection[str], checks: Collection[str]
    ) -> tuple[list[str], list[str]]:
        """Return those of `windows` that are the key of a wording, and those of `checks` that are a check key."""
        rows = self._union(connection, self.dialect.known, {"key": windows, "check_key": checks})
        return [value for _, value in rows["key"]], [value for _, value in rows["check_key"]]

    def keyed(
        self, connection: BaseDatabaseWrapper, keys: Collection[str], checks: Collection[str], most: int
    ) -> tuple[list[KeyRow], list[KeyRow]]:
        """Return wordings by key and by check key, at most `most` of each."""
        rows = self._union(connection, self.dialect.keyed, {"key": keys, "check_key": checks}, most)
        return [KeyRow(*row) for _, *row in rows["key"]], [KeyRow(*row) for _, *row in rows["check_key"]]

    def entries(
        self,
        connection: BaseDatabaseWrapper,
        frames: Collection[str],
        types: Collection[str],
        most: int,
        repository: int | None,
    ) -> tuple[list[int], list[int]]:
        """Return entries (primary keys) by frame key and by type key, `most` of each: those without wordings first."""
        sql = self.dialect.entries.replace("{where}", self._where(repository))
        values = [10 * most, *_given(repository), most]
        rows = self._union(connection, sql, {"frame_key": frames, "type_key": types}, *values)
        return [entry for _, entry in rows["frame_key"]], [entry for _, entry in rows["type_key"]]

    def wordings(
        self, connection: BaseDatabaseWrapper, keys: Collection[int], template: int, repository: int | None
    ) -> list[WordingRow]:
        """Return wordings by primary key, with `template` characters of each; of one repository, if it is given."""
        sql = self.dialect.wordings.replace("{where}", self._where(repository))
        values = [template, self.dialect.array(keys), *_given(repository)]
        return [WordingRow(*row) for row in _rows(connection, sql, values)] if keys else []

    def _where(self, repository: int | None) -> str:
        return self.dialect.of_repository if repository is not None else ""

    def _union(
        self, connection: BaseDatabaseWrapper, sql: str, asked: dict[str, Collection[str]], *values: Any
    ) -> dict[str, list[Any]]:
        """Return the rows of one query for several columns, by column."""
        parts = [sql.replace("{column}", column) for column, some in asked.items() if some]
        each = [value for some in asked.values() if some for value in (self.dialect.array(some), *values)]
        found: dict[str, list[Any]] = {column: [] for column in asked}
        for row in _rows(connection, " UNION ALL ".join(parts), each) if parts else ():
            found[row[0]].append(row)
        return found


def _given(repository: int | None) -> list[int]:
    return [] if repository is None else [repository]


def _rows(connection: BaseDatabaseWrapper, sql: str, values: Sequence[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
