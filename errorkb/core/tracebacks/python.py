"""Core: Python's errors in a paste: one reader a stream, which goes through its lines once.

A line is shown to each rule of `_RULES` in turn until one takes it. Frames are collected until the error that they lead
to is told; lines behind it are its message until something else begins.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from errorkb.core.tracebacks.cleaning import Line
from errorkb.core.tracebacks.drafts import Draft, Numbers
from errorkb.core.tracebacks.pastes import Frame
from errorkb.core.tracebacks.python_errors import Error, error_behind, names_error, raised_error
from errorkb.core.tracebacks.python_lines import (
    MOST_FRAMES,
    frames_of,
    is_annotation,
    is_cut_frame,
    is_prompt,
    is_rule,
    line_below,
    numbered_code,
    place_before,
    plain_code,
    rejoined,
)
from errorkb.core.tracebacks.python_mentions import mentions_of
from errorkb.core.tracebacks.python_pages import PageField, page_field
from errorkb.core.tracebacks.python_pytest import PytestLines

# Frames may follow an error by so many lines where it is told first.
_SOON = 4
# A frame that was cut is looked for in so many further lines.
_MOST_HELD = 3

_TRACEBACK = re.compile(r"raceback \((?:most recent call last|innermost last)\)|raceback`? \(most recent")
_NEWEST_FIRST = "most recent call first"
_FOLLOWS = re.compile(
    r"^\W*(?:During handling of the above exception|The above exception(?: \(.{0,2000}\))? was the direct cause of)"
)
_LINK_MESSAGE = re.compile(r"above exception \((?P<message>.*)\)(?: was the direct|, another)")
_LINK_REST = re.compile(r"^\s*(?:(?:of|the|following|another|exception|occurred)\b[ :,]*)+$")
_REPEATED = re.compile(r"^\s*\[Previous line repeated \d+ more times?\]|^\s*\[\.\.\. skipp")
_SUBEXCEPTIONS = re.compile(r"\((\d{1,5}) sub-exceptions?\)\s*$")
_MEMBER = re.compile(r"^-{4} (?:\d+|\.\.\.) -{4}$|^\s*╭─+ Sub-exception #\d")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})\s*[\w+-]{0,20}\s*$")


@dataclass
class _Trace:
    """The frames of the traceback that is being read. `shape` is that of its lines' prefixes."""

    frames: list[Frame] = field(default_factory=list)
    shape: str = ""
    is_headed: bool = False
    is_reversed: bool = False
    is_boxed: bool = False
    awaits_code: bool = False

    @property
    def is_open(self) -> bool:
        return self.is_headed or bool(self.frames)


