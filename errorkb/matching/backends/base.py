"""Matching: the index as a database is asked for it: wordings by keys that a text has, entries by frame and type.

What differs between databases is SQL; each has a module with its `Dialect`. What one key may bring is bounded within
the queries, so that a key that everybody has costs no more than another.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper

# Wordings (primary keys, as texts, for few of very many are wanted), and the other key of each.
KeyedWordings = tuple[list[str], list[str]]
# By key, the wordings that have it.
Keyed = dict[str, KeyedWordings]
# Keys that are asked for, and how many rows each of them may bring.
Asked = tuple[Collection[str], int]


# Where only some of the rows of a key are wanted, so many times as many are looked at.
_SEEN = 5


class Part(NamedTuple):
    """A query, or a part of one, and the values that go in."""

    sql: str
    values: list[Any]


class WordingRow(NamedTuple):
    """A wording and its entry (primary keys), the beginning of its template, and whether the newest release has it."""

    wording: int
    entry: int
    template: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Dialect:
    """The queries in one database's SQL. `array` makes of many values the one that goes in for them.

    `keyed` and `entries` are about a {column} and begin their rows with its name. `keyed` takes how many wordings a
    value may bring, and an array; it has one row for each value that is known, with its wordings as one text: their
    primary keys, with commas between, a space, and in the same way their {other} keys. `entries` takes an array, how
    many rows of a value are looked at, and how many it may bring; `wordings`, how long templates may be, and an array;
    `sites`, an array. `of_repository` is the condition that goes in at {where}, and takes a primary key. `quoted` takes
    an array of keys, and how many rows it may bring.
    """

    keyed: str
    entries: str
    wordings: str
    sites: str
    of_repository: str
    quoted: str
    array: Callable[[Iterable[Any]], Any]


@dataclass(frozen=True, slots=True)
class Index:
    """The index of match in one kind of database. Each method is one query, whatever it is asked for."""

    dialect: Dialect

    def keyed(self, connection: BaseDatabaseWrapper, keys: Asked, check_keys: Asked) -> tuple[Keyed, Keyed]:
        """Return wordings by key and by check key; keys in order, which takes a database half as long as in none."""
        parts = (self._keyed("key", "check_key", keys), self._keyed("check_key", "key", check_keys))
        rows = _union(connection, parts)
        by_key = {key: _wordings(text) for column, key, text in rows if column == "key"}
        return by_key, {key: _wordings(text) for column, key, text in rows if column != "key"}

    def entries(
        self, connection: BaseDatabaseWrapper, frames: Asked, types: Asked, repository: int | None
    ) -> tuple[list[int], list[int]]:
        """Return entries (primary keys) by frame key and by type key; of too many, those without wordings."""
        parts = (self._entries("frame_key", frames, repository), self._entries("type_key", types, repository))
        rows = _union(connection, parts)
        by_frame = [entry for column, entry in rows if column == "frame_key"]
        return by_frame, [entry for column, entry in rows if column != "frame_key"]

    def wordings(
        self, connection: BaseDatabaseWrapper, keys: Collection[int], template: int, repository: int | None
    ) -> list[WordingRow]:
        """Return wordings by primary key, with `template` characters of each; of one repository, if it is given."""
        if not keys:
            return []
        sql = self.dialect.wordings.replace("{where}", self._where(repository))
        rows = _union(connection, [Part(sql, [template, self.dialect.array(keys), *_given(repository)])])
        return list(map(partial(tuple.__new__, WordingRow), rows))

    def quoted(self, connection: BaseDatabaseWrapper, keys: Collection[str], most: int) -> list[int]:
        """Return the messages that reports quote as fixed (primary keys) by key."""
        rows = _union(connection, [Part(self.dialect.quoted, [self.dialect.array(keys), most])]) if keys else []
        return [quote for (quote,) in rows]

    def sites(self, connection: BaseDatabaseWrapper, keys: Collection[int]) -> list[Any]:
        """Return of public entries, by primary key, what `matching.sites.Site` has."""
        return _union(connection, [Part(self.dialect.sites, [self.dialect.array(keys)])]) if keys else []

    def _keyed(self, column: str, other: str, asked: Asked) -> Part | None:
        keys, most = asked
        sql = self.dialect.keyed.replace("{column}", column).replace("{other}", other)
        return Part(sql, [most, self.dialect.array(sorted(keys))]) if keys else None

    def _entries(self, column: str, asked: Asked, repository: int | None) -> Part | None:
        keys, most = asked
        sql = self.dialect.entries.replace("{column}", column).replace("{where}", self._where(repository))
        return Part(sql, [self.dialect.array(keys), _SEEN * most, *_given(repository), most]) if keys else None

    def _where(self, repository: int | None) -> str:
        return self.dialect.of_repository if repository is not None else ""


def _union(connection: BaseDatabaseWrapper, parts: Iterable[Part | None]) -> list[Any]:
    """Return the rows of all parts, in one query."""
    asked = [part for part in parts if part]
    if not asked:
        return []
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(sql for sql, _ in asked), [value for _, values in asked for value in values])
        return list(cursor.fetchall())


def _wordings(text: str) -> KeyedWordings:
    """Return wordings and keys from the text that the query has for them."""
    wordings, _, keys = text.partition(" ")
    return wordings.split(","), keys.split(",")


def _given(repository: int | None) -> list[int]:
    return [] if repository is None else [repository]
