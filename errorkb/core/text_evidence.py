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
    for bits, letters, span in zip(*_literals(fit.template), fit.spans, strict=True):
        if span and letters:
            total += bits * (span[1] - span[0]) / letters
    return total


def template_bits(template: str) -> float:
    """Return how rare a template's literal text is, in bits."""
    return sum(_literals(template)[0])


def literal_letters(template: str) -> str:
    """Return the letters of all literals of a template, joined, in lower case."""
    return "".join(literal.letters for literal in shape_of(template).literals).lower()


def likeness(template: str, message: str) -> tuple[float, float]:
    """Return what part of a template's literal words a message has, 0 to 1 by their rarity, and their bits.

    For messages that were reworded: order and neighbourhood do not count.
    """
    wanted = Counter(_telling_words(" ".join(literal.text for literal in shape_of(template).literals)))
    offered = Counter(_telling_words(message))
    whole = sum(word_bits(word) * count for word, count in wanted.items())
    found = sum(word_bits(word) * count for word, count in (wanted & offered).items())
    return (found / whole if whole else 0.0), found


def _telling_words(text: str) -> list[str]:
    return [word.lower() for word in words_of(text) if len(word) >= _LEAST_WORD or not word.isascii()]


@lru_cache(maxsize=4096)
def _literals(template: str) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the bits and the number of letters of each literal of a template."""
    literals = shape_of(template).literals
    return tuple(text_bits(literal.core) for literal in literals), tuple(len(literal.letters) for literal in literals)
