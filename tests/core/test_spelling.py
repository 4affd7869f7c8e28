"""Core: which known word was meant by a mistyped one."""

import pytest

from errorkb.core.spelling import KnownWord, distance, is_correctable, is_one_error, most_errors, nearest, spelled_like


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("", "", 0),
        ("ascend", "ascend", 0),
        ("acsend", "ascend", 1),
        ("conection", "connection", 1),
        ("connnection", "connection", 1),
        ("cannection", "connection", 1),
        ("onnection", "connection", 1),
        ("connectio", "connection", 1),
        ("notimplmentderror", "notimplementederror", 2),
        ("conencitno", "connection", 3),
        ("abcdef", "fedcba", 3),
        ("ab", "abcdefgh", 3),
        ("заявка", "завяка", 1),
    ],
)
def test_distance_counts_wrong_missing_extra_and_swapped_letters(one: str, other: str, expected: int) -> None:
    assert distance(one, other, 2) == expected
    assert distance(other, one, 2) == expected


ONE_ERROR = [
    ("acsend", "ascend"),
    ("conection", "connection"),
    ("cat", "cut"),
    ("cat", "cats"),
    ("ab", "ba"),
    ("", "a"),
]
NOT_ONE = [("ascend", "ascend"), ("abcd", "badc"), ("cat", "dog"), ("cat", "catss"), ("abc", "cba"), ("abx", "bay")]


@pytest.mark.parametrize(("one", "other"), ONE_ERROR + NOT_ONE)
def test_one_error_is_seen_at_a_glance(one: str, other: str) -> None:
    assert is_one_error(one, other) is is_one_error(other, one) is ((one, other) in ONE_ERROR)
    assert (distance(one, other, 2) == 1) is ((one, other) in ONE_ERROR)


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("ascend", True),
        ("kv", False),
        ("int8x", False),
        ("send_kvcache", False),
        ("0.5.18", False),
        ("接口漂移", False),
        ("ошибка", True),
        ("a" * 41, False),
    ],
)
def test_only_words_of_letters_are_mistyped(token: str, *, expected: bool) -> None:
    assert is_correctable(token) is expected


def test_in_a_longer_word_two_letters_may_be_wrong() -> None:
    assert [most_errors("a" * length) for length in (4, 7, 8, 19)] == [1, 1, 2, 2]


KNOWN = [KnownWord("ascend", 3), KnownWord("second", 90), KnownWord("connection", 900), KnownWord("convection", 50)]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("acsend", "ascend"),
        ("conection", "connection"),
        ("connction", "connection"),
        ("convektion", "convection"),
        ("conpection", "connection"),
        ("secnd", "second"),
        ("ascent", "ascend"),
        ("zebra", ""),
        ("ascend", ""),
    ],
)
def test_the_nearest_word_is_meant_and_among_equals_the_most_common(typed: str, expected: str) -> None:
    assert nearest(typed, KNOWN) == expected
    assert nearest(typed, reversed(KNOWN)) == expected


def test_the_first_letter_is_seldom_wrong() -> None:
    assert nearest("best", [KnownWord("test", 900), KnownWord("beat", 2)]) == "beat"


@pytest.mark.parametrize(
    ("typed", "word", "expected"),
    [
        ("NotImplmentedError", "notimplementederror", "NotImplementedError"),
        ("Acsend", "ascend", "Ascend"),
        ("CONECTION", "connection", "CONNECTION"),
        ("conection", "connection", "connection"),
    ],
)
def test_a_correction_keeps_the_capitals(typed: str, word: str, expected: str) -> None:
    assert spelled_like(typed, word) == expected
