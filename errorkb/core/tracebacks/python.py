"""Core: Python's errors in a paste: one reader a stream, which goes through its lines once.

A line is shown to each rule of `_RULES` in turn until one takes it. Frames are collected until the error that they lead
to is told; lines behind it are its message until something else begins.
"""

import re
from collections.abc import Callable

from errorkb.core.tracebacks.drafts import Draft, Numbers
from errorkb.core.tracebacks.pastes import Frame, PasteLine
from errorkb.core.tracebacks.python_broken import BrokenFrames
from errorkb.core.tracebacks.python_errors import Error, error_behind, names_error, raised_error
from errorkb.core.tracebacks.python_lines import (
    frames_of,
    is_annotation,
    is_prompt,
    is_rule,
    place_before,
    plain_code,
)
from errorkb.core.tracebacks.python_links import Links
from errorkb.core.tracebacks.python_mentions import mentions_of
from errorkb.core.tracebacks.python_pages import PageField, page_field
from errorkb.core.tracebacks.python_pytest import PytestLines
from errorkb.core.tracebacks.python_traces import SOON, Trace

# Pastes of so many lines may hold sentences that quote an error.
_SHORT = 200

_TRACEBACK = re.compile(r"raceback \((?:most recent call last|innermost last)\)|raceback`? \(most recent")
_NEWEST_FIRST = "most recent call first"
_FOLLOWS = re.compile(
    r"^\W*(?:During handling of the above exception|The above exception(?: \(.{0,2000}\))? was the direct cause of)"
)
_LINK_MESSAGE = re.compile(r"above exception \((?P<message>.*)\)(?: was the direct|, another)")
_LINK_REST = re.compile(r"^\s*(?:(?:of|the|following|another|exception|occurred)\b[ :,]*)+$")
_REPEATED = re.compile(r"^\s*\[Previous line repeated \d+ more times?\]|^\s*\[\.\.\. skipp")
_MEMBER = re.compile(r"^-{4} (?:\d+|\.\.\.) -{4}$|^\s*╭─+ Sub-exception #\d")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})\s*[\w+-]{0,20}\s*$")


