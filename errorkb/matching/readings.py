"""Matching: a paste made ready to be matched: its skeleton, and which error each of its lines tells of."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

from errorkb.core.digits import all_digits_aside, digits_aside
from errorkb.core.match_keys import TextWindows, text_windows
from errorkb.core.skeletons import Skeleton, letters_of, make_skeleton
from errorkb.core.template_fits import Fit, Span
from errorkb.core.text_evidence import telling_words
from errorkb.core.throw_places import Trace, path_parts
from errorkb.core.tracebacks import Occurrence, Paste, PasteLine, read_paste

# Pastes of more lines are logs: lines that differ in digits only are looked at once.
FOLDED_FROM = 200
# So many lines of one message are looked at.
MOST_MESSAGE_LINES = 200
# So many blank lines may stand within a message.
_MOST_BLANK = 4
# So many characters of one line are read for words.
MOST_LINE = 2000

# A message behind the place on a frame's line, as loggers print it.
_PLACE_AND_MORE = re.compile(r":\d{1,9} in [\w.<>]{1,100}: \S")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*+")
_number = attrgetter("number")


@dataclass(frozen=True)
class Reading:
    """A paste and its skeleton."""

    paste: Paste
    skeleton: Skeleton
    _letters: dict[int, str] = field(default_factory=dict)
    _spans: dict[int, Span] = field(default_factory=dict)
    _said: dict[int, Mapping[str, int]] = field(default_factory=dict)
    _words: dict[int, frozenset[str]] = field(default_factory=dict)
    _lines: dict[tuple[int, str], Occurrence] = field(default_factory=dict)
    _traces: dict[int, Trace] = field(default_factory=dict)

    @cached_property
    def windows(self) -> TextWindows:
        """Return the windows of the skeleton: each may be the key of something that is known."""
        return text_windows(self.skeleton)

    @cached_property
    def folders(self) -> frozenset[str]:
        """Return the names of all folders and modules on the paste's paths and in its qualified types."""
        frames = (frame for occurrence in self.paste.occurrences for frame in occurrence.frames)
        folders = {part for frame in frames for part in path_parts(frame.path)}
        roots = {occurrence.exception_type.partition(".")[0] for occurrence in self.paste.occurrences}
        return frozenset(folders | roots - {""})

    def occurrence_of(self, fit: Fit) -> Occurrence:
        """Return the error whose message a fit is part of; one that is made of its line where nobody read one."""
        line = self.paste.lines[self.skeleton.numbers[self.skeleton.line_at(fit.start)]]
        covering = self._covering(line.number) or self._just_before(line.number)
        if not covering:
            return self._of_line(line)
        found = self.skeleton.letters[fit.start : fit.start + 20]
        return next((one for one in covering if found in self.message_letters(one)), covering[0])

    def message_letters(self, occurrence: Occurrence) -> str:
        """Return the skeleton of an error's message."""
        key = id(occurrence)
        if key not in self._letters:
            self._letters[key] = letters_of(occurrence.message)
        return self._letters[key]

    def message_words(self, occurrence: Occurrence) -> Mapping[str, int]:
        """Return the words of an error's message that say something, and how often each is there."""
        key = id(occurrence)
        if key not in self._said:
            self._said[key] = telling_words(occurrence.message)
        return self._said[key]

    def trace_of(self, occurrence: Occurrence) -> Trace:
        """Return an error's frames, ready to be compared with throw sites."""
        key = id(occurrence)
        if key not in self._traces:
            self._traces[key] = Trace(occurrence.frames)
        return self._traces[key]

    def text_before(self, offset: int) -> str:
        """Return what stands before a letter of the skeleton on its line, the last few characters."""
        place = self.skeleton.place_of(offset)
        return self.skeleton.lines[place.line][max(0, place.column - 60) : place.column]

    def words_near(self, occurrence: Occurrence) -> frozenset[str]:
        """Return the words of the lines around an error's first one."""
        key = occurrence.number
        if key not in self._words:
            first = bisect_left(self.paste.lines, key - 2, key=_number)
            near = self.paste.lines[first : first + 5]
            self._words[key] = frozenset(word for line in near for word in _IDENTIFIER.findall(line.text[:MOST_LINE]))
        return self._words[key]

    def start_of_message(self, occurrence: Occurrence) -> int:
        """Return the offset in the skeleton at which an error's message begins, behind its type or a log's prefix."""
        return self._span_of(occurrence)[0]

    def end_of_message(self, occurrence: Occurrence) -> int:
        """Return the offset in the skeleton behind an error's message, or behind its last line."""
        return self._span_of(occurrence)[1]

    def _span_of(self, occurrence: Occurrence) -> Span:
        key = id(occurrence)
        if key not in self._spans:
            self._spans[key] = self._find_span(occurrence)
        return self._spans[key]

    def _find_span(self, occurrence: Occurrence) -> Span:
        lines, letters, wanted = self.paste.lines, self.skeleton.letters, self.message_letters(occurrence)
        behind = bisect_right(lines, occurrence.last_number, key=_number)
        start = self.skeleton.line_start(bisect_left(lines, occurrence.number, key=_number))
        end = self.skeleton.line_start(behind)
        # One line of the paste may carry several, with the same number: then it is the message that says where it ends.
        is_shared = behind > 1 and lines[behind - 2].number == occurrence.last_number
        found = letters.find(wanted[:40], start, end if is_shared else start + MOST_LINE)
        start = found if found >= 0 else start
        is_there = is_shared and letters.startswith(wanted, start)
        return start, start + len(wanted) if is_there else end

    def count_of(self, occurrence: Occurrence) -> int:
        """Return how often an error stands in the paste, digits aside."""
        if occurrence.count > 1 or occurrence.exception_type or occurrence.frames:
            return occurrence.count
        return self._line_counts[_folded(occurrence.message.split("\n", 1)[0])] or 1

    @cached_property
    def _line_counts(self) -> Counter[bytes]:
        return Counter(all_digits_aside([line.text.strip() for line in self.paste.lines]))

    def _of_line(self, line: PasteLine) -> Occurrence:
        """Return the error that a line by itself is: one object for all that is found on it."""
        made = Occurrence("", line.text.strip(), line.number, line.number)
        return self._lines.setdefault((line.number, made.message), made)

    def _covering(self, number: int) -> list[Occurrence]:
        """Return the errors whose message has a line, the one that starts last first."""
        return self._by_number.get(number, [])[::-1]

    def _just_before(self, number: int) -> list[Occurrence]:
        """Return the error of a traceback whose message ended before a blank line, just above the line asked about."""
        above = number - 1
        while above in self._blank_numbers and number - above < _MOST_BLANK:
            above -= 1
        return [] if above == number - 1 else [one for one in self._covering(above) if one.frames]

    @cached_property
    def _blank_numbers(self) -> frozenset[int]:
        return frozenset(line.number for line in self.paste.lines if not line.text.strip())

    @cached_property
    def _by_number(self) -> dict[int, list[Occurrence]]:
        by_number: dict[int, list[Occurrence]] = {}
        for one in sorted(self.paste.occurrences, key=lambda occurrence: occurrence.number):
            for number in _message_numbers(one):
                by_number.setdefault(number, []).append(one)
        return by_number


