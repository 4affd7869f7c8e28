"""Core: which known words a mistyped one may be: one or two letters wrong, missing, too many or changed about."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from errorkb.core.tokens.splitting import CJK_RUN

# Shorter words are near too many others; in those of so many letters, two may be wrong.
LEAST_LETTERS = 4
LETTERS_FOR_TWO_ERRORS = 8
MOST_LETTERS = 40
# Each error puts at most one letter in the place of another.
_MOST_OTHER_LETTERS = 4


@dataclass(frozen=True, slots=True)
class KnownWord:
    """A word and how many documents have it, about."""

    text: str
    documents: int


def is_correctable(token: str) -> bool:
    """Return whether a token is a word that may be mistyped: letters only, neither too few nor too many."""
    return LEAST_LETTERS <= len(token) <= MOST_LETTERS and token.isalpha() and CJK_RUN.search(token) is None


def most_errors(word: str) -> int:
    """Return how many letters of a word may be wrong."""
    return 2 if len(word) >= LETTERS_FOR_TWO_ERRORS else 1


def end_letters(length: int) -> int:
    """Return how many letters at the beginning and at the end tell a word of this length from others.

    Of a word with one error, either the first so many letters are as they should be or the last; of one with two, too,
    unless there is one at each end.
    """
    return 3 if length >= LETTERS_FOR_TWO_ERRORS else 2


def nearest(typed: str, known: Iterable[KnownWord]) -> str:
    """Return the known word that was most likely meant by `typed`, empty where there is none near enough.

    It has the fewest errors; among equals the same first letter, then the most documents.

    >>> nearest("acsend", [KnownWord("ascend", 3), KnownWord("second", 90)])
    'ascend'
    """
    words = [word for word in known if word.text != typed]
    found = [word for word in words if is_one_error(typed, word.text)]
    if not found and most_errors(typed) > 1:
        letters = set(typed)
        alike = (word for word in words if len(letters.symmetric_difference(word.text)) <= _MOST_OTHER_LETTERS)
        found = [word for word in alike if distance(typed, word.text, 2) <= 2]
    return min(found, key=lambda word: (word.text[0] != typed[0], -word.documents, word.text)).text if found else ""


def is_one_error(one: str, other: str) -> bool:
    """Return whether one letter is wrong, missing, too many or changed about with its neighbour, without counting.

    >>> is_one_error("acsend", "ascend"), is_one_error("conection", "connection"), is_one_error("ascend", "ascend")
    (True, True, False)
    """
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    place = next((n for n, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), None)
    if place is None:
        return True
    if len(one) != len(other):
        shorter, longer = sorted((one, other), key=len)
        return shorter[place:] == longer[place + 1 :]
    rest, other_rest = one[place:], other[place:]
    return rest[1:] == other_rest[1:] or (rest[2:] == other_rest[2:] and rest[:2] == other_rest[1::-1])


def distance(one: str, other: str, most: int) -> int:
    """Return how many letters are wrong, missing, too many or changed about with a neighbour, or `most` + 1 for more.

    The optimal string alignment distance, in a band of `most` beside the diagonal: in proportion to the shorter word.
    """
    beyond = most + 1
    if abs(len(one) - len(other)) > most:
        return beyond
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i] + [beyond] * len(other)
        for j in range(max(1, i - most), min(len(other), i + most) + 1):
            wrong = last[j - 1] + (letter != other[j - 1])
            row[j] = min(wrong, last[j] + 1, row[j - 1] + 1)
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == other[j - 1]:
                row[j] = min(row[j], before[j - 2] + 1)
        if min(row) > most:
            return beyond
        before, last = last, row
    return min(last[-1], beyond)


def spelled_like(typed: str, word: str) -> str:
    """Return a word in small letters with capitals where `typed`, which is nearly the same, has them.

    >>> spelled_like("NotImplmentedError", "notimplementederror")
    'NotImplementedError'
    """
    if typed.isupper():
        return word.upper()
    letters = list(word)
    for start, place, length in SequenceMatcher(None, typed.lower(), word, autojunk=False).get_matching_blocks():
        letters[place : place + length] = typed[start : start + length]
    return "".join(letters)
