"""Search in PostgreSQL: function, column and index come back when lost, and tokens reach the index as they are."""

import pytest
from django.db import connection, models

from errorkb.models import SearchRow
from errorkb.search import schema
from errorkb.search.backends import SEARCH_TABLE, backend_of
from errorkb.search.backends.base import COLUMNS, Match
from errorkb.search.templates import PART_SIGN, TEMPLATE_SIGN
from tests.search.bases import Base, find, titles
from tests.search.statements import run

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

OTHER_FUNCTION = (
    "CREATE OR REPLACE FUNCTION errorkb_search_tokens(title text, names text, parts text, "
    "prose text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS 'SELECT ''other''::tsvector'"
)
INDEXES = ["errorkb_search", *(f"errorkb_search_{1 << bits}" for bits in (14, 16, 17, 18, 19, 20))]
NO_INDEX = [f"the index {name} is missing" for name in INDEXES]
LOST = {
    "index": ("DROP INDEX errorkb_search_65536", ["the index errorkb_search_65536 is missing"]),
    "indexes": (f"DROP INDEX {', '.join(INDEXES)}", NO_INDEX),
    "column": (f"ALTER TABLE {SEARCH_TABLE} DROP COLUMN tokens", ["the column tokens is missing", *NO_INDEX]),
    "function": (
        "DROP FUNCTION errorkb_search_tokens CASCADE",
        [
            "the function errorkb_search_tokens is missing",
            "the column tokens is missing",
            *NO_INDEX,
        ],
    ),
    "another function": (OTHER_FUNCTION, ["the function errorkb_search_tokens is not as expected"]),
    "one index of all rows": (
        f"DROP INDEX {', '.join(INDEXES)}; CREATE INDEX errorkb_search ON {SEARCH_TABLE} USING gin (tokens)",
        ["the index errorkb_search is not as expected", *NO_INDEX[1:]],
    ),
}


@pytest.fixture
def settled(seeds: Base) -> None:
    """The two seed documents, their foreign keys checked: no table is altered before."""
    run("SET CONSTRAINTS ALL IMMEDIATE")


def indexed() -> list[set[str]]:
    return [set(lexemes) for (lexemes,) in run(f"SELECT tsvector_to_array(tokens) FROM {SEARCH_TABLE} ORDER BY id")]


def test_installing_again_changes_nothing(seeds: Base) -> None:
    catalogue = "SELECT oid, relname, relfilenode FROM pg_class WHERE relname LIKE 'errorkb_search%' ORDER BY oid"
    before = run(catalogue)
    schema.install(connection)
    assert run(catalogue) == before


@pytest.mark.parametrize("what", LOST)
def test_what_is_lost_or_another_is_reported_and_comes_back(settled: None, what: str) -> None:
    statement, problems = LOST[what]
    run(statement)
    assert schema.is_intact(connection) == problems
    schema.install(connection)
    assert schema.is_intact(connection) == []
    assert find("HiSparse").total == 2


def test_a_future_migration_may_alter_a_column_once_the_index_is_gone(settled: None) -> None:
    for kind in ("column", "function"):
        run(LOST[kind][0])
    old = SearchRow._meta.get_field("prose")
    new = models.CharField(max_length=1_000_000)
    new.set_attributes_from_name("prose")
    with connection.schema_editor(atomic=False) as editor:
        editor.alter_field(SearchRow, old, new)
    schema.install(connection)
    assert find("HiSparse").total == 2


def test_tokens_reach_the_index_as_they_are(base: Base) -> None:
    base.entry(
        message=r"C:\Users\me /v1/models std::vec::Vec --enable-hicache fields.E304 修复 ｶﾞ Ошибка école ½ a_b-c it's"
    )
    (row,) = SearchRow.objects.values(*COLUMNS)
    tokens = {name: set(text.split(" ")) - {"", TEMPLATE_SIGN.strip(), PART_SIGN.strip()} for name, text in row.items()}
    with_signs = {f"={token}" for token in tokens["title"]} | {f"@{token}" for token in tokens["names"]}
    assert indexed() == [set().union(*tokens.values()) | with_signs]
    assert {"修复", "ошибка", "=ecole", "=a_b-c"} <= indexed()[0]


def test_an_index_that_disagrees_with_the_rows_is_reported_and_rebuilt(seeds: Base) -> None:
    right = run("SELECT prosrc FROM pg_proc WHERE proname = 'errorkb_search_tokens'")[0][0]
    run(OTHER_FUNCTION)
    SearchRow.objects.filter(entry__isnull=False).update(title="x")
    run(OTHER_FUNCTION.partition("AS '")[0] + f"AS $body${right}$body$")
    assert schema.is_intact(connection) == ["the index errorkb_search does not agree with 1 of the search rows"]
    schema.rebuild(connection)
    assert schema.is_intact(connection) == []
    assert titles("x repo:sgl-project/sglang") != []


def test_rows_are_found_by_the_indexes(settled: None) -> None:
    run(f"ALTER TABLE {SEARCH_TABLE} DROP CONSTRAINT errorkb_searchrow_pkey; SET LOCAL enable_seqscan = off")
    backend, match = backend_of(connection), Match((("hisparse",),))
    plan = backend.matching(SearchRow.objects.all(), match).explain()
    assert [index for index in INDEXES if f"Bitmap Index Scan on {index} " in plan] == INDEXES
    for index, part in zip(INDEXES, backend.in_parts(SearchRow.objects.all(), match), strict=True):
        assert f"Bitmap Index Scan on {index} " in part.explain()
