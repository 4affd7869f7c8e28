"""Models: how many values, or pairs of values, are looked for in one query, on each database."""

import json
from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Lookup

# (primary key of a repository, value of a column)
Pair = tuple[int, str]

_PAIRS = {
    "sqlite": "(SELECT json_extract(value, '$[0]') AS repository, json_extract(value, '$[1]') AS value "
    "FROM json_each(%s)) AS wanted",
    "postgresql": "unnest(%s::bigint[], %s::text[]) AS wanted(repository, value)",
}
_AMONG = {"sqlite": "{} IN (SELECT value FROM json_each(%s))", "postgresql": "{} = ANY(%s)"}
# The join is ordered for SQLite, which else reads all of a repository; both take an index with both columns.
_FOUND = """
SELECT {columns} FROM {pairs} CROSS JOIN errorkb_errorentry
WHERE repository_id = wanted.repository AND {column} = wanted.value {group}
"""


@Field.register_lookup
class Among(Lookup):
    """`field__among=values`: `in` for any number of values, which are one parameter of the query."""

    lookup_name = "among"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: BaseDatabaseWrapper) -> tuple[str, tuple[Any, ...]]:
        column, parameters = self.process_lhs(compiler, connection)
        condition, values = among(column, self.rhs, connection)
        return condition, (*parameters, values)


def among(column: str, values: Collection[Any], connection: BaseDatabaseWrapper = connection) -> tuple[str, Any]:
    """Return SQL for the condition that a column has one of `values`, and the one parameter that stands for them."""
    condition = _AMONG[connection.vendor].format(column)
    return condition, json.dumps(list(values)) if connection.vendor == "sqlite" else list(values)


def count_entries(column: str, pairs: Collection[Pair]) -> dict[Pair, int]:
    """Return how many entries have each pair of repository and value of `column`; pairs that none has are left out."""
    rows = _found(f"repository_id, {column}, count(*)", column, pairs, "GROUP BY 1, 2")
    return {(repository, value): count for repository, value, count in rows}


def find_entries(column: str, pairs: Collection[Pair]) -> list[int]:
    """Return the primary keys of the entries that have one of the pairs of repository and value of `column`."""
    return [key for (key,) in _found("id", column, pairs)]


def _found(columns: str, column: str, pairs: Collection[Pair], group: str = "") -> Sequence[tuple[Any, ...]]:
    if not pairs:
        return ()
    query = _FOUND.format(columns=columns, pairs=_PAIRS[connection.vendor], column=column, group=group)
    wanted: list[Any] = [json.dumps(list(pairs))]
    if connection.vendor == "postgresql":
        wanted = [[repository for repository, _ in pairs], [value for _, value in pairs]]
    with connection.cursor() as cursor:
        cursor.execute(query, wanted)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