class StreamReader:
    """Reads the lines of one stream; `drafts` are the errors that it has found, in order."""

    def __init__(self, chains: Numbers, *, is_short: bool) -> None:
        self.drafts: list[Draft] = []
        self.is_short = is_short
        self._chains = chains
        self._trace = _Trace()
        self._open: Draft | None = None
        self._held: list[Line] = []
        self._pytest = PytestLines()
        self._chain = self._branch = 0
        self._is_linked = False
        self._group_depth: int | None = None
        self._paged: Draft | None = None

    def read(self, line: Line) -> None:
        """Take the next line."""
        for rule in _RULES:
            if rule(self, line):
                return

    def end(self) -> None:
        """Take the end of the paste: frames whose error is missing are an error all the same."""
        self._read_held()
        self._flush()

    # Rules, in the order in which they are tried; each says whether it took the line.

    def _held_frame(self, line: Line) -> bool:
        """Hold the first lines of a frame that was broken over lines, until they are one again."""
        if self._held:
            joined = rejoined(self._held_text(), line.text)
            if joined is not None:
                first, self._held = self._held[0], []
                self.read(first._replace(text=joined))
                return True
            if len(self._held) < _MOST_HELD and line.text.strip() and not frames_of(line.text, line.number):
                self._held.append(line)
                return True
            self._read_held()
        if not is_cut_frame(line.text, in_box=line.depth > 0):
            return False
        self._held = [line]
        return True

    def _blank(self, line: Line) -> bool:
        """Close what a blank line, a fence, a rule or a prompt ends."""
        text = line.text
        if text.strip() and not (_FENCE.match(text) or is_rule(text) or is_prompt(text)):
            return False
        if self._open is not None and not (self._open.shape == "debug page" and not any(self._open.lines)):
            self._open = None
        if text.strip():
            self._pytest.forget()
        return True

    def _annotation(self, line: Line) -> bool:
        return is_annotation(line.text)

    def _member(self, line: Line) -> bool:
        """Begin the next member of an exception group, or see that the group is over."""
        if self._group_depth is None:
            return False
        if _MEMBER.match(line.text):
            self._flush()
            self._open, self._branch, self._is_linked = None, self._chains.next(), False
            self._trace.is_headed = True
            return True
        if not (line.depth or _FOLLOWS.match(line.text) or is_annotation(line.text)):
            self._group_depth = None
            self._chain = 0
        return False

    def _outsider(self, line: Line) -> bool:
        """Take a log record that stands between the lines of a traceback that has none of its own."""
        if not (self._trace.frames and line.prefix.is_record and line.prefix.shape != self._trace.shape):
            return False
        if _TRACEBACK.search(line.text) or frames_of(line.text, line.number):
            return False
        kept, self._open = self._open, None
        self._mention(line)
        self._open = kept
        return True

    def _marker(self, line: Line) -> bool:
        """Take a line that says how tracebacks begin and hang together."""
        text = line.text
        if _FOLLOWS.match(text):
            self._link(line)
            return True
        if self._is_linked and _LINK_REST.match(text):
            return True
        if _REPEATED.match(text):
            return True
        if _NEWEST_FIRST in text:
            self._flush()
            self._trace.is_reversed = True
            return True
        if not _TRACEBACK.search(text):
            return False
        self._begin(line)
        return 'File "' not in text

    def _frame(self, line: Line) -> bool:
        text = line.text
        frames = frames_of(text, line.number)
        if not frames:
            return self._line_below(text)
        self._open = None
        if not self._trace.frames:
            self._trace.shape = line.prefix.shape
        self._trace.frames += frames
        if len(self._trace.frames) > 2 * MOST_FRAMES:
            self._trace.frames = self._trace.frames[-MOST_FRAMES:]
        self._trace.awaits_code = not frames[-1].code
        self._trace.is_boxed = 'File "' not in text
        error = error_behind(text[text.rfind('File "') :]) if 'File "' in text else None
        if error:
            self._emit(error, line)
        return True

    def _line_below(self, text: str) -> bool:
        below = line_below(text) if self._trace.frames and self._trace.frames[-1].line is None else None
        if below is not None:
            self._trace.frames[-1] = _with(self._trace.frames[-1], line=below)
            self._trace.awaits_code = False
        return below is not None

    def _numbered(self, line: Line) -> bool:
        """Take a line of code with its number before it, below a frame of rich or IPython."""
        if not (self._trace.frames and self._trace.is_boxed):
            return False
        numbered = numbered_code(line.text)
        if numbered is None:
            return False
        last = self._trace.frames[-1]
        number, code, is_run = numbered
        if is_run:
            self._trace.frames[-1] = _with(last, line=last.line or number, code=code)
        self._trace.awaits_code = False
        return True

    def _page(self, line: Line) -> bool:
        """Take a field of Django's debug page as text."""
        field_ = page_field(line.text, line.number)
        if field_ is None:
            return False
        if field_.kind in ("head", "type"):
            self._read_page_type(field_, line)
        elif field_.kind == "value" and self._paged is not None:
            self._open = self._paged
            self._paged.lines = []
            if field_.text:
                self._paged.add(field_.text, line.number)
        else:
            self._open = None
        if field_.frame and self._paged is not None:
            self._paged.frames = self._paged.frames or [field_.frame]
        return True

    def _pytest_line(self, line: Line) -> bool:
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
            self._add(Draft("", [text], line.number, line.number, shape="pytest"))
        return True

    def _error(self, line: Line) -> bool:
        """Take the error that the frames so far lead to."""
        if not self._trace.is_open:
            return False
        error = raised_error(line.text)
        if error is None or self._is_code(error, line.text):
            return False
        self._emit(error, line)
        return True

    def _code(self, line: Line) -> bool:
        if not self._trace.frames:
            self._trace.is_headed = False
            return False
        if self._trace.awaits_code:
            self._trace.frames[-1] = _with(self._trace.frames[-1], code=plain_code(line.text))
            self._trace.awaits_code = False
        return True

    def _further(self, line: Line) -> bool:
        """Take a line as a further one of the open message, if it can be that."""
        draft = self._open
        if draft is None:
            return False
        is_other = line.number > draft.last + _SOON or draft.is_full or _is_other_record(draft, line)
        if is_other or (draft.shape != "traceback" and draft.lines and names_error(line.text)):
            self._open = None
            return False
        if draft.shape == "line" and draft.frames and line.text.startswith("  "):
            draft.frames[0] = _with(draft.frames[0], code=plain_code(line.text))
            self._open = None
            return True
        draft.add(line.text.strip() if draft.shape != "traceback" else line.text, line.number)
        return True

    def _mention(self, line: Line) -> bool:
        """Take errors that are named in a line outside of any traceback, else a line that is loud."""
        shape, errors, is_open = mentions_of(line, is_short=self.is_short)
        self._open = None
        if errors and self._is_pytest_place(errors[0], line):
            return True
        for error in errors:
            if self._group_depth is None or not error.type:
                self._chain = self._chains.next()
            draft = Draft(error.type, [error.message] if error.message else [], line.number, line.number, shape=shape)
            self._add(draft, line=line)
            self._note_group(draft, line)
        if errors and not is_open:
            self._open = None
        self._read_place(line)
        return True

    # What the rules do.

    def _is_pytest_place(self, error: Error, line: Line) -> bool:
        """Take the place that pytest's form of one line tells below an error: `a.py:1: ValueError: …`."""
        last = self.drafts[-1] if self.drafts else None
        if last is None or last.shape != "pytest" or last.frames or last.type != error.type:
            return False
        place = place_before(line.text, line.number)
        if place and last.lines[:1] == [error.message]:
            last.frames = [place]
        return bool(last.frames)

    def _read_place(self, line: Line) -> None:
        """Give the place that stands before a warning, `a.py:1: UserWarning: …`, to it."""
        place = place_before(line.text, line.number) if self._open is not None and self._open.type else None
        if place and self._open is not None:
            self._open.frames = [place]

    def _read_page_type(self, field_: PageField, line: Line) -> None:
        """Tell of the error of a debug page: at its head, and again, with its traceback, at its end."""
        self._flush()
        draft = self.drafts[-1] if self.drafts and _is_nameless(self.drafts[-1]) else None
        if draft is not None and self._paged is not None:
            self.drafts.remove(self._paged)
        draft = draft or (self._paged if field_.kind == "type" else None)
        self._add(draft or Draft("", [], line.number, line.number), is_new=draft is None)
        self._paged = self.drafts[-1] if draft is None else draft
        self._paged.type = field_.text or self._paged.type
        self._paged.shape = "debug page"
        if draft is not self._paged or not self._paged.lines:
            self._paged.number = line.number
        self._paged.last = line.number

    def _held_text(self) -> str:
        return "".join([self._held[0].text, *(line.text.strip() for line in self._held[1:])])

    def _read_held(self) -> None:
        held, self._held = self._held, []
        for line in held:
            for rule in _RULES[1:]:
                if rule(self, line):
                    break

    def _begin(self, line: Line) -> None:
        """Begin a traceback."""
        self._flush()
        if not self._is_linked and self._group_depth is None:
            self._chain = 0
        self._open = None
        self._trace.is_headed = True
        self._trace.shape = line.prefix.shape if 'File "' in line.text else ""

    def _link(self, line: Line) -> None:
        """Link the next error to the ones before; Django's pages tell here what the frames so far led to."""
        told = _LINK_MESSAGE.search(line.text)
        if told and self._trace.frames:
            self._emit(Error("", told["message"], 0), line)
        self._flush()
        self._open, self._is_linked = None, True

    def _is_code(self, error: Error, text: str) -> bool:
        """Say whether a line that could be an error is the code of the frame above it."""
        if not self._trace.awaits_code:
            return error.column > 8 and not error.message and not self._trace.is_boxed
        is_named = names_error(text.strip())
        return not is_named and (error.column > 2 or not error.message)

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

    def _add(self, draft: Draft, *, is_new: bool = True, line: Line | None = None) -> None:
        """Tell of an error, and leave its message open."""
        if line is not None:
            draft.level, draft.head, draft.is_record = line.prefix.level, line.head, line.prefix.is_record
            draft.chain = self._chain
        draft.chain = draft.chain or self._chains.next()
        draft.branch = draft.branch or self._branch
        if is_new:
            self.drafts.append(draft)
        self._open = draft

    def _emit(self, error: Error, line: Line, *, shape: str = "traceback") -> None:
        """Tell of the error that the frames so far lead to."""
        if not self._chain or not (self._is_linked or self._group_depth is not None):
            self._chain = self._chains.next()
        draft = Draft(error.type, [error.message], line.number, line.number, self._taken_frames(), shape=shape)
        draft.margin = error.column if shape == "traceback" else 0
        self._add(draft, line=line)
        self._note_group(draft, line)
        self._is_linked = False

    def _note_group(self, draft: Draft, line: Line) -> None:
        """Remember that an error is a group, whose members follow."""
        if not draft.lines or not _SUBEXCEPTIONS.search(draft.lines[0]):
            return
        draft.is_group = True
        if self._group_depth is None:
            self._group_depth = line.depth

    def _taken_frames(self) -> list[Frame]:
        trace, self._trace = self._trace, _Trace()
        frames = trace.frames[::-1] if trace.is_reversed else trace.frames
        return frames[-MOST_FRAMES:]

    def _flush(self) -> None:
        """Give frames that no error followed to the error just before them, else tell of an error without a name."""
        trace = self._trace
        if not trace.frames:
            self._trace = _Trace()
            return
        last = self.drafts[-1] if self.drafts else None
        if last and not (trace.is_headed or trace.is_reversed) and _may_be_told_first(last, trace.frames[0].number):
            last.frames = self._taken_frames() if last.shape == "debug page" else self._taken_frames()[::-1]
            return
        if not self._is_linked or not self._chain:
            self._chain = self._chains.next()
        number = trace.frames[-1].number
        self._add(Draft("", [], number, number, self._taken_frames(), self._chain, shape="traceback"))
        self._open, self._is_linked = None, False


