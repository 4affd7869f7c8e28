"""Search: rows as candidates are made of them: narrow, as the database has them, by SQL that is kept if it can be."""

from collections.abc import Collection, Sequence
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import BooleanField, ExpressionWrapper, F, QuerySet, Value
from django.db.models.functions import Coalesce, Concat, Substr

from errorkb.models import SearchRow
from errorkb.models.kept_plans import plans_kept
from errorkb.models.lookups import among
from errorkb.search.backends import COLUMNS, Match, Tokens, backend_of
from errorkb.search.filters import IS_PUBLIC, PUBLIC_ROWS
from errorkb.search.ranking import HEADING_LENGTH

# Of each token column, so much is read for ranking.
RANKED_LENGTH = 2000
TITLE_LENGTH = 8000
LIKENESS_LENGTH = 8000

Row = tuple[Any, ...]
Groups = tuple[Tokens, ...]


class _Beginning(Substr):
    """The first so many characters of a text column.

    PostgreSQL counts characters one by one to cut: so it is asked to only where there are more bytes than that.
    """

    def __init__(self, column: str, most: int) -> None:
        super().__init__(column, 1, most)
        self.most = most

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, Row]:
        column, _ = compiler.compile(self.source_expressions[0])
        cut, values = self.as_sql(compiler, connection, **extra)
        return f"CASE WHEN octet_length({column}) <= {self.most:d} THEN {column} ELSE {cut} END", tuple(values)


_HEADING = Coalesce("entry__message_key", Substr("pull_request__title", 1, HEADING_LENGTH))
_TEXTS: Row = (
    _HEADING,
    F("entry__exception_type"),
    _Beginning("title", TITLE_LENGTH),
    _Beginning("names", RANKED_LENGTH),
)
_NOTHING = Value("")
_OTHER = Concat(_Beginning("parts", LIKENESS_LENGTH), Value(" "), _Beginning("prose", LIKENESS_LENGTH))
_STANDING = ("entry__reviewed", "entry__explained", "entry__removed")


class Kind(Enum):
    """What is read of a row, beside its primary key: nothing, what ranking needs, or its other tokens as well.

    `own`: the columns of its table from which that is made.
    """

    KEYS = ((), ("id", "entry_id", "pull_request_id"))
    RANKED = ((*_TEXTS, _NOTHING, *_STANDING), ("id", "title", "names", "entry_id", "pull_request_id"))
    WITH_OTHER = ((*_TEXTS, _OTHER, *_STANDING), ("id", *COLUMNS, "entry_id", "pull_request_id"))

    def __init__(self, columns: Row, own: tuple[str, ...]) -> None:
        self.columns = columns
        self.own = own


# Where nothing is read of entries, the hidden ones are looked for, which are few: to look up each entry takes longer
# than to find the rows. Put in two halves, the condition has an index.
_KEYS = """
SELECT found.id, hidden.id IS NULL FROM {} AS found LEFT JOIN errorkb_errorentry AS hidden
ON hidden.id = found.entry_id AND (hidden.state < 'published' OR hidden.state > 'published')
"""


class _Statement(NamedTuple):
    """SQL and the values that go in, `stand_in` among them for a match or for keys."""

    sql: str
    values: Row
    stand_in: Any

    def rows(self, db: str, wanted: Any) -> Sequence[Row]:
        values = tuple(wanted if value == self.stand_in else value for value in self.values)
        with plans_kept(connections[db]):
            return _fetched(db, self.sql, values)


_ANY_MATCH = Match((("any",),))
_ANY_KEY = 0


