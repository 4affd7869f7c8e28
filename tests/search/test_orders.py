"""Search: results in the order that was asked for, and pages behind each other while rows come and go."""

from datetime import UTC, datetime, timedelta

import pytest

from errorkb.core.queries import parse_query
from errorkb.models import ErrorEntry, PullRequest
from errorkb.search import windows
from errorkb.search.cursors import SearchCursor, WrongCursorError, cursor_text, read_cursor
from errorkb.search.searching import search
from tests.search.bases import Base, title_of, titles

START = datetime(2026, 3, 1, tzinfo=UTC)
# Each entry, its place, and the day on which it was changed last.
ENTRIES = {
    "one same": ("src/b.py", 9, 3),
    "two same": ("src/a.py", 20, 1),
    "three same": ("src/a.py", 3, 4),
    "four same": ("src/a.py", None, 0),
    "five": ("lib/é.py", 1, 5),
}


@pytest.fixture
def dated(base: Base) -> Base:
    for message, (path, line, day) in ENTRIES.items():
        entry = base.entry(message=message, source={"path": path} | ({"line": line} if line else {}))
        ErrorEntry.objects.filter(pk=entry.pk).update(modified_at=START + timedelta(days=day))
    report = base.pull_request(number=6, title="six same")
    PullRequest.objects.filter(pk=report.pk).update(modified_at=START + timedelta(days=2))
    return base


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("same sort:newest", "three one six two four"),
        ("same sort:oldest", "four two six one three"),
        ("same sort:path", "four three two one six"),
        ("sort:newest", "five three one six two four"),
        ("sort:oldest", "four two six one three five"),
        ("sort:path", "five four three two one six"),
        ("kind:error sort:newest", "five three one two four"),
        ("kind:pull_request sort:path", "six"),
        ("repo:acme path:src/a.py sort:path", "four three two"),
    ],
)
def test_order(dated: Base, query: str, expected: str) -> None:
    assert [title.split()[0] for title in titles(query)] == expected.split()


@pytest.mark.parametrize("query", ["same", "same sort:newest", "kind:error", "sort:newest", "sort:path", "sort:oldest"])
@pytest.mark.parametrize("window", [2, 3, 1000])
def test_cursors_lead_through_all(dated: Base, monkeypatch: pytest.MonkeyPatch, query: str, window: int) -> None:
    whole = titles(query, per_page=100)
    if "same" not in query:
        monkeypatch.setattr(windows, "MOST_CANDIDATES", window)
        monkeypatch.setattr("errorkb.search.candidates.MOST_CANDIDATES", window)
    seen: list[str] = []
    after: SearchCursor | None = None
    for _ in range(10):
        page = search(parse_query(query), per_page=2, after=after)
        assert page.first == len(seen) + 1
        seen += map(title_of, page.results)
        after = page.next
        if after is None:
            break
    assert sorted(seen) == sorted(whole)
    assert page.last == len(whole)
    if "sort:" in query:
        assert seen == whole


def test_what_comes_meanwhile_makes_nothing_appear_twice(dated: Base) -> None:
    query = parse_query("same sort:newest")
    first = search(query, per_page=2)
    dated.entry(message="new same")
    ErrorEntry.objects.filter(message="new same").update(modified_at=START + timedelta(days=9))
    second = search(query, per_page=2, after=first.next)
    seen = [title_of(result).split()[0] for result in (*first.results, *second.results)]
    assert seen == [
        "three",
        "one",
        "six",
        "two",
    ]


def test_what_goes_meanwhile_ends_nothing(dated: Base) -> None:
    query = parse_query("same sort:newest")
    first = search(query, per_page=2)
    ErrorEntry.objects.filter(message="one same").delete()
    second = search(query, per_page=2, after=first.next)
    assert [title_of(result).split()[0] for result in second.results] == ["two", "four"]


def test_a_cursor_is_of_its_query_alone() -> None:
    query, cursor = parse_query("x"), SearchCursor(7, 20, 1000, ("2026-03-01T00:00:00+00:00", 9))
    text = cursor_text(query, cursor)
    assert read_cursor(query, text) == cursor
    for other, wrong in ((parse_query("y"), text), (query, text[:-1]), (query, ""), (query, "\x00é")):
        with pytest.raises(WrongCursorError):
            read_cursor(other, wrong)


@pytest.mark.parametrize("query", ["same sort:newest", "sort:newest", "sort:path", "kind:error sort:path"])
def test_asks_the_same_number_of_questions_whatever_there_is(
    dated: Base, query: str, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(7):
        search(parse_query(query))
