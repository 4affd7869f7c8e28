"""Core: how much the text of a template says that stands in a paste, whole or in part."""

from collections import Counter
from functools import lru_cache

from errorkb.core.skeletons import words_of
from errorkb.core.template_fits import Fit
from errorkb.core.template_literals import shape_of
from errorkb.core.word_frequencies import text_bits, word_bits

# A word that stands in a text for the second time says nothing new.
_LEAST_WORD = 3


def fit_bits(fit: Fit) -> float:
    """Return how rare the literal text is that a fit has found, in bits; of a part of a literal, as much as it is."""
    total = 0.0
    for bits, letters, found in zip(*_literals(fit.template), fit.found, strict=True):
        if letters:
            total += bits * found / letters
    return total


def is_head(fit: Fit) -> bool:
    """Say whether a fit lacks nothing but literals at the end of its template: the paste was cut, or quotes a line."""
    literals = shape_of(fit.template).letters
    wanted = [span for span, letters in zip(fit.spans, literals, strict=True) if letters]
    sizes = [len(letters) for letters in literals if letters]
    count = sum(span is not None for span in wanted)
    whole = all(span and span[1] - span[0] == size for span, size in zip(wanted[: count - 1], sizes, strict=False))
    return whole and wanted[0] is not None and all(span is not None for span in wanted[:count])


def template_bits(template: str) -> float:
    """Return how rare a template's literal text is, in bits."""
    return sum(_literals(template)[0])


def literal_letters(template: str) -> str:
    """Return the letters of all literals of a template, joined, in lower case."""
    return "".join(shape_of(template).letters)


def likeness(template: str, message: str) -> tuple[float, float]:
    """Return what part of a template's literal words a message has, 0 to 1 by their rarity, and their bits.

    For messages that were reworded: order and neighbourhood do not count.
    """
    wanted = Counter(_telling_words(" ".join(shape_of(template).texts)))
    offered = Counter(_telling_words(message))
    whole = sum(word_bits(word) * count for word, count in wanted.items())
    found = sum(word_bits(word) * count for word, count in (wanted & offered).items())
    return (found / whole if whole else 0.0), found


def _telling_words(text: str) -> list[str]:
    return [word.lower() for word in words_of(text) if len(word) >= _LEAST_WORD or not word.isascii()]


@lru_cache(maxsize=4096)
def _literals(template: str) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the bits and the number of letters of each literal of a template."""
    shape = shape_of(template)
    return tuple(map(text_bits, shape.texts)), tuple(map(len, shape.letters))
