"""Search: the index is there after migrating and holds every row's tokens, whatever the database."""

import pytest
from django.db import NotSupportedError, connection, models

from errorkb.models import ErrorEntry, SearchRow
from errorkb.search import schema
from errorkb.search.backends import SEARCH_TABLE, backend_of
from errorkb.search.backends.base import COLUMNS, SINGLE_COLUMNS, Match
from tests.search.bases import ENTRY, Base, titles

pytestmark = pytest.mark.django_db


def test_table_and_columns_are_those_of_the_model() -> None:
    assert SearchRow._meta.db_table == SEARCH_TABLE
    assert {field.name for field in SearchRow._meta.fields if isinstance(field, models.TextField)} == set(COLUMNS)
    assert set(SINGLE_COLUMNS) < set(COLUMNS)


def test_is_in_place_after_migrating() -> None:
    assert schema.is_intact(connection) == []


def test_the_index_follows_changes_of_every_kind(base: Base) -> None:
    first = base.entry(message="alpha")
    second = base.entry(message="beta")
    SearchRow.objects.filter(entry=first).update(prose="gamma")
    assert titles("gamma") == ["alpha"]
    SearchRow.objects.filter(entry=first).update(prose="delta")
    assert (titles("gamma"), titles("delta")) == ([], ["alpha"])
    SearchRow.objects.bulk_update([SearchRow(pk=second.search_row.pk, title="zeta")], ["title"])
    assert (titles("beta"), titles("zeta")) == ([], ["beta"])
    ErrorEntry.objects.filter(pk=first.pk).delete()
    assert titles("delta") == []
    assert schema.is_intact(connection) == []


def test_a_rebuilt_index_finds_what_it_found(seeds: Base) -> None:
    schema.rebuild(connection)
    assert schema.is_intact(connection) == []
    assert len(titles("HiSparse")) == 2


@pytest.mark.django_db(transaction=True)
def test_is_rebuilt_outside_of_a_transaction_too(base: Base) -> None:
    base.entry(message="alpha")
    schema.rebuild(connection)
    assert titles("alpha") == ["alpha"]


def test_a_document_loaded_again_changed_is_found_by_its_new_words_only(base: Base) -> None:
    base.entry(**ENTRY)
    base.entry(**ENTRY | {"meaning": "Something quite different: zyxw."})
    assert len(titles("zyxw")) == 1
    assert titles("pre-assigned") == []


def found(match: Match) -> list[str]:
    rows = backend_of(connection).matching(SearchRow.objects.all(), match)
    return list(rows.values_list("entry__message", flat=True))


# In the order of their keys, whatever was written last.
ROWS = {
    "first": ("ab", "red", "re", "one"),
    "second": ("ab cd", "red", "", "one two"),
    "third": ("", "ab", "cd", "three"),
}


@pytest.fixture
def rows(base: Base) -> None:
    """Three rows with tokens written by hand."""
    for message in ROWS:
        base.entry(message=message)
    for message, tokens in reversed(ROWS.items()):
        SearchRow.objects.filter(entry__message=message).update(**dict(zip(COLUMNS, tokens, strict=True)))


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (Match((("ab",),)), "first second third"),
        (Match((("ab", "cd"),)), "second third"),
        (Match((("two",), ("three",))), "second third"),
        (Match((("ab",),), columns=("title",)), "first second"),
        (Match((("ab",),), columns=("names",)), "third"),
        (Match((("ab",),), columns=("title", "names")), "first second third"),
        (Match((("ab", "cd"),), columns=("title", "names")), "second"),
        (Match((("ab",),), none_of=(("one",),)), "third"),
        (Match((("ab",),), none_of=(("one", "two"), ("three",))), "first"),
        (Match((), none_of=(("two",),)), "first third"),
        (Match((("ab",),), none_of=(("cd",),), columns=("title",)), "first"),
        (Match((("one", "r"),), last_is_prefix=True), "first second"),
        (Match((("on", "ab"),), last_is_prefix=True), ""),
        (Match((("a",),)), ""),
        (Match(((r"f\g", "x:y", "--z"),)), ""),
    ],
)
def test_matching(rows: None, match: Match, expected: str) -> None:
    assert found(match) == expected.split()


def test_without_tokens_every_row_matches(rows: None) -> None:
    assert set(found(Match())) == set(ROWS)


def test_counts_of_documents_end_at_the_limit(rows: None) -> None:
    def counts(limit: int, *columns: str) -> list[int]:
        tokens = ["ab", "cd", "two", "nowhere", "'\\"]
        return list(backend_of(connection).document_counts(connection, tokens, limit, columns or COLUMNS))

    assert counts(10) == [3, 2, 1, 0, 0, 3]
    assert counts(2) == [2, 2, 1, 0, 0, 2]
    assert counts(10, "title") == [2, 1, 0, 0, 0, 3]
    assert counts(10, "title", "names") == [3, 1, 0, 0, 0, 3]


@pytest.mark.parametrize(
    "characters", ["abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмно", "\U00010428\U00010429\U0001042a\U0001042b"]
)
def test_a_document_of_nothing_but_distinct_words_is_kept_and_found_by_its_first(base: Base, characters: str) -> None:
    words = "message " + " ".join(f"{characters}{n:x}" for n in range(40_000))
    entry = base.entry(message="alpha " + words[:400_000], meaning=words, tags=words[:400_000].split(" "))
    assert titles("alpha", per_page=1)[0] == entry.message
    assert schema.is_intact(connection) == []


def test_says_which_database_it_cannot_search() -> None:
    class Other:
        vendor = "oracle"

    with pytest.raises(NotSupportedError, match="oracle"):
        backend_of(Other())


def test_the_parts_of_what_matches_are_all_of_it_in_the_order_of_keys(rows: None) -> None:
    first, second, _ = SearchRow.objects.order_by("pk").values_list("pk", flat=True)
    SearchRow.objects.filter(pk=first).update(id=first + (1 << 30))
    SearchRow.objects.filter(pk=second).update(id=first + (1 << 17))
    parts = backend_of(connection).in_parts(SearchRow.objects.all(), Match((("ab",),)))
    messages = [message for part in parts for message in part.values_list("entry__message", flat=True)]
    assert messages == ["third", "second", "first"]
