"""Search: rows as candidates are made of them: narrow, as the database has them, by SQL that is kept if it can be."""

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Coalesce, Concat, Substr

from errorkb.models import SearchRow
from errorkb.search.backends import Match, backend_of
from errorkb.search.filters import PUBLIC_ROWS
from errorkb.search.ranking import HEADING_LENGTH

# Of each token column, so much is read for ranking.
RANKED_LENGTH = 2000
TITLE_LENGTH = 8000
LIKENESS_LENGTH = 8000

Row = tuple[Any, ...]

_HEADING = Coalesce("entry__message_key", Substr("pull_request__title", 1, HEADING_LENGTH))
_TEXTS: Row = (
    _HEADING,
    F("entry__exception_type"),
    Substr("title", 1, TITLE_LENGTH),
    Substr("names", 1, RANKED_LENGTH),
)
_NOTHING = Value("")
_OTHER = Concat(Substr("parts", 1, LIKENESS_LENGTH), Value(" "), Substr("prose", 1, LIKENESS_LENGTH))
_STANDING = ("entry__reviewed", "entry__explained", "entry__removed")


class Kind(Enum):
    """What is read of a row, beside its primary key: nothing, what ranking needs, or its other tokens as well."""

    KEYS = ()
    RANKED = (*_TEXTS, _NOTHING, *_STANDING)
    WITH_OTHER = (*_TEXTS, _OTHER, *_STANDING)


class _Statement(NamedTuple):
    """SQL and the values that go in, the match's expression at the place `at`."""

    sql: str
    values: Row
    at: int


def read_rows(rows: QuerySet[SearchRow], match: Match, most: int, kind: Kind) -> Sequence[Row]:
    """Return the first of `rows`, by their keys, that match: each its key and the columns of a kind; one query."""
    if rows is PUBLIC_ROWS and any(match.any_of):
        sql, values, at = _kept(rows.db, most, kind)
        expression = backend_of(connections[rows.db]).expression(match)
        return _fetched(rows.db, sql, (*values[:at], expression, *values[at + 1 :]))
    try:
        return _fetched(rows.db, *_compiled(rows, match, most, kind))
    except EmptyResultSet:
        return []


@lru_cache(maxsize=32)
def _kept(db: str, most: int, kind: Kind) -> _Statement:
    """Return the SQL for public rows: to make it takes longer than most searches take otherwise."""
    any_match = Match((("any",),))
    sql, values = _compiled(PUBLIC_ROWS, any_match, most, kind)
    return _Statement(sql, values, values.index(backend_of(connections[db]).expression(any_match)))


def _compiled(rows: QuerySet[SearchRow], match: Match, most: int, kind: Kind) -> tuple[str, Row]:
    matching = backend_of(connections[rows.db]).matching(rows, match)
    if not match.any_of:
        matching = matching.order_by("pk")
    sql, values = matching.values_list("pk", *kind.value)[:most].query.get_compiler(rows.db).as_sql()
    return sql, tuple(values)


def _fetched(db: str, sql: str, values: Row) -> Sequence[Row]:
    """Return rows as the database has them: to convert a thousand takes as long as to read them."""
    with connections[db].cursor() as cursor:
        cursor.execute(sql, values)
        rows: Sequence[Row] = cursor.fetchall()
        return rows