def read(text: str) -> Reading:
    """Read a pasted text. Its skeleton is without lines of source: what they say, no program has said."""
    paste = read_paste(text)
    code = _code_numbers(paste)
    lines = ["" if line.number in code else line.text for line in paste.lines]
    return Reading(paste, make_skeleton(lines, fold=len(lines) > FOLDED_FROM))


def _code_numbers(paste: Paste) -> frozenset[int]:
    """Return the lines that belong to frames: what they say, source says, and not the program that failed."""
    frames = [frame for occurrence in paste.occurrences for frame in occurrence.frames]
    numbers = {frame.number + 1 for frame in frames if frame.code and frame.code in _text_of(paste, frame.number + 1)}
    numbers |= {frame.number for frame in frames if not _PLACE_AND_MORE.search(_text_of(paste, frame.number))}
    messages = {number for occurrence in paste.occurrences for number in _message_numbers(occurrence)}
    return frozenset(numbers - messages)


def _text_of(paste: Paste, number: int) -> str:
    """Return the beginning of the line that has a number, the first of several; empty where none has it."""
    first = bisect_left(paste.lines, number, key=_number)
    is_there = first < len(paste.lines) and paste.lines[first].number == number
    return paste.lines[first].text[:MOST_LINE] if is_there else ""


def _message_numbers(occurrence: Occurrence) -> range:
    last = min(occurrence.last_number, occurrence.number + MOST_MESSAGE_LINES)
    return range(occurrence.number, last + 1)


def _folded(text: str) -> bytes:
    return digits_aside(text.strip())
