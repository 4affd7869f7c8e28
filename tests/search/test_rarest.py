"""Search: which of its tokens a row is looked up by, and how the others are looked for in it."""

import pytest

from errorkb.search.backends import COLUMNS, Match
from errorkb.search.candidate_rows import RANKED_LENGTH, Kind
from errorkb.search.rarest import by_rarest, holding, kind_to_read

HELD = {"error": 900_000, "input": 170_000, "shape": 140_000, "dummy": 12_000}


def expected(match: Match) -> float:
    """Return the fewer rows the more tokens are asked for: 300, 30, 3."""
    return 3_000 / 10 ** len(match.any_of[0])


@pytest.mark.parametrize(
    ("tokens", "rarest"),
    [
        (("error", "input", "dummy", "shape"), ("dummy", "shape")),
        (("error", "xyzzy", "plugh", "dummy"), ("plugh", "xyzzy", "dummy")),
        (("error", "input"), None),
        (("dummy", "xyzzy"), None),
    ],
)
def test_takes_all_rare_tokens_and_common_ones_until_few_rows_are_left(
    tokens: tuple[str, ...], rarest: tuple[str, ...] | None
) -> None:
    found = by_rarest(Match((tokens,), (("no",),)), HELD, expected)
    assert found == (rarest and Match((rarest,), (("no",),)))


@pytest.mark.parametrize(
    "match",
    [
        Match((("error", "dummy", "shape"),), last_is_prefix=True),
        Match((("error", "dummy", "shape"), ("input", "dummy", "shape"))),
        Match((("error", "dummy", "shape"),), columns=("title", "names")),
        Match(),
    ],
)
def test_leaves_other_questions_as_they_are(match: Match) -> None:
    assert by_rarest(match, HELD, expected) is None


def row(title: str = "", names: str = "", other: str = "") -> tuple[object, ...]:
    return (1, "", "", title, names, other, False, False, False)


ROWS = [row("bad input | bad , input"), row("bad", "input"), row("bad", other="inputs input"), row("bad", "inputs")]


@pytest.mark.parametrize(("columns", "found"), [(COLUMNS, ROWS[:3]), (("title",), ROWS[:1])])
def test_finds_tokens_within_columns(columns: tuple[str, ...], found: list[tuple[object, ...]]) -> None:
    assert holding(ROWS, ("bad", "input"), columns) == found


def test_does_not_say_what_a_cut_row_may_hold() -> None:
    long = row("bad", "n" * RANKED_LENGTH)
    assert holding([long], ("bad", "input"), COLUMNS) is None
    assert holding([long], ("bad",), COLUMNS) == [long]


def test_reads_prose_only_where_it_is_asked_for() -> None:
    assert kind_to_read(Match((("a",),))) is Kind.WITH_OTHER
    assert kind_to_read(Match((("a",),), columns=("title",))) is Kind.RANKED
