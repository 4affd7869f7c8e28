"""Core: how rare words are in error messages, by a table that never changes, so that keys depend on templates alone.

`word_frequencies.txt` is made by `tools/count_words.py`, which says what its lines mean.
"""

from functools import cache
from pathlib import Path

from errorkb.core.skeletons import words_of

# What is in no table stands in one of so many messages, as a power of two.
BITS_OF_UNKNOWN = 14.0
_BITS_OF_CJK_LETTER = 6.0
_BITS_OF_DIGIT = 3.0


def word_bits(word: str) -> float:
    """Return how rare a word is: it stands in about one of two to the power of this many messages.

    Letter case does not matter. A word that no table has is rarer the longer it is; a number is as rare as its digits.
    """
    known = _table().get(word.lower())
    if known is not None:
        return known
    if word.isdigit():
        return min(_BITS_OF_DIGIT * len(word), BITS_OF_UNKNOWN)
    if len(word) == 1 and not word.isascii():
        return _BITS_OF_CJK_LETTER
    return min(BITS_OF_UNKNOWN, 4.0 + 2.0 * len(word))


def is_frequent(word: str) -> bool:
    """Return whether a word is one of the few thousand that the table has; letter case does not matter."""
    return word.lower() in _table()


def text_bits(text: str) -> float:
    """Return how rare a text is: the sum of its words, as if they were independent."""
    return sum(map(word_bits, words_of(text)))


@cache
def _table() -> dict[str, float]:
    lines = Path(__file__).with_suffix(".txt").read_text("ascii").splitlines()
    return {word: int(level) / 2 for level, *words in map(str.split, lines) for word in words}
