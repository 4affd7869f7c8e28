"""Search: full text in SQLite: an FTS5 table over the token columns, kept true by triggers.

The index keeps no text of its own (external content) and of a token only in which columns of which rows it is, for
phrases are checked on the original text. See https://www.sqlite.org/fts5.html, sections 4.4.3 and 4.5.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import QuerySet

from errorkb.search.backends.base import COLUMNS, SEARCH_TABLE, Match, Tokens

if TYPE_CHECKING:
    from errorkb.models import SearchRow

INDEX = "errorkb_search"

_COLUMNS = ", ".join(COLUMNS)
_CHANGED = " OR ".join(f"old.{column} IS NOT new.{column}" for column in COLUMNS)
_ADD = f"INSERT INTO {INDEX}(rowid, {_COLUMNS}) VALUES (new.id, {', '.join(f'new.{name}' for name in COLUMNS)});"
_REMOVE = (
    f"INSERT INTO {INDEX}({INDEX}, rowid, {_COLUMNS}) "
    f"VALUES ('delete', old.id, {', '.join(f'old.{name}' for name in COLUMNS)});"
)

# Tokens are separated by spaces, and hold nothing but letters, digits and these joints; beyond ASCII, the ascii
# tokenizer takes everything for a letter. So they reach the index as they were made.
_TABLES = {
    INDEX: (
        f"CREATE VIRTUAL TABLE {INDEX} USING fts5({_COLUMNS}, content='{SEARCH_TABLE}', content_rowid='id', "
        "columnsize=0, detail=column, tokenize=\"ascii tokenchars '_./\\:-'\")"
    )
}
_TRIGGERS = {
    f"{INDEX}_insert": (f"CREATE TRIGGER {INDEX}_insert AFTER INSERT ON {SEARCH_TABLE} BEGIN {_ADD} END"),
    f"{INDEX}_delete": (f"CREATE TRIGGER {INDEX}_delete AFTER DELETE ON {SEARCH_TABLE} BEGIN {_REMOVE} END"),
    f"{INDEX}_update": (
        f"CREATE TRIGGER {INDEX}_update AFTER UPDATE ON {SEARCH_TABLE} WHEN old.id IS NOT new.id OR {_CHANGED} "
        f"BEGIN {_REMOVE} {_ADD} END"
    ),
}
_EXPECTED = _TABLES | _TRIGGERS


class SQLiteBackend:
    """Full-text search on FTS5; implements Backend."""

    stops_at_limit = True

    def install(self, connection: BaseDatabaseWrapper) -> None:
        found = _found(connection)
        wrong = [name for name, statement in _EXPECTED.items() if found.get(name, statement) != statement]
        missing = [name for name in _EXPECTED if name in wrong or name not in found]
        if not missing:
            return
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            for name in wrong:
                cursor.execute(f"DROP {'TABLE' if name in _TABLES else 'TRIGGER'} {name}")
            for name in missing:
                cursor.execute(_EXPECTED[name])
            # Whatever was written while something was missing passed the index by.
            _rebuild(cursor)

    def rebuild(self, connection: BaseDatabaseWrapper) -> None:
        self.install(connection)
        with connection.cursor() as cursor:
            _rebuild(cursor)

    def problems(self, connection: BaseDatabaseWrapper) -> list[str]:
        return [*_schema_problems(connection)] or [*_content_problems(connection)]

    def matching(self, rows: "QuerySet[SearchRow]", match: Match) -> "QuerySet[SearchRow]":
        expression = self.expression(match)
        if not expression:
            return rows
        if not match.any_of:
            passed = f"{SEARCH_TABLE}.id NOT IN (SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH %s)"
            return rows.extra(where=[passed], params=[expression])
        where = [f"{INDEX} MATCH %s", f"{INDEX}.rowid = {SEARCH_TABLE}.id"]
        return rows.extra(tables=[INDEX], where=where, params=[expression])

    def in_parts(self, rows: "QuerySet[SearchRow]", match: Match) -> "Sequence[QuerySet[SearchRow]]":
        return [self.matching(rows, match)]

    def expression(self, match: Match) -> str:
        found = _any(match.any_of, last_is_prefix=match.last_is_prefix)
        unwanted = _any(match.none_of)
        if not found:
            return unwanted
        found = _within(match.columns, found)
        return f"({found}) NOT ({unwanted})" if unwanted else found

    def document_counts(
        self, connection: BaseDatabaseWrapper, tokens: Sequence[str], limit: int, columns: tuple[str, ...] = COLUMNS
    ) -> Sequence[int]:
        count = f"(SELECT count(*) FROM (SELECT 1 FROM {INDEX} WHERE {INDEX} MATCH %s LIMIT {limit:d}))"
        rows = f"(SELECT count(*) FROM (SELECT 1 FROM {SEARCH_TABLE} LIMIT {limit:d}))"
        wanted = [_within(columns, _quoted(token)) for token in tokens]
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {', '.join([count] * len(tokens) + [rows])}", wanted)
            counts: tuple[int, ...] = cursor.fetchone()
            return counts


def _found(connection: BaseDatabaseWrapper) -> dict[str, str]:
    names = ", ".join("%s" for _ in _EXPECTED)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT name, sql FROM sqlite_master WHERE name IN ({names})", [*_EXPECTED])
        return dict(cursor.fetchall())


def _schema_problems(connection: BaseDatabaseWrapper) -> Iterator[str]:
    found = _found(connection)
    for name, statement in _EXPECTED.items():
        kind = "table" if name in _TABLES else "trigger"
        if name not in found:
            yield f"the {kind} {name} is missing"
        elif found[name] != statement:
            yield f"the {kind} {name} is not as expected"


def _content_problems(connection: BaseDatabaseWrapper) -> Iterator[str]:
    try:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {INDEX}({INDEX}, rank) VALUES ('integrity-check', 1)")
    except DatabaseError as error:
        yield f"the index {INDEX} does not agree with the search rows ({error})"


def _rebuild(cursor: CursorWrapper) -> None:
    cursor.execute(f"INSERT INTO {INDEX}({INDEX}) VALUES ('rebuild')")


def _within(columns: tuple[str, ...], expression: str) -> str:
    return expression if columns == COLUMNS else f"{{{' '.join(columns)}}} : ({expression})"


def _any(groups: tuple[Tokens, ...], *, last_is_prefix: bool = False) -> str:
    return " OR ".join(_all(group, "*" * last_is_prefix) for group in groups if group)


def _all(tokens: Tokens, ending: str = "") -> str:
    return f"({' AND '.join(map(_quoted, tokens))}{ending})"


def _quoted(token: str) -> str:
    """Return a token as an FTS5 string, in which nothing but the quotation mark has a meaning."""
    return '"' + token.replace('"', '""') + '"'