def read_rows(rows: QuerySet[SearchRow], match: Match, most: int, kind: Kind) -> Sequence[Row]:
    """Return the first of `rows`, by their keys, that match: each its key and the columns of a kind.

    One query; two in a base with hidden rows, where the database cannot stop at the limit.
    """
    if rows is PUBLIC_ROWS and any(match.any_of):
        backend = backend_of(connections[rows.db])
        wanted = backend.expression(match)
        if not backend.stops_at_limit:
            first = _cut_first(rows.db, most, kind).rows(rows.db, wanted)
            public = sorted(row[:-1] for row in first if row[-1])
            if len(first) < most or len(public) == most:
                return public
        return _kept(rows.db, most, kind).rows(rows.db, wanted)
    try:
        return _fetched(rows.db, *_compiled(rows, match, most, kind))
    except EmptyResultSet:
        return []


def read_rows_of(rows: QuerySet[SearchRow], column: str, keys: Collection[int], none_of: Groups) -> Sequence[Row]:
    """Return those of `rows` that have one of `keys` in a column, `pk` or `entry__pk`, as ranking needs them."""
    if rows is not PUBLIC_ROWS or none_of:
        wanted = rows.filter(**{f"{column}__among": keys})
        return read_rows(wanted, Match((), none_of), len(keys), Kind.RANKED)
    return sorted(_with_keys(rows.db, column).rows(rows.db, among(column, keys, connections[rows.db])[1]))


@lru_cache(maxsize=4)
def _with_keys(db: str, column: str) -> _Statement:
    rows = PUBLIC_ROWS.filter(**{f"{column}__among": [_ANY_KEY]}).values_list("pk", *Kind.RANKED.columns)
    sql, values = rows.query.get_compiler(db).as_sql()
    return _Statement(sql, values, among(column, [_ANY_KEY], connections[db])[1])


@lru_cache(maxsize=32)
def _kept(db: str, most: int, kind: Kind) -> _Statement:
    """Return the SQL for public rows: to make it takes longer than most searches take otherwise."""
    sql, values = _compiled(PUBLIC_ROWS, _ANY_MATCH, most, kind)
    return _Statement(sql, values, backend_of(connections[db]).expression(_ANY_MATCH))


@lru_cache(maxsize=32)
def _cut_first(db: str, most: int, kind: Kind) -> _Statement:
    """Return SQL for the first rows, public or not, in no order, with a column that says whether they are.

    What is read of an entry is read of these alone, and not of all that match; and of the parts of the table, none is
    asked behind the one that has the last of them.
    """
    backend = backend_of(connections[db])
    parts = [part.values_list(*kind.own)[:most] for part in backend.in_parts(SearchRow.objects.all(), _ANY_MATCH)]
    parts_sql, parts_values = zip(*(part.query.get_compiler(db).as_sql() for part in parts), strict=True)
    first = f"({' UNION ALL '.join(f'({part})' for part in parts_sql)} LIMIT {most:d})"
    if kind is Kind.KEYS:
        return _Statement(_KEYS.format(first), tuple(chain(*parts_values)), backend.expression(_ANY_MATCH))
    table = SearchRow._meta.db_table
    rows = SearchRow.objects.annotate(is_public=ExpressionWrapper(IS_PUBLIC, BooleanField()))
    sql, values = rows.values_list("pk", *kind.columns, "is_public").query.get_compiler(db).as_sql()
    before, after = sql.split(f'FROM "{table}"')
    place = before.count("%s")
    sql = f'{before}FROM {first} AS "{table}"{after}'
    return _Statement(sql, (*values[:place], *chain(*parts_values), *values[place:]), backend.expression(_ANY_MATCH))


def _compiled(rows: QuerySet[SearchRow], match: Match, most: int, kind: Kind) -> tuple[str, Row]:
    matching = backend_of(connections[rows.db]).matching(rows, match)
    if not match.any_of:
        matching = matching.order_by("pk")
    sql, values = matching.values_list("pk", *kind.columns)[:most].query.get_compiler(rows.db).as_sql()
    return sql, tuple(values)


def _fetched(db: str, sql: str, values: Row) -> Sequence[Row]:
    """Return rows as the database has them: to convert a thousand takes as long as to read them."""
    with connections[db].cursor() as cursor:
        cursor.execute(sql, values)
        rows: Sequence[Row] = cursor.fetchall()
        return rows
