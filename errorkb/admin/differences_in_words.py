"""Admin: what differs between two states of a document, in words for curators."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from errorkb.core.differences import ABSENT, Difference, common_beginning

MOST_DIFFERENCES = 200
MOST_LINES = 200
LONGEST_PIECE = 3_000
# So much of what two texts have in common is shown around what they have not.
CONTEXT = 160

_WORDS = {
    "None": "null: stated as unknown",
    "True": "yes",
    "False": "no",
    "''": "empty",
    "[]": "no rows",
    "{}": "empty",
}


@dataclass(frozen=True)
class Piece:
    """A part of a value: its text, and whether it is what changed."""

    text: str
    is_changed: bool = False


@dataclass(frozen=True)
class ShownValue:
    """A value of a document as pieces of text; `is_word` where that text is a word of ours for it."""

    pieces: tuple[Piece, ...]
    is_word: bool = False


@dataclass(frozen=True)
class ShownDifference:
    """One field that differs: where it is, what it was, and what it is."""

    place: str
    old: ShownValue
    new: ShownValue


def shown_differences(found: Iterable[Difference]) -> list[ShownDifference]:
    """Return differences for people, as many as can be read."""
    return [_shown(difference) for difference in islice(found, MOST_DIFFERENCES)]


def place_in_words(path: str) -> str:
    """Return a JSON path without its root: `$.solutions[2].text` gives `solutions[2].text`."""
    return path.removeprefix("$").removeprefix(".") or "the document"


def _shown(difference: Difference) -> ShownDifference:
    old, new = difference.old, difference.new
    place = place_in_words(difference.path)
    if isinstance(old, str) and isinstance(new, str) and old and new:
        return ShownDifference(place, *_both(old, new))
    return ShownDifference(place, _value(old), _value(new))


def _both(old: str, new: str) -> tuple[ShownValue, ShownValue]:
    """Return two texts with what they do not have in common marked; linear, whatever the texts."""
    head = common_beginning(old, new)
    tail = common_beginning(old[head:][::-1], new[head:][::-1])
    return _marked(old, head, tail), _marked(new, head, tail)


def _marked(text: str, head: int, tail: int) -> ShownValue:
    end = len(text) - tail
    before = ("…" if head > CONTEXT else "") + text[max(0, head - CONTEXT) : head]
    after = text[end : end + CONTEXT] + ("…" if tail > CONTEXT else "")
    pieces = (Piece(before), Piece(_cut(text[head:end]), is_changed=True), Piece(after))
    return ShownValue(tuple(piece for piece in pieces if piece.text))


def _value(value: Any) -> ShownValue:
    if value is ABSENT:
        return ShownValue((Piece("not there"),), is_word=True)
    word = _WORDS.get(repr(value)) if not isinstance(value, str) or not value else None
    if word:
        return ShownValue((Piece(word),), is_word=True)
    lines = list(islice(_lines(value, ""), MOST_LINES + 1))
    text = "\n".join(lines[:MOST_LINES]) + ("\n…" if len(lines) > MOST_LINES else "")
    return ShownValue((Piece(_cut(text), is_changed=True),))


def _lines(value: Any, place: str) -> Iterator[str]:
    """Yield the leaves of a value, a line each: `kind: upgrade`."""
    if isinstance(value, dict | list) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _lines(item, _inside(place, key, item))
        return
    text = value if isinstance(value, str) and value else _WORDS.get(repr(value), str(value))
    yield f"{place}: {text}" if place else text


def _inside(place: str, key: str | int, item: Any) -> str:
    """Return the place of an item; texts and numbers of one list are not told apart."""
    if isinstance(key, str):
        return f"{place}.{key}".removeprefix(".")
    return f"{place}[{key}]" if isinstance(item, dict | list) else place


def _cut(text: str) -> str:
    if len(text) <= LONGEST_PIECE:
        return text
    return f"{text[:LONGEST_PIECE]}… ({len(text) - LONGEST_PIECE:,} characters more)"
