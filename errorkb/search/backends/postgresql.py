"""Search: full text in PostgreSQL: a tsvector beside the token columns, made from them by the database itself, in GIN.

The column is a generated one: nothing that writes a row can pass it by. Its lexemes are our tokens as they are; those
of the columns that are asked for by themselves stand there twice, once with the column's sign before them, so that the
index alone tells in which column a token is. GIN gives all rows at once and cannot be asked for the first ones: so each
range of primary keys has an index of its own (`key_ranges`).
See https://www.postgresql.org/docs/15/ddl-generated-columns.html and
https://www.postgresql.org/docs/15/gin.html; errorkb.search.row_tokens keeps rows within the 1 MiB of a tsvector.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from django.db import NotSupportedError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import F, QuerySet

from errorkb.search.backends.base import COLUMNS, SEARCH_TABLE, Match, Tokens
from errorkb.search.backends.key_ranges import KEY_RANGES

if TYPE_CHECKING:
    from errorkb.models import SearchRow

FUNCTION = "errorkb_search_tokens"
COLUMN = "tokens"
INDEX = "errorkb_search"

# No token holds one of these, nor what separates templates and their parts in a title.
_SIGNS = {"title": "=", "names": "@"}
_WORDS_OF_TITLE = "translate(title, '|,', '')"
_BODY = f"""
    SELECT array_to_tsvector(array_remove(array_remove(array_remove(string_to_array(
        {_WORDS_OF_TITLE} || ' ' || names || ' ' || parts || ' ' || prose
        || ' =' || replace({_WORDS_OF_TITLE}, ' ', ' =') || ' @' || replace(names, ' ', ' @'),
    ' '), ''), '='), '@'))
"""
_MADE = f"{FUNCTION}({', '.join(COLUMNS)})"

_INDEXES = {f"{INDEX}_{one.start}" if one.start else INDEX: one for one in KEY_RANGES}
_KEY = f"{SEARCH_TABLE}.id"

# What there has to be, the column made of the function, the indexes of the column: its definition as the catalogue has
# it, its statements.
_EXPECTED = {
    FUNCTION: _BODY,
    COLUMN: _MADE,
    **{name: f"gin ({COLUMN}) WHERE {one.condition('id')}" for name, one in _INDEXES.items()},
}
_KINDS = {FUNCTION: "function", COLUMN: "column", **dict.fromkeys(_INDEXES, "index")}
_CREATE = {
    FUNCTION: f"CREATE FUNCTION {FUNCTION}({', '.join(f'{name} text' for name in COLUMNS)}) "
    f"RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body${_BODY}$body$",
    COLUMN: f"ALTER TABLE {SEARCH_TABLE} ADD COLUMN {COLUMN} tsvector GENERATED ALWAYS AS ({_MADE}) STORED",
    **{name: f"CREATE INDEX {name} ON {SEARCH_TABLE} USING {_EXPECTED[name]}" for name in _INDEXES},
}
_DROP = {
    FUNCTION: f"DROP FUNCTION IF EXISTS {FUNCTION}",
    COLUMN: f"ALTER TABLE {SEARCH_TABLE} DROP COLUMN IF EXISTS {COLUMN}",
    **{name: f"DROP INDEX IF EXISTS {name}" for name in _INDEXES},
}
# Sorting what an index is made of on disk takes longer.
_MEMORY = "SET LOCAL maintenance_work_mem = '256MB'"
_FIND = f"""
    SELECT proname, prosrc FROM pg_proc WHERE proname = '{FUNCTION}' AND pg_function_is_visible(oid)
    UNION ALL
    SELECT attname, pg_get_expr(adbin, adrelid) FROM pg_attribute
    JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = '{SEARCH_TABLE}'::regclass AND attname = '{COLUMN}' AND attgenerated = 's'
    UNION ALL
    SELECT relname, substring(pg_get_indexdef(indexrelid) FROM 'USING (.*)') FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = '{SEARCH_TABLE}'::regclass AND relname = ANY(%s) AND indisvalid
