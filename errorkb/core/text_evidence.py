"""Core: how much the text of a template says that stands in a paste, whole or in part."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from errorkb.core.scoring import Extent
from errorkb.core.skeletons import Skeleton, letters_of, words_of
from errorkb.core.template_fits import Fit
from errorkb.core.template_literals import MOST_CHARACTERS, shape_of
from errorkb.core.word_frequencies import text_bits, word_bits

# Of so much of the literal text, all that matters has been found.
_WHOLE = 0.97
# Letters and words that the value of the last slot may have where a text is cut.
_MOST_VALUE = 60
_MOST_WORDS = 2
_QUOTES = {"'": "'", '"': '"', "`": "`", "[": "]", "{": "}", "(": ")", "<": ">"}
# What Markdown, terminals and word processors take away or change.
_NOISE = str.maketrans("", "", "'\"\\“”‘’")
_EATEN = "_*`"
# What ends a quote within a line.
_CLOSES = re.compile("[\"`\u3001\u3002](?![A-Za-z0-9])|\u300d|(?<=\\w)'(?=[\\s.,;:)]|$)")
# A word that stands in a text for the second time says nothing new.
_LEAST_WORD = 3


def fit_bits(fit: Fit) -> float:
    """Return how rare the literal text is that a fit has found, in bits; of a part of a literal, as much as it is."""
    shape = shape_of(fit.template)
    total = 0.0
    for text, letters, found in zip(shape.texts, shape.letters, fit.found, strict=True):
        if found:
            total += _bits(text) * found / len(letters)
    return total


def whole_bits(template: str) -> float:
    """Return how rare the literal text of a template is, in bits: what `fit_bits` returns where all of it is found."""
    return _whole_bits(template[:MOST_CHARACTERS])


@lru_cache(maxsize=4096)
def _whole_bits(template: str) -> float:
    return sum(_bits(text) for text in shape_of(template).texts)


def extent_of(fit: Fit, skeleton: Skeleton, end: int) -> Extent:
    """Return how much of its template a fit has found; `end` is the offset behind the message.

    The text is cut where all that is missing is at the end, and the message ends there as well: within a literal, or
    soon after one, in the value of a slot.
    """
    if fit.share >= _WHOLE:
        return Extent.WHOLE
    sizes = [(found, len(text)) for found, text in zip(fit.found, shape_of(fit.template).letters, strict=True) if text]
    count = next((n for n, (found, _) in enumerate(sizes) if not found), len(sizes))
    is_head = count and not any(found for found, _ in sizes[count:])
    if not is_head or any(found < size for found, size in sizes[: count - 1]):
        return Extent.PARTIAL
    last, size = sizes[count - 1]
    if not _is_prefix(fit, skeleton, last):
        return Extent.PARTIAL
    if last < size:
        return Extent.CUT if is_last(fit, skeleton, end) else Extent.PARTIAL
    return Extent.CUT if _is_one_value(skeleton, fit.end, end) else Extent.PARTIAL


def is_last(fit: Fit, skeleton: Skeleton, end: int) -> bool:
    """Say whether a message, or the quote in it, ends where a fit ends."""
    return _quote_end(skeleton, fit.end, end) == fit.end


def _is_prefix(fit: Fit, skeleton: Skeleton, found: int) -> bool:
    """Say whether what was found of the last literal that was found at all is its beginning."""
    span, letters = next(
        (span, letters)
        for span, letters in zip(fit.spans[::-1], shape_of(fit.template).letters[::-1], strict=True)
        if span and letters
    )
    return skeleton.letters[span[0] : span[0] + found] == letters[:found]


def is_alike(template: str, slots: Mapping[str, str], text: str) -> bool:
    """Say whether a template with its slots' values stands in a text, but for what pasting does to signs.

    White space and quotes do not count, nor underscores, asterisks and backticks where the text has none, nor letter
    case where the text has one only; all other signs do.
    """
    shape = shape_of(template)
    seen: Counter[str] = Counter()
    pieces = [shape.texts[0]]
    for name, literal in zip(shape.slots, shape.texts[1:], strict=True):
        seen[name] += 1
        pieces += [slots.get(f"{name}_{seen[name]}", slots.get(name, "")), literal]
    eaten = str.maketrans("", "", "".join(sign for sign in _EATEN if sign not in text))
    wanted, found = _without_noise("".join(pieces).translate(eaten)), _without_noise(text)
    return wanted.lower() in found.lower() if text.isupper() or text.islower() else wanted in found


def _without_noise(text: str) -> str:
    return "".join(text.translate(_NOISE).split())


def _is_one_value(skeleton: Skeleton, start: int, end: int) -> bool:
    """Say whether nothing but the value of one slot follows a letter up to the end of the message or quote."""
    if _quote_end(skeleton, start, end) - start > _MOST_VALUE:
        return False
    place = skeleton.end_of(start)
    rest = _before_close(skeleton.lines[place.line], place.column).strip(" :=,-.")
    return _is_in_quotes(rest) or len(rest.split()) <= _MOST_WORDS


def _is_in_quotes(text: str) -> bool:
    """Say whether a text is one quote or bracket, which may have been cut before its end."""
    close = _QUOTES.get(text[:1])
    return close is not None and text.find(close, 1) in (-1, len(text) - 1)


def _quote_end(skeleton: Skeleton, start: int, end: int) -> int:
    """Return where the message ends that has a letter: at `end`, or at a quote's end on the same line before that."""
    place = skeleton.end_of(start)
    line = skeleton.lines[place.line]
    rest = _before_close(line, place.column)
    if len(rest) == len(line) - place.column:
        return max(start, end)
    return min(max(start, end), start + len(letters_of(rest)))


def _before_close(line: str, column: int) -> str:
    """Return the rest of a line, up to where a quote is closed."""
    closed = _CLOSES.search(line, column, column + 4 * _MOST_VALUE)
    return line[column : closed.start()] if closed else line[column:]


def found_letters(fit: Fit, skeleton: Skeleton) -> str:
    """Return the letters of literals that a fit has found, joined."""
    return "".join(skeleton.letters[span[0] : span[1]] for span in fit.spans if span)


def likeness(template: str, said: Mapping[str, int]) -> tuple[float, float]:
    """Return what part of a template's literal words a message has, 0 to 1 by their rarity, and their bits.

    For messages that were reworded: order and neighbourhood do not count. `said` are the message's `telling_words`.
    """
    wanted, whole = _wanted(template[:MOST_CHARACTERS])
    found = sum(bits * min(count, said[word]) for word, bits, count in wanted if word in said)
    return (found / whole if whole else 0.0), found


def telling_words(text: str) -> Mapping[str, int]:
    """Return the words of a text that are long enough to say something, in small letters, and how often each is there.

    >>> dict(telling_words("No model of the Model"))
    {'model': 2, 'the': 1}
    """
    return Counter(word.lower() for word in words_of(text) if len(word) >= _LEAST_WORD or not word.isascii())


@lru_cache(maxsize=2048)
def _wanted(template: str) -> tuple[tuple[tuple[str, float, int], ...], float]:
    """Return the telling words of a template's literal texts, the bits and the count of each, and all bits together."""
    words = telling_words(" ".join(shape_of(template).texts))
    wanted = tuple((word, word_bits(word), count) for word, count in words.items())
    return wanted, sum(bits * count for _, bits, count in wanted)


_bits = lru_cache(maxsize=4096)(text_bits)
