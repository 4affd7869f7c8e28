"""Core: the keys by which a template is looked up: windows of its skeleton that a text with the message has as well.

A window is so many letters from the start of a word, within one literal text; which one is a template's key depends
on the template alone: the rarest by `word_frequencies`. A text has each of its windows as a possible key. Words that
begin with a digit start no window, for half the words of a log do.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import accumulate

from errorkb.core.builtin_messages import is_builtin_type
from errorkb.core.skeletons import CJK_LETTERS, Skeleton, words_of
from errorkb.core.template_literals import Literal, shape_of
from errorkb.core.word_frequencies import word_bits

# Letters of a window, longest first: a literal that is too short for the first has keys of the second, or none.
LENGTHS = (14, 6)
CJK_LENGTHS = (6, 3)

# So many different windows of a text are looked up, and so many places of each are told.
MOST_WINDOWS = 250_000
MOST_PLACES = 16

_CJK = re.compile(f"[{CJK_LETTERS}]")


@dataclass(frozen=True, slots=True)
class _Window:
    """A possible key of a template: its letters, where they are, and how good a key they are."""

    letters: str
    literal: int
    offset: int
    rank: tuple[int, float]

    def overlaps(self, other: "_Window") -> bool:
        end, other_end = self.offset + len(self.letters), other.offset + len(other.letters)
        return self.literal == other.literal and self.offset < other_end and other.offset < end


@dataclass(frozen=True, slots=True)
class TextWindows:
    """The windows of a text, each once; `is_cut` says that there were more than are looked up."""

    found: frozenset[str]
    is_cut: bool
    _letters: str
    _starts: tuple[tuple[tuple[int, ...], list[int]], ...]

    def places(self, keys: Collection[str]) -> dict[str, list[int]]:
        """Return for each of `keys` the first offsets in the skeleton at which it is a window, MOST_PLACES at most."""
        places: dict[str, list[int]] = {key: [] for key in keys}
        letters = self._letters
        for lengths, starts in self._starts:
            for length in lengths:
                for start in [start for start in starts if letters[start : start + length] in places]:
                    offsets = places[letters[start : start + length]]
                    if len(offsets) < MOST_PLACES:
                        offsets.append(start)
        return places


def template_keys(template: str) -> tuple[str, str]:
    """Return a template's key and check key: its two best windows that do not overlap, "" where there is none.

    >>> template_keys("Model class {0} doesn't declare an explicit app_label")
    ('declareanexpli', 'Modelc')
    """
    windows = list(_template_windows(template))
    if not windows:
        return "", ""
    key = max(windows, key=_rank)
    check = max((window for window in windows if not window.overlaps(key)), key=_rank, default=None)
    return key.letters, check.letters if check else ""


def type_key(exception_type: str) -> str:
    """Return the key by which entries of an exception type are looked up; "" for those that Python itself has.

    It is the last name, without the underscores that Markdown eats: `type_key("aiohttp.ClientError")` is `ClientError`.
    """
    if not exception_type or is_builtin_type(exception_type):
        return ""
    return exception_type.rpartition(".")[2].replace("_", "")[:200]


def text_windows(skeleton: Skeleton) -> TextWindows:
    """Return every window of a text that can be a key. Linear in the text; bounded by MOST_WINDOWS."""
    letters = skeleton.letters
    starts = _starts_by_lengths(skeleton)
    found: set[str] = set()
    for lengths, offsets in starts:
        for length in lengths:
            for first in range(0, len(offsets), MOST_WINDOWS):
                found.update([letters[start : start + length] for start in offsets[first : first + MOST_WINDOWS]])
                if len(found) > MOST_WINDOWS:
                    return TextWindows(frozenset(found), True, letters, starts)
    return TextWindows(frozenset(found), False, letters, starts)


def _starts_by_lengths(skeleton: Skeleton) -> tuple[tuple[tuple[int, ...], list[int]], ...]:
    """Return the starts of the words that can start windows, with the lengths of those."""
    letters = skeleton.letters
    starts = [start for start in skeleton.word_starts if letters[start] > "9"]
    if letters.isascii():
        return ((LENGTHS, starts),)
    cjk = [start for start in starts if _CJK.match(letters, start)]
    others = [start for start in starts if not _CJK.match(letters, start)]
    return (LENGTHS, others), (CJK_LENGTHS, cjk)


def _rank(window: _Window) -> tuple[int, float]:
    return window.rank


def _template_windows(template: str) -> Iterator[_Window]:
    for position, literal in enumerate(shape_of(template).literals):
        yield from _literal_windows(literal, position)


def _literal_windows(literal: Literal, position: int) -> Iterator[_Window]:
    """Yield the windows of one literal; a word that touches the slot before it may be glued to a value: none starts."""
    words = words_of(literal.core)
    offsets = list(accumulate(map(len, words), initial=0))
    bits = list(map(word_bits, words))
    for n, word in enumerate(words):
        is_cjk = _CJK.match(word) is not None
        if word[0] <= "9" or (n == 0 and position and not literal.head and not is_cjk):
            continue
        for rank, length in enumerate(CJK_LENGTHS if is_cjk else LENGTHS):
            if offsets[n] + length <= offsets[-1]:
                worth = _bits_of_window(words, bits, n, length)
                yield _Window(literal.letters[offsets[n] : offsets[n] + length], position, offsets[n], (-rank, worth))


def _bits_of_window(words: list[str], bits: list[float], first: int, length: int) -> float:
    """Return how rare a window is: the sum of its words; of the last one, as much as is in it."""
    total = 0.0
    for word, worth in zip(words[first:], bits[first:], strict=True):
        if length <= 0:
            break
        total += worth * min(1.0, length / len(word))
        length -= len(word)
    return total
