"""Search in PostgreSQL: function, column and index come back when lost, and tokens reach the index as they are."""

import pytest
from django.db import connection, models

from errorkb.models import SearchRow
from errorkb.search import schema
from errorkb.search.backends import SEARCH_TABLE
from errorkb.search.backends.base import COLUMNS
from errorkb.search.templates import PART_SIGN, TEMPLATE_SIGN
from tests.search.bases import Base, find, titles
from tests.search.statements import run

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

OTHER_FUNCTION = (
    "CREATE OR REPLACE FUNCTION errorkb_search_tokens(id bigint, title text, names text, parts text, "
    "prose text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS 'SELECT ''other''::tsvector'"
)
LOST = {
    "index": ("DROP INDEX errorkb_search", ["the index errorkb_search is missing"]),
    "column": (
        f"ALTER TABLE {SEARCH_TABLE} DROP COLUMN tokens",
        ["the column tokens is missing", "the index errorkb_search is missing"],
    ),
    "function": (
        "DROP FUNCTION errorkb_search_tokens CASCADE",
        [
            "the function errorkb_search_tokens is missing",
            "the column tokens is missing",
            "the index errorkb_search is missing",
        ],
    ),
    "another function": (OTHER_FUNCTION, ["the function errorkb_search_tokens is not as expected"]),
    "another index": (
        f"DROP INDEX errorkb_search; CREATE INDEX errorkb_search ON {SEARCH_TABLE} (title)",
        ["the index errorkb_search is not as expected"],
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
    blocks = {f"#{bits}.{SearchRow.objects.get().pk >> bits}" for bits in (12, 14, 16, 18, 20, 22)}
    tokens = {name: set(text.split(" ")) - {"", TEMPLATE_SIGN.strip(), PART_SIGN.strip()} for name, text in row.items()}
    with_signs = {f"={token}" for token in tokens["title"]} | {f"@{token}" for token in tokens["names"]}
    assert indexed() == [set().union(*tokens.values()) | with_signs | blocks]
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


def test_rows_are_found_by_the_index(seeds: Base) -> None:
    run("SET LOCAL enable_seqscan = off")
    plan = run(f"EXPLAIN SELECT id FROM {SEARCH_TABLE} WHERE tokens @@ '''hisparse'''::tsquery")
    assert any("Bitmap Index Scan on errorkb_search" in line for (line,) in plan)