"""
_IS_ORDERED = "SELECT 'B' < 'a' AND 'a_' < 'aa'"
_ORDER = "this base does not order texts by their code points: make it with the locale C (docs/postgresql.md)"
_STRAY = f"{COLUMN} IS DISTINCT FROM {_MADE}"
# Rows that hold what a tsquery asks for. The planner takes an index for a range that it is told of: so it is told all.
_HOLDING = f"{SEARCH_TABLE}.{COLUMN} @@ %s::tsquery AND {{}}"
HOLDING_ANYWHERE = _HOLDING.format(f"({' OR '.join(one.condition(_KEY) for one in KEY_RANGES)})")


class PostgreSQLBackend:
    """Full-text search on a GIN index; implements Backend."""

    stops_at_limit = False

    def install(self, connection: BaseDatabaseWrapper) -> None:
        if not _is_ordered(connection):
            raise NotSupportedError(_ORDER)
        found = _found(connection)
        wrong = [name for name, definition in _EXPECTED.items() if found.get(name) != definition]
        if not wrong:
            return
        made_anew = wrong if set(wrong) <= set(_INDEXES) else [*_EXPECTED][[*_EXPECTED].index(wrong[0]) :]
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(_MEMORY)
            for name in reversed(made_anew):
                cursor.execute(_DROP[name])
            for name in made_anew:
                cursor.execute(_CREATE[name])

    def rebuild(self, connection: BaseDatabaseWrapper) -> None:
        self.install(connection)
        way = "" if connection.in_atomic_block else "CONCURRENTLY "
        with connection.cursor() as cursor:
            # An update of a column makes what is generated from it anew.
            cursor.execute(f"UPDATE {SEARCH_TABLE} SET title = title WHERE {_STRAY}")
            for name in _INDEXES:
                cursor.execute(f"REINDEX INDEX {way}{name}")
            cursor.execute(f"ANALYZE {SEARCH_TABLE}")

    def problems(self, connection: BaseDatabaseWrapper) -> list[str]:
        order = [] if _is_ordered(connection) else [_ORDER]
        if problems := [*order, *_schema_problems(_found(connection))]:
            return problems
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {SEARCH_TABLE} WHERE {_STRAY}")
            (strays,) = cursor.fetchone()
        return [f"the index {INDEX} does not agree with {strays} of the search rows"] if strays else []

    def matching(self, rows: "QuerySet[SearchRow]", match: Match) -> "QuerySet[SearchRow]":
        return self._holding(rows, match, HOLDING_ANYWHERE)

    def in_parts(self, rows: "QuerySet[SearchRow]", match: Match) -> "Sequence[QuerySet[SearchRow]]":
        return [self._holding(rows, match, _HOLDING.format(one.condition(_KEY))) for one in KEY_RANGES]

    def _holding(self, rows: "QuerySet[SearchRow]", match: Match, condition: str) -> "QuerySet[SearchRow]":
        expression = self.expression(match)
        if not expression:
            return rows
        # The index gives rows in the order of their places on disk. Of a limit and the order of a column, the planner,
        # which takes rare tokens for common ones, makes a walk through all rows in that order: so it is a sum's.
        return rows.extra(where=[condition], params=[expression]).order_by(F("pk") + 0)

    def expression(self, match: Match) -> str:
        wanted = _any(match.any_of, match.columns, ":*" if match.last_is_prefix else "")
        unwanted = _any(match.none_of, COLUMNS)
        return " & ".join([f"({wanted})"] * bool(wanted) + [f"!({unwanted})"] * bool(unwanted))

    def document_counts(
        self, connection: BaseDatabaseWrapper, tokens: Sequence[str], limit: int, columns: tuple[str, ...] = COLUMNS
    ) -> Sequence[int]:
        some = f"SELECT count(*) FROM (SELECT 1 FROM {SEARCH_TABLE} {{}} LIMIT {limit:d}) AS found"
        count, rows = some.format(f"WHERE {HOLDING_ANYWHERE}"), some.format("")
        wanted = [_lexeme(token, columns) for token in tokens]
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {', '.join([f'({count})'] * len(tokens) + [f'({rows})'])}", wanted)
            counts: tuple[int, ...] = cursor.fetchone()
            return counts


def _is_ordered(connection: BaseDatabaseWrapper) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_IS_ORDERED)
        return bool(cursor.fetchone()[0])


def _found(connection: BaseDatabaseWrapper) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(_FIND, [[*_INDEXES]])
        return dict(cursor.fetchall())


def _schema_problems(found: dict[str, str]) -> Iterator[str]:
    for name, definition in _EXPECTED.items():
        if name not in found:
            yield f"the {_KINDS[name]} {name} is missing"
        elif found[name] != definition:
            yield f"the {_KINDS[name]} {name} is not as expected"


def _any(groups: tuple[Tokens, ...], columns: tuple[str, ...], ending: str = "") -> str:
    """Return groups of tokens as a tsquery: all of one of them; `ending` follows the last of each."""
    return " | ".join(_all(group, columns, ending) for group in groups if group)


def _all(tokens: Tokens, columns: tuple[str, ...], ending: str) -> str:
    *others, last = tokens
    return " & ".join([*(_lexeme(token, columns) for token in others), _lexeme(last, columns, ending)])


def _lexeme(token: str, columns: tuple[str, ...], ending: str = "") -> str:
    """Return a token within columns as a tsquery: all of them, or some of those that have a sign."""
    signs = [""] if columns == COLUMNS else [_SIGNS[column] for column in columns]
    alternatives = " | ".join(_quoted(f"{sign}{token}") + ending for sign in signs)
    return alternatives if len(signs) == 1 else f"({alternatives})"


def _quoted(lexeme: str) -> str:
    """Return a lexeme as tsquery reads it, in which nothing but the quote and the backslash has a meaning."""
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"
