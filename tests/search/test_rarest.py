"""Search: which of its tokens a row is looked up by, and how the others are looked for in it."""

import pytest

from errorkb.search.backends import Match
from errorkb.search.candidate_rows import RANKED_LENGTH
from errorkb.search.rarest import by_rarest, holding

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
        Match((("error", "dummy", "shape"),), columns=("title",)),
        Match(),
    ],
)
def test_leaves_other_questions_as_they_are(match: Match) -> None:
    assert by_rarest(match, HELD, expected) is None


def row(title: str = "", names: str = "", other: str = "") -> tuple[object, ...]:
    return (1, "", "", title, names, other, False, False, False)


ROWS = [row("bad input | bad , input"), row("bad", "input"), row("bad", other="inputs input"), row("bad", "inputs")]


def test_finds_tokens_in_all_columns() -> None:
    assert holding(ROWS, ("bad", "input")) == ROWS[:3]


def test_does_not_say_what_a_cut_row_may_hold() -> None:
    long = row("bad", "n" * RANKED_LENGTH)
    assert holding([long], ("bad", "input")) is None
    assert holding([long], ("bad",)) == [long]
