"""Search: what is asked for in turn where no document has all words."""

import pytest

from errorkb.search.groups import cheap_title_groups, likely_groups


def questions(words: str, counts: dict[str, int], enough: int = 10) -> list[list[str]]:
    required = tuple(words.split())
    known = dict.fromkeys(required, 100) | counts
    return [[" ".join(group) for group in groups] for groups in likely_groups(required, (), known, enough=enough)]


@pytest.mark.parametrize(
    ("words", "counts", "expected"),
    [
        ("", {}, []),
        ("a", {"a": 0}, []),
        ("a b", {"a": 0}, [["b"]]),
        ("a b", {"a": 3}, [["a", "a b"]]),
        ("a b c", {"b": 0}, [["a c"], ["a c"]]),
        ("a b c d", {"d": 0}, [["a b c"], ["a b", "a c", "b c"]]),
        ("a b c d", {"a": 2}, [["a b c", "b c d"], ["a", "a b", "a c", "a d", "b c", "b d", "c d"]]),
    ],
)
def test_long_runs_first_then_pairs_and_rare_words(
    words: str, counts: dict[str, int], expected: list[list[str]]
) -> None:
    assert questions(words, counts) == expected


def test_half_of_a_long_query_is_asked_for_first() -> None:
    first, *_ = questions("a b c d e f g h i j k l", {})
    assert first == [
        "a b c d e f",
        "b c d e f g",
        "c d e f g h",
        "d e f g h i",
        "e f g h i j",
        "f g h i j k",
        "g h i j k l",
    ]


def test_single_words_are_asked_for_as_long_as_few_documents_hold_them() -> None:
    *_, last = questions("a b c", {"a": 4, "b": 5, "c": 6}, enough=10)
    assert [group for group in last if " " not in group] == ["a", "b"]


def test_a_common_word_alone_is_asked_for_where_it_is_the_only_one() -> None:
    assert questions("a b", {"a": 0, "b": 1001}) == [["b"]]


def test_a_question_never_grows_with_the_query() -> None:
    words = " ".join(f"w{n}" for n in range(256))
    assert max(map(len, questions(words, {}))) <= 64 + 10


@pytest.mark.parametrize(
    ("words", "counts", "expected"),
    [
        ("this instance is not fitted yet", {}, ["instance fitted yet"]),
        ("instance fitted yet call", {"call": 3}, ["fitted yet call", "instance fitted yet"]),
        ("instance fitted yet call before", {"call": 3, "before": 4}, ["fitted yet call", "yet call before"]),
        ("instance fitted unheard yet", {"unheard": 0}, ["instance fitted yet"]),
        ("instance fitted yet", {"instance": 401, "fitted": 401, "yet": 401}, []),
        ("instance fitted everywhere yet", {"everywhere": 10_000}, ["instance fitted yet"]),
        ("instance fitted", {}, []),
    ],
)
def test_titles_are_looked_for_by_a_few_rare_runs_of_telling_words(
    words: str, counts: dict[str, int], expected: list[str]
) -> None:
    tokens = tuple(words.split())
    assert [" ".join(group) for group in cheap_title_groups(tokens, dict.fromkeys(tokens, 100) | counts)] == expected
