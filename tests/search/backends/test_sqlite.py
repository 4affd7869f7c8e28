"""Search in SQLite: the triggers come back when lost, and tokens reach the index as they are."""

import pytest
from django.db import connection, models

from errorkb.models import SearchRow
from errorkb.search import schema
from errorkb.search.backends import SEARCH_TABLE
from errorkb.search.backends.base import COLUMNS
from errorkb.search.templates import PART_SIGN, TEMPLATE_SIGN
from tests.search.bases import Base, find, titles
from tests.search.statements import run

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

TRIGGERS = ["errorkb_search_delete", "errorkb_search_insert", "errorkb_search_update"]


def triggers() -> list[str]:
    return sorted(name for (name,) in run("SELECT name FROM sqlite_master WHERE type = 'trigger'"))


def indexed_terms() -> set[str]:
    run("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'errorkb_search', 'row')")
    terms = {term for (term,) in run("SELECT term FROM temp.terms")}
    run("DROP TABLE temp.terms")
    return terms


def test_triggers_are_in_place_after_migrating() -> None:
    assert triggers() == TRIGGERS


def test_installing_again_changes_nothing(seeds: Base) -> None:
    before = run("SELECT name, sql FROM sqlite_master ORDER BY name")
    schema.install(connection)
    assert run("SELECT name, sql FROM sqlite_master ORDER BY name") == before
    assert len(titles("HiSparse")) == 2


@pytest.mark.parametrize("name", TRIGGERS)
def test_a_lost_trigger_is_reported_and_comes_back(name: str) -> None:
    run(f"DROP TRIGGER {name}")
    assert schema.is_intact(connection) == [f"the trigger {name} is missing"]
    schema.install(connection)
    assert schema.is_intact(connection) == []


def test_what_was_written_without_a_trigger_is_indexed_when_it_comes_back(base: Base) -> None:
    run("DROP TRIGGER errorkb_search_insert")
    base.entry(message="written in the dark")
    assert titles("dark") == []
    schema.install(connection)
    assert titles("dark") == ["written in the dark"]


def test_a_changed_trigger_or_index_is_reported_and_replaced(seeds: Base) -> None:
    run("DROP TRIGGER errorkb_search_insert")
    run(f"CREATE TRIGGER errorkb_search_insert AFTER INSERT ON {SEARCH_TABLE} BEGIN SELECT 1; END")
    run("DROP TABLE errorkb_search")
    run("CREATE VIRTUAL TABLE errorkb_search USING fts5(title)")
    assert schema.is_intact(connection) == [
        "the table errorkb_search is not as expected",
        "the trigger errorkb_search_insert is not as expected",
    ]
    schema.install(connection)
    assert schema.is_intact(connection) == []
    assert len(titles("HiSparse")) == 2


@pytest.mark.django_db(transaction=True)
def test_altering_the_table_drops_the_triggers_and_installing_brings_them_back() -> None:
    old = SearchRow._meta.get_field("prose")
    new = models.TextField(default="")
    new.set_attributes_from_name("prose")
    with connection.schema_editor() as editor:
        editor.alter_field(SearchRow, old, new)
    assert triggers() == []
    schema.install(connection)
    assert schema.is_intact(connection) == []
    with connection.schema_editor() as editor:
        editor.alter_field(SearchRow, new, old)
    schema.install(connection)


def test_tokens_reach_the_index_unsplit(seeds: Base) -> None:
    base = seeds
    base.entry(
        message=r"C:\Users\me /v1/models std::vec::Vec --enable-hicache fields.E304 修复 ｶﾞ Ошибка école ½ a_b-c.d"
    )
    rows = SearchRow.objects.values_list(*COLUMNS)
    tokens = {token for row in rows for column in row for token in column.split(" ")}
    assert indexed_terms() == tokens - {"", TEMPLATE_SIGN.strip(), PART_SIGN.strip()}


def test_an_index_that_disagrees_with_the_rows_is_reported_and_rebuilt(seeds: Base) -> None:
    run("INSERT INTO errorkb_search(errorkb_search) VALUES ('delete-all')")
    (problem,) = schema.is_intact(connection)
    assert "does not agree with the search rows" in problem
    assert find("HiSparse").total == 0
    schema.rebuild(connection)
    assert schema.is_intact(connection) == []
    assert find("HiSparse").total == 2
