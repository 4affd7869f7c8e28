"""Search: how common words are, and what was meant by mistyped ones."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from errorkb.models import SearchRow, SearchWord
from errorkb.search import vocabulary
from errorkb.search.vocabulary import frequencies_of, meant_by, refresh, refresh_if_grown
from tests.search.bases import Base


@pytest.fixture
def words(base: Base) -> Base:
    """Three entries; connection stands in the titles of two and in the prose of the third."""
    base.entry(message="connection refused", meaning="The server is not there.")
    base.entry(message="connection lost")
    base.entry(message="server lost", meaning="No connection; connection again.")
    refresh()
    return base


def test_counts_rows_and_titles(words: Base) -> None:
    found = frequencies_of(["connection", "server", "nowhere"])
    assert (found.rows, found.documents, found.titles) == (
        3,
        {"connection": 3, "server": 2},
        {"connection": 2, "server": 1},
    )


def test_a_sample_stands_for_all_rows(words: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "MOST_ROWS", 1)
    monkeypatch.setattr(vocabulary, "MOST_TITLES", 1)
    refresh()
    assert frequencies_of(["connection"]).documents["connection"] in (0, 3)
    assert frequencies_of(()).rows == 3


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (1, "connection"),
        (3, "connection lost server"),
        # of those that one row holds, a word goes before what is none
        (4, "connection lost refused server"),
        (5, "1.2 connection lost refused server"),
        (6, "1.2 connection lost refused server"),
    ],
)
def test_keeps_the_most_common_tokens(words: Base, monkeypatch: pytest.MonkeyPatch, most: int, kept: str) -> None:
    for row, tokens in zip(
        SearchRow.objects.order_by("pk"),
        ("connection refused 1.2", "connection lost server", "connection lost server"),
        strict=True,
    ):
        SearchRow.objects.filter(pk=row.pk).update(title=tokens, names="", parts="", prose="")
    monkeypatch.setattr(vocabulary, "MOST_WORDS", most)
    refresh()
    assert sorted(SearchWord.objects.exclude(token="").values_list("token", flat=True)) == kept.split()


def test_says_what_was_meant_in_one_query(words: Base) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert meant_by(dict.fromkeys(["conection", "refsued", "xyzzy", "kv"], 0)) == {
            "conection": "connection",
            "refsued": "refused",
        }
    assert len(captured) == 1
    assert meant_by({"conection": 1}) == {}


def test_is_counted_anew_when_there_are_many_more_rows(words: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not refresh_if_grown()
    monkeypatch.setattr(vocabulary, "GROWTH", 1)
    assert frequencies_of(["reset"]).documents == {}
    words.entry(message="connection reset")
    assert frequencies_of(["reset"]).documents == {"reset": 1}


def test_of_an_empty_base_nothing_is_known(db: None) -> None:
    refresh()
    assert frequencies_of(["x"]).rows == 0
    assert meant_by({"conection": 0}) == {}