class StreamReader:
    """Reads the lines of one stream; `drafts` are the errors that it has found, in order."""

    def __init__(self, numbers: Numbers, *, is_short: bool) -> None:
        self.drafts: list[Draft] = []
        self._is_short = is_short
        self._links = Links(numbers)
        self._numbers = numbers
        self._trace = Trace()
        self._open: Draft | None = None
        self._broken = BrokenFrames()
        self._pytest = PytestLines()
        self._page: Draft | None = None

    def read(self, line: PasteLine) -> None:
        """Take the next line."""
        for ready in self._broken.passed(line):
            self._read(ready)

    def end(self) -> None:
        """Take the end of the paste: frames whose error is missing are an error all the same."""
        for line in self._broken.rest():
            self._read(line)
        self._flush()

    def _read(self, line: PasteLine) -> None:
        for rule in _RULES:
            if rule(self, line):
                return

    # The rules, in the order in which they are tried; each says whether it took the line.

    def _take_blank(self, line: PasteLine) -> bool:
        """Close what a blank line, a fence, a rule or a prompt ends."""
        text = line.text
        if text.strip() and not (_FENCE.match(text) or is_rule(text) or is_prompt(text)):
            return False
        if self._open is not None and not (self._open.shape == "debug page" and not any(self._open.lines)):
            self._open = None
        if text.strip():
            self._pytest.forget()
        return True

    def _take_member(self, line: PasteLine) -> bool:
        """Begin the next member of an exception group, or see that the group is over."""
        if self._links.group_depth is None:
            return False
        if _MEMBER.match(line.text):
            self._flush()
            self._open = None
            self._links.begin_member()
            self._trace.is_headed = True
            return True
        if not (line.depth or _FOLLOWS.match(line.text) or is_annotation(line.text)):
            self._links.end_group()
        return False

    def _take_outsider(self, line: PasteLine) -> bool:
        """Take a log record that stands between the lines of a traceback that has none of its own."""
        if not (self._trace.frames and line.prefix.is_record and line.prefix.shape != self._trace.shape):
            return False
        if _TRACEBACK.search(line.text) or frames_of(line.text, line.number):
            return False
        kept, self._open = self._open, None
        self._take_mention(line)
        self._open = kept
        return True

    def _take_marker(self, line: PasteLine) -> bool:
        """Take a line that says how tracebacks begin and hang together."""
        text = line.text
        if _FOLLOWS.match(text):
            self._link(line)
            return True
        if (self._links.is_linked and _LINK_REST.match(text)) or _REPEATED.match(text):
            return True
        if _NEWEST_FIRST in text:
            self._flush()
            self._trace.is_reversed = True
            return True
        if not _TRACEBACK.search(text):
            return False
        self._begin(line)
        return 'File "' not in text

    def _take_annotation(self, line: PasteLine) -> bool:
        return is_annotation(line.text)

    def _take_frame(self, line: PasteLine) -> bool:
        text = line.text
        frames = frames_of(text, line.number)
        if not frames:
            return self._trace.take_line_below(text)
        self._open = None
        is_plain = 'File "' in text
        indent = len(text) - len(text.lstrip()) if is_plain else 0
        self._trace.add(frames, shape=line.prefix.shape, is_boxed=not is_plain, indent=indent)
        error = error_behind(text[text.rfind('File "') :]) if is_plain else None
        if error:
            self._emit(error, line)
        return True

    def _take_numbered_code(self, line: PasteLine) -> bool:
        return self._trace.take_numbered(line.text)

    def _take_page(self, line: PasteLine) -> bool:
        """Take a field of Django's debug page as text."""
        part = page_field(line.text, line.number)
        if part is None:
            return False
        self._open = None
        if part.kind in ("head", "type"):
            self._begin_page(part, line)
        elif part.kind == "value" and self._page is not None:
            self._open, self._page.lines = self._page, []
            if part.text:
                self._page.add(part.text, line.number)
        if part.frame and self._page is not None:
            self._page.frames = self._page.frames or [part.frame]
        return True

    def _take_pytest(self, line: PasteLine) -> bool:
        """Take a line of pytest's own forms: `E   …`, and the place below it."""
        place = self._pytest.place(line)
        if place:
            self._end_pytest(*place)
            return True
        text = self._pytest.error_text(line)
        if text is None:
            return False
        if self._open is not None and self._open.shape == "pytest":
            self._open.add(text, line.number)
            return True
        error = raised_error(text)
        if error:
            self._emit(error, line, shape="pytest")
        else:
            self._flush()
            self._tell(Draft("", [text], line.number, line.number, chain=self._numbers.next(), shape="pytest"))
        return True

    def _take_error(self, line: PasteLine) -> bool:
        """Take the error that the frames so far lead to."""
        error = raised_error(line.text) if self._trace.is_open else None
        if error is None or self._trace.has_as_code(error, line.text):
            return False
        self._emit(error, line)
        return True

    def _take_code(self, line: PasteLine) -> bool:
        return self._trace.take_code(line.text, line.prefix.shape)

    def _take_further(self, line: PasteLine) -> bool:
        """Take a line as a further one of the open message, if it can be that."""
        draft = self._open
        if draft is None:
            return False
        is_other = line.number > draft.last + SOON or draft.is_full or _is_other_record(draft, line)
        if is_other or (draft.shape != "traceback" and draft.lines and names_error(line.text)):
            self._open = None
            return False
        if draft.shape == "line" and draft.frames and line.text.startswith("  "):
            draft.frames[0] = draft.frames[0]._replace(code=plain_code(line.text))
            self._open = None
            return True
        draft.add(line.text.strip() if draft.shape != "traceback" else line.text, line.number)
        return True

    def _take_mention(self, line: PasteLine) -> bool:
        """Take errors that are named in a line outside of any traceback, else a line that is loud."""
        shape, errors, is_open = mentions_of(line, is_short=self._is_short)
        self._open = None
        place = place_before(line.text, line.number) if errors and errors[0].type else None
        if place and self._is_place_of_last(place, errors[0]):
            return True
        for error in errors:
            draft = Draft(error.type, [error.message] if error.message else [], line.number, line.number, shape=shape)
            draft.frames = [place] if place else []
            self._links.place_named(draft, line.depth)
            self._tell(draft, line)
        if not is_open:
            self._open = None
        return True

    # What the rules do.

    def _begin(self, line: PasteLine) -> None:
        """Begin a traceback."""
        self._flush()
        self._links.begin_traceback()
        self._open = None
        self._trace.is_headed = True
        self._trace.shape = line.prefix.shape if 'File "' in line.text else ""

    def _link(self, line: PasteLine) -> None:
        """Link the next error to the ones before; Django's pages tell here what the frames so far led to."""
        told = _LINK_MESSAGE.search(line.text)
        if told and self._trace.frames:
            self._emit(Error("", told["message"], 0), line)
        self._flush()
        self._open, self._links.is_linked = None, True

    def _begin_page(self, part: PageField, line: PasteLine) -> None:
        """Tell of the error of a debug page: at its head, and again, behind its traceback, at its end."""
        self._flush()
        last = self.drafts[-1] if self.drafts else None
        if last is not None and last.is_nameless:
            if self._page is not None:
                self._page.is_dropped = True
            self._page = last
            last.number = line.number
        elif part.kind == "head" or self._page is None:
            self._page = Draft("", [], line.number, line.number, chain=self._numbers.next())
            self.drafts.append(self._page)
        self._page.type, self._page.shape = part.text or self._page.type, "debug page"
        self._page.last = line.number
        self._open = self._page

    def _end_pytest(self, frame: Frame, name: str) -> None:
        """Take the place at the end of what pytest shows of a call, or of the error."""
        last = self.drafts[-1] if self.drafts else None
        if not name or last is None or last.shape != "pytest" or self._trace.frames:
            self._trace.frames.append(frame)
            self._trace.awaits_code = False
            return
        self._open = None
        last.frames.append(frame)
        last.type = last.type or name

    def _is_place_of_last(self, place: Frame, error: Error) -> bool:
        """Give pytest's place of one line, `a.py:1: ValueError: …`, to the error that was told just above it."""
        last = self.drafts[-1] if self.drafts else None
        if last is None or last.shape != "pytest" or last.frames:
            return False
        if (last.type, last.lines[:1]) != (error.type, [error.message]):
            return False
        last.frames = [place]
        return True

    def _emit(self, error: Error, line: PasteLine, *, shape: str = "traceback") -> None:
        """Tell of the error that the frames so far lead to."""
        draft = Draft(error.type, [error.message], line.number, line.number, self._taken_frames(), shape=shape)
        draft.margin = error.column if shape == "traceback" else 0
        self._links.place_raised(draft, line.depth)
        self._tell(draft, line)

    def _tell(self, draft: Draft, line: PasteLine | None = None) -> None:
        """Tell of an error, and leave its message open."""
        if line is not None:
            draft.level, draft.head, draft.is_record = line.prefix.level, line.head, line.prefix.is_record
        self.drafts.append(draft)
        self._open = draft

    def _taken_frames(self) -> list[Frame]:
        frames, self._trace = self._trace.in_order(), Trace()
        return frames

    def _flush(self) -> None:
        """Give frames that no error followed to the error just before them, else tell of an error without a name."""
        if not self._trace.frames:
            self._trace = Trace()
            return
        last = self.drafts[-1] if self.drafts else None
        if last and self._trace.may_follow(last):
            last.frames = self._taken_frames() if last.shape == "debug page" else self._taken_frames()[::-1]
            return
        number = self._trace.frames[-1].number
        draft = Draft("", [], number, number, self._taken_frames(), shape="traceback")
        self._links.place_raised(draft, 0)
        self._tell(draft)
        self._open = None


