"""Core: a text reduced to its words, in small letters and joined: what wrapping, quotes and Markdown leave as it is.

Templates are looked for in skeletons: a line break lost or added, in the middle of a word too, an underscore that
Markdown ate, a quote that a word processor bent make no difference there.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from errorkb.core.digits import all_digits_aside

# Scripts without spaces between words: each of their letters is a word. Kana, ideographs, Hangul, their extensions.
CJK_LETTERS = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"

_ASCII_WORD = re.compile("[0-9A-Za-z]+")
_WORD = re.compile(rf"[^\W_{CJK_LETTERS}]+|[{CJK_LETTERS}]")
# A long line is read in blocks that end with a word, for a list of all its words would take ten times its memory.
_BLOCK_LENGTH = 1 << 15
_BLOCK = re.compile(rf"(?s).{{1,{_BLOCK_LENGTH}}}[^\W_{CJK_LETTERS}]*+")
_SMALL = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_ONLY_LETTERS: dict[int, int | None] = {n: ord(chr(n).lower()) if chr(n).isalnum() else None for n in range(128)}


def words_of(text: str) -> list[str]:
    """Return the words of a text: runs of letters and digits; each letter of a script without spaces.

    >>> words_of("Can't load `my_model` 模型")
    ['Can', 't', 'load', 'my', 'model', '模', '型']
    """
    return _finder(text).findall(text)


def letters_of(text: str) -> str:
    """Return the skeleton of a text as a string: its words, joined."""
    return text.translate(_ONLY_LETTERS) if text.isascii() else _in_small_letters("".join(words_of(text)))


class Place(NamedTuple):
    """A place in a text: line and column, both from 0."""

    line: int
    column: int


@dataclass(frozen=True)
class Skeleton:
    """The words of several lines, joined, and the way back.

    `letters` are the words; `word_starts` the offset in them of each word; `line_starts` that of each of `lines`, and
    the end. `lines` are those that were kept; `numbers` says which of the lines that were given they are, from 0.
    """

    letters: str
    word_starts: "array[int]"
    lines: Sequence[str]
    numbers: Sequence[int]
    line_starts: "array[int]"
    _spans: dict[int, tuple["array[int]", "array[int]"]] = field(default_factory=dict, compare=False, repr=False)

    def starts_word(self, offset: int) -> bool:
        """Say whether a word starts at an offset."""
        found = bisect_left(self.word_starts, offset)
        return found < len(self.word_starts) and self.word_starts[found] == offset

    def ends_word(self, offset: int) -> bool:
        """Say whether a word ends just before an offset."""
        return offset == len(self.letters) or self.starts_word(offset)

    def line_at(self, offset: int) -> int:
        """Return the position in `lines` of the line that has the letter at an offset."""
        return bisect_right(self.line_starts, offset, 0, len(self.lines)) - 1

    def line_start(self, number: int) -> int:
        """Return the offset of the first letter at or behind the start of a line that was given, by its number."""
        return self.line_starts[bisect_left(self.numbers, number)]

    def place_of(self, offset: int) -> Place:
        """Return where in `lines` the letter at an offset stands."""
        line = self.line_at(offset)
        starts, columns = self._spans_of(line)
        word = bisect_right(starts, offset) - 1
        return Place(line, columns[word] + offset - starts[word])

    def end_of(self, offset: int) -> Place:
        """Return the place in `lines` just behind the letter that is before an offset."""
        place = self.place_of(offset - 1)
        return Place(place.line, place.column + 1)

    def between(self, start: Place, end: Place, most: int) -> str:
        """Return the text between two places in `lines`, `most` characters at most."""
        if start.line == end.line:
            return self.lines[start.line][start.column : min(end.column, start.column + most)]
        pieces = [self.lines[start.line][start.column : start.column + most]]
        room = most - len(pieces[0]) - 1
        for line in range(start.line + 1, end.line + 1):
            if room <= 0:
                break
            stop = end.column if line == end.line else room
            pieces.append(self.lines[line][: min(stop, room)])
            room -= len(pieces[-1]) + 1
        return "\n".join(pieces)

    def _spans_of(self, line: int) -> tuple["array[int]", "array[int]"]:
        """Return offsets and columns of a line's words; worked out once for each line that somebody asks about."""
        if line not in self._spans:
            text, first = self.lines[line], self.line_starts[line]
            columns, lengths = array("I"), array("I")
            for match in _finder(text).finditer(text):
                columns.append(match.start())
                lengths.append(match.end() - match.start())
            self._spans[line] = array("I", accumulate(lengths, initial=first)), columns
        return self._spans[line]


def make_skeleton(lines: Sequence[str], *, fold: bool = False) -> Skeleton:
    """Return the skeleton of lines, in linear time.

    With `fold`, of lines that differ in digits only the first is kept: logs say the same thing many times.

    >>> make_skeleton(["2 of 3 failed:", "no `foo_bar`"]).letters
    '2of3failednofoobar'
    """
    numbers = _first_of_each(lines) if fold else range(len(lines))
    kept = [lines[number] for number in numbers] if fold else lines
    pieces: list[str] = []
    lengths, line_lengths = array("I"), array("I")
    for line in kept:
        count = 0
        for block in (line,) if len(line) <= _BLOCK_LENGTH else _BLOCK.findall(line):
            words = _finder(block).findall(block)
            pieces.append(_in_small_letters("".join(words)))
            lengths.extend(map(len, words))
            count += len(pieces[-1])
        line_lengths.append(count)
    letters = "".join(pieces)
    return Skeleton(
        letters, array("I", _starts(lengths)), kept, numbers, array("I", accumulate(line_lengths, initial=0))
    )


def _in_small_letters(letters: str) -> str:
    """Return letters in lower case; the few that would become two are left as they are."""
    small = letters.lower()
    return small if len(small) == len(letters) else letters.translate(_SMALL)


def _finder(text: str) -> "re.Pattern[str]":
    return _ASCII_WORD if text.isascii() else _WORD


def _starts(lengths: "array[int]") -> Iterable[int]:
    return accumulate(lengths[:-1], initial=0) if lengths else ()


def _first_of_each(lines: Sequence[str]) -> list[int]:
    """Return the numbers of the first of all lines that are alike but for digits."""
    numbers: dict[bytes, int] = {}
    keep: Callable[[bytes, int], int] = numbers.setdefault
    for number, line in enumerate(all_digits_aside(lines)):
        keep(line, number)
    return list(numbers.values())
