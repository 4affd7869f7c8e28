"""Core: the keys by which a template is looked up: windows of its skeleton that a text with the message has as well.

A window is so many letters from the start of a word, within one literal text; which one is a template's key depends
on the template alone: the rarest by `word_frequencies`. A text has each of its windows as a possible key. Words that
begin with a digit start no window, for half the words of a log do.
"""

import re
import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from errorkb.core.builtin_messages import is_builtin_type
from errorkb.core.skeletons import CJK_LETTERS, Skeleton, words_of
from errorkb.core.template_literals import Shape, shape_of
from errorkb.core.word_frequencies import word_bits

# Letters of a window, longest first: a literal that is too short for the first has keys of the second, or none.
LENGTHS = (12, 8)
CJK_LENGTHS = (6, 4)
# The key is from the first half of a template, at least and at most so many letters, if a strong window is there; the
# check key is from the second half.
LEAST_HEAD = 24
MOST_HEAD = 60

# So many different windows of a text are looked up, and so many places of each are told.
MOST_WINDOWS = 150_000
MOST_PLACES = 16

_CJK = re.compile(f"[{CJK_LETTERS}]")
_bits = itemgetter(0)
# Windows are made in chunks of so many, for a bound is looked at between them.
_CHUNK = 50_000
# Lengths of windows, and the offsets at which windows of these lengths start.
_Starts = tuple[tuple[int, ...], "array[int]"]


class _Window(NamedTuple):
    """A possible key of a template: how rare it is, and where in which literal."""

    bits: float
    literal: int
    start: int
    end: int

    def overlaps(self, other: "_Window") -> bool:
        return self.literal == other.literal and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class TextWindows:
    """The windows of a text, each once; `is_cut` says that there were more than are looked up."""

    found: Set[str]
    is_cut: bool
    _letters: str
    _starts: Sequence[_Starts]

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

    The key is from the head of the template if it can be, for people cut messages at their end; the check key from its
    tail, for there are more messages that begin alike than such that begin and end alike.

    >>> template_keys("Model class {0} doesn't declare an explicit app_label")
    ('declareanexp', 'modelcla')
    """
    shape = shape_of(template)
    strong = _windows(shape, 0)
    middle = shape.letter_count // 2
    head = _within(shape, strong, end=min(max(middle, LEAST_HEAD), MOST_HEAD))
    key = _best([head, strong], None) or _best([_windows(shape, 1)], None)
    tail = _within(shape, strong, start=middle)
    check = (_best([tail, strong], key) or _best([_windows(shape, 1)], key)) if key else None
    return _letters(shape, key), _letters(shape, check)


def is_strong(key: str) -> bool:
    """Say whether a key is a window of the longest kind: such a one says something alone."""
    return len(key) >= LENGTHS[0] or (len(key) >= CJK_LENGTHS[0] and not key[0].isascii())


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
            for first in range(0, len(offsets), _CHUNK):
                found.update([letters[start : start + length] for start in offsets[first : first + _CHUNK]])
                if len(found) > MOST_WINDOWS:
                    return TextWindows(found, True, letters, starts)
    return TextWindows(found, False, letters, starts)


def _starts_by_lengths(skeleton: Skeleton) -> Sequence[_Starts]:
    """Return the starts of the words that can start windows, with the lengths of those."""
    letters = skeleton.letters
    starts = (start for start in skeleton.word_starts if letters[start] > "9")
    if letters.isascii():
        return ((LENGTHS, array("I", starts)),)
    cjk, others = array("I"), array("I")
    for start in starts:
        is_cjk = letters[start] >= CJK_LETTERS[0] and _CJK.match(letters, start)
        (cjk if is_cjk else others).append(start)
    return (LENGTHS, others), (CJK_LENGTHS, cjk)


def _best(classes: Iterable[Sequence[_Window]], taken: _Window | None) -> _Window | None:
    """Return the rarest window of the first class that has one beside `taken`."""
    for windows in classes:
        free = [window for window in windows if taken is None or not window.overlaps(taken)]
        if free:
            return max(free, key=_bits)
    return None


def _within(shape: Shape, windows: Sequence[_Window], start: int = 0, end: int = sys.maxsize) -> list[_Window]:
    """Return the windows that lie between two of all the letters of a template."""
    before = list(accumulate(map(len, shape.letters), initial=0))
    if len(before) == 2:
        return [one for one in windows if start <= one.start and one.end <= end]
    return [one for one in windows if start <= before[one.literal] + one.start and before[one.literal] + one.end <= end]


def _letters(shape: Shape, window: _Window | None) -> str:
    return shape.letters[window.literal][window.start : window.end] if window else ""


def _windows(shape: Shape, rank: int) -> list[_Window]:
    """Return the windows of one class of lengths in the order of the template."""
    least = min(LENGTHS[rank], CJK_LENGTHS[rank])
    return [
        window
        for literal, (text, letters) in enumerate(zip(shape.texts, shape.letters, strict=True))
        if len(letters) >= least
        for window in _text_windows(text, rank, literal)
    ]


def _text_windows(text: str, rank: int, literal: int) -> Iterator[_Window]:
    """Yield the windows of one literal; a word that touches the slot before it may be glued to a value: none starts."""
    words = words_of(text)
    starts = [*accumulate(map(len, words), initial=0)]
    sums = [*accumulate(map(word_bits, words), initial=0.0)]
    is_ascii = text.isascii()
    glued = words[0] if literal > 0 and text.startswith(words[0]) else ""
    for word, start, before in zip(words, starts, sums, strict=False):
        is_cjk = not is_ascii and _CJK.match(word) is not None
        end = start + (CJK_LENGTHS if is_cjk else LENGTHS)[rank]
        if word[0] <= "9" or end > starts[-1] or (start == 0 and glued and not is_cjk):
            continue
        last = bisect_left(starts, end) - 1
        part = (end - starts[last]) / len(words[last])
        yield _Window(sums[last] - before + part * (sums[last + 1] - sums[last]), literal, start, end)
