"""Search: which entries are found to be related, for which reasons, and which are not."""

from typing import Any

import pytest

from errorkb.models import ErrorEntry
from errorkb.search.related import relations_of
from tests.search.bases import Base

MESSAGE = "the flux capacitor of {name} overheats at {speed}"


def site(line: int, path: str = "src/car.py", symbol: str = "Car.drive") -> dict[str, Any]:
    return {"path": path, "line": line, "symbol": symbol}


@pytest.fixture
def main(base: Base) -> ErrorEntry:
    return base.entry(message=MESSAGE, placeholders="brace", exception_type="FluxError", source=site(100))


def found(entry: ErrorEntry, *pull_requests: tuple[int, int], **options: Any) -> list[tuple[str, tuple[str, ...]]]:
    relations = relations_of(entry, pull_requests, **options)
    messages = dict(ErrorEntry.objects.values_list("pk", "message"))
    return [(messages[one.key], one.reasons) for one in relations]


def test_the_same_function_comes_first_and_near_lines_before_far_ones(base: Base, main: ErrorEntry) -> None:
    base.entry(message="other function", source=site(101, symbol="Car.stop"))
    base.entry(message="far", source=site(180))
    base.entry(message="near", source=site(90))
    base.entry(message="other file", source=site(100, "src/bus.py"))
    base.entry(message="same path elsewhere", repository="o/other", source=site(100))
    assert found(main) == [
        ("near", ("same_function",)),
        ("far", ("same_function",)),
        ("other function", ("same_file",)),
    ]


def test_module_level_is_no_function(base: Base) -> None:
    one = base.entry(message="one", source=site(1, symbol=""))
    base.entry(message="two", source=site(2, symbol=""))
    assert found(one) == [("two", ("same_file",))]


@pytest.mark.parametrize(
    ("message", "exception_type", "is_near"),
    [
        ("the flux capacitor of {name} overheats", "FluxError", True),
        ("flux capacitor {0} overheats when driven", "FluxError", True),
        ("the flux capacitor of {name} overheats", "OtherError", False),
        ("the flux of {name} is far too little for driving home", "FluxError", False),
        ("flux", "FluxError", False),
        ("the {name} of {speed} at", "FluxError", False),
    ],
)
def test_near_messages_are_of_the_same_type(
    base: Base, main: ErrorEntry, message: str, exception_type: str, *, is_near: bool
) -> None:
    base.entry(
        message=message,
        placeholders="brace",
        exception_type=exception_type,
        repository="o/other",
        source=site(5, "lib/a.py", "f"),
    )
    assert found(main) == ([(message, ("near_message",))] if is_near else [])


def test_common_words_alone_relate_nothing(base: Base, main: ErrorEntry, monkeypatch: pytest.MonkeyPatch) -> None:
    base.entry(message=MESSAGE, placeholders="brace", exception_type="FluxError", source=site(5, "lib/a.py", "f"))
    assert found(main) == [(MESSAGE, ("near_message",))]
    monkeypatch.setattr("errorkb.search.related._LEAST_ROWS", 0)
    assert found(main) == []


def test_one_word_relates_nothing(base: Base) -> None:
    one = base.entry(message="overheated", source=site(1))
    base.entry(message="overheated", repository="o/other", source=site(1, "b.py"))
    assert found(one) == []


def test_a_pull_request_relates_what_it_touched(base: Base) -> None:
    pulls = [{"number": 6, "role": "introduced"}]
    one = base.entry(message="one", pull_requests=pulls)
    base.entry(message="two", pull_requests=[{"number": 7}, {"number": 6, "role": "moved"}], source=site(1, "b.py"))
    base.entry(message="three", pull_requests=[{"number": 6, "repository": "o/other"}], source=site(1, "c.py"))
    assert found(one, (one.repository_id, 6)) == [("two", ("same_pull_request",))]


def test_all_reasons_are_told(base: Base) -> None:
    pulls = [{"number": 6}]
    one = base.entry(message="flux capacitor gone", source=site(1), pull_requests=pulls)
    base.entry(message="flux capacitor gone again", source=site(2), pull_requests=pulls)
    expected = ("same_function", "near_message", "same_pull_request")
    assert found(one, (one.repository_id, 6)) == [("flux capacitor gone again", expected)]


def test_what_is_known_to_be_related_or_not_public_is_left_out(base: Base, main: ErrorEntry) -> None:
    known = base.entry(message="known", source=site(101))
    base.entry(message="draft", source=site(102), state="draft")
    base.entry(message="withdrawn", source=site(103), state="withdrawn", withdrawn={"at": "2026-01-01", "reason": "x"})
    assert found(main, besides=[known.pk]) == []


@pytest.mark.parametrize("count", [1, 30])
def test_asks_a_few_questions_and_answers_with_a_few(
    base: Base, main: ErrorEntry, count: int, django_assert_max_num_queries
) -> None:
    for n in range(count):
        base.entry(
            message=f"flux capacitor {n} overheats", exception_type="FluxError", source=site(n + 1), repository="a/b"
        )
    with django_assert_max_num_queries(6):
        assert 1 <= len(found(main, (main.repository_id, 1))) <= 4