def _is_other_record(draft: Draft, line: PasteLine) -> bool:
    """Say whether a line belongs to another log record than a message."""
    if not line.prefix.is_record:
        return False
    if draft.shape != "traceback" or not draft.is_record:
        return True
    return line.head != draft.head if line.prefix.level else False


_RULES: tuple[Callable[[StreamReader, PasteLine], bool], ...] = (
    StreamReader._take_blank,
    StreamReader._take_member,
    StreamReader._take_outsider,
    StreamReader._take_marker,
    StreamReader._take_annotation,
    StreamReader._take_frame,
    StreamReader._take_numbered_code,
    StreamReader._take_page,
    StreamReader._take_pytest,
    StreamReader._take_error,
    StreamReader._take_code,
    StreamReader._take_further,
    StreamReader._take_mention,
)


def read_python(lines: list[PasteLine], numbers: Numbers) -> list[Draft]:
    """Return the errors that the lines of a paste tell of, each stream read by itself."""
    readers: dict[str, StreamReader] = {}
    for line in lines:
        if not line.is_near:
            continue
        reader = readers.get(line.stream)
        if reader is None:
            reader = readers[line.stream] = StreamReader(numbers, is_short=len(lines) <= _SHORT)
        reader.read(line)
    for reader in readers.values():
        reader.end()
    return [draft for reader in readers.values() for draft in reader.drafts if not draft.is_dropped]
