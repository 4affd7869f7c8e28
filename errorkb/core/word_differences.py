"""Core: which words of two texts differ."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from errorkb.core.differences import common_beginning

# More words between what two texts begin and end with in common are not compared: that takes time by their square.
MAX_WORDS = 120
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True)
class WordPiece:
    """A piece of a text, and whether the other text lacks it."""

    text: str
    is_changed: bool = False


@dataclass(frozen=True)
class WordDifference:
    """Two texts in pieces."""

    old: tuple[WordPiece, ...]
    new: tuple[WordPiece, ...]


def word_difference(old: str, new: str) -> WordDifference:
    """Return two texts in pieces, those that only one of them has being marked.

    `bad value` and `bad values` differ in their last word: `(bad )(value)`, `(bad )(values)`.
    """
    ours, theirs = _WORDS.findall(old), _WORDS.findall(new)
    head = common_beginning(ours, theirs)
    tail = common_beginning(ours[head:][::-1], theirs[head:][::-1])
    left, right = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    if max(len(left), len(right)) > MAX_WORDS:
        codes: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(left), 0, len(right))]
    else:
        codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    start, end = WordPiece("".join(ours[:head])), WordPiece("".join(ours[len(ours) - tail :]))
    return WordDifference(
        _joined([start, *(WordPiece("".join(left[a:b]), tag != "equal") for tag, a, b, _, _ in codes), end]),
        _joined([start, *(WordPiece("".join(right[c:d]), tag != "equal") for tag, _, _, c, d in codes), end]),
    )


def _joined(pieces: Iterable[WordPiece]) -> tuple[WordPiece, ...]:
    return tuple(piece for piece in pieces if piece.text)