def _may_be_told_first(draft: Draft, number: int) -> bool:
    """Say whether frames that begin on a line can be those of an error above them."""
    if draft.shape == "debug page":
        return len(draft.frames) < 2
    return not draft.frames and draft.last < number <= draft.last + _SOON


def _is_nameless(draft: Draft) -> bool:
    return not draft.type and draft.shape == "traceback" and not any(draft.lines)


def _is_other_record(draft: Draft, line: Line) -> bool:
    """Say whether a line belongs to another log record than a message."""
    if not line.prefix.is_record:
        return False
    if draft.shape != "traceback" or not draft.is_record:
        return True
    return line.head != draft.head if line.prefix.level else False


def _with(frame: Frame, *, line: int | None = None, code: str | None = None) -> Frame:
    line = frame.line if line is None else line
    return Frame(frame.path, line, frame.symbol, frame.code if code is None else code, frame.number)


_RULES: tuple[Callable[[StreamReader, Line], bool], ...] = (
    StreamReader._held_frame,
    StreamReader._blank,
    StreamReader._member,
    StreamReader._outsider,
    StreamReader._marker,
    StreamReader._annotation,
    StreamReader._frame,
    StreamReader._numbered,
    StreamReader._page,
    StreamReader._pytest_line,
    StreamReader._error,
    StreamReader._code,
    StreamReader._further,
    StreamReader._mention,
)


def read_python(lines: list[Line], chains: Numbers) -> list[Draft]:
    """Return the errors that the lines of a paste tell of, each stream read by itself."""
    readers: dict[str, StreamReader] = {}
    is_short = len(lines) <= 200
    for line in lines:
        if not line.is_near:
            continue
        reader = readers.get(line.stream)
        if reader is None:
            reader = readers[line.stream] = StreamReader(chains, is_short=is_short)
        reader.read(line)
    for reader in readers.values():
        reader.end()
    return [draft for reader in readers.values() for draft in reader.drafts]
