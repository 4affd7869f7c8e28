"""Core: Python's errors in a paste: one reader a stream, which goes through its lines once."""

import re
from dataclasses import dataclass, field

from errorkb.core.tracebacks.cleaning import Line
from errorkb.core.tracebacks.pastes import Frame, Occurrence
from errorkb.core.tracebacks.python_lines import (
    MOST_FRAMES,
    Error,
    frames_of,
    is_annotation,
    line_below,
    named_errors,
    pytest_end,
    raised_error,
)

# A message has so many lines and characters at most.
MOST_MESSAGE_LINES = 60
MOST_MESSAGE = 20_000
# Frames may follow an error by so many lines where it is told first.
_SOON = 4

_TRACEBACK = re.compile(r"raceback \((?:most recent call last|innermost last)\)|raceback`? \(most recent")
_NEWEST_FIRST = "most recent call first"
_FOLLOWS = re.compile(
    r"^\s*(?:During handling of the above exception, another exception occurred|"
    r"The above exception was the direct cause of the following exception)"
)
_REPEATED = re.compile(r"^\s*\[Previous line repeated \d+ more times?\]|^\s*\[\.\.\. skipp")
_SUBEXCEPTIONS = re.compile(r"\((\d{1,5}) sub-exceptions?\)\s*$")
_PYTEST_ERROR = re.compile(r"^(?:[>E] {0,4})?E( {2,12})(?=\S)")
_FAILED = re.compile(r"^(?:FAILED|ERROR) \S+(?:::\S+)* - ")
_DEBUG_TYPE = re.compile(r"^Exception Type:\s*([A-Za-z_][\w.]*)")
_DEBUG_VALUE = re.compile(r"^Exception Value:\s*(.*)$")
_DEBUG_PLACE = re.compile(r"^Exception Location:\s*([^,\n]{1,800}), line (\d{1,9}), in ([\w.<>]+)")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})\s*[\w+-]{0,20}\s*$")
_LOUD = frozenset(("WARN", "WARNING", "ERROR", "ERR", "CRITICAL", "FATAL", "SEVERE", "EXCEPTION", "PANIC"))


@dataclass
class Draft:
    """An error while its lines are still being read."""

    type: str
    lines: list[str]
    number: int
    last: int
    frames: list[Frame] = field(default_factory=list)
    chain: int = 0
    is_group: bool = False
    level: str = ""
    shape: str = "line"
    is_open: bool = True
    prefix: str = ""
    size: int = 0

    def add(self, text: str, number: int) -> None:
        """Take a further line of the message."""
        self.lines.append(text)
        self.last = number
        self.size += len(text)


class StreamReader:
    """Reads the lines of one stream; `drafts` are the errors that it has found, in order."""

    def __init__(self, chains: "Chains") -> None:
        self.chains = chains
        self.drafts: list[Draft] = []
        self._frames: list[Frame] = []
        self._shape = ""
        self._in_traceback = False
        self._is_reversed = False
        self._is_linked = False
        self._is_headed = False
        self._awaits_code = False
        self._open: Draft | None = None
        self._chain = 0
        self._in_group = 0
        self._gap = False
        self._debug_type: tuple[str, int] | None = None

    def read(self, line: Line) -> None:
        """Take the next line."""
        text = line.text
        if is_annotation(text):
            return
        if not text.strip() or _FENCE.match(text):
            self._blank(text)
            return
        if self._is_outside(line):
            self._read_outside(line)
            return
        if not (self._read_marker(line) or self._read_frames(line) or self._read_page(line) or self._read_error(line)):
            self._read_rest(line)
        self._gap = False

    def end(self) -> None:
        """Take the end of the paste: frames whose error is missing are an error all the same."""
        self._close()
        self._flush()

    def _is_outside(self, line: Line) -> bool:
        """Say whether a log record stands between the lines of a traceback that has none of its own."""
        in_context = bool(self._frames) or self._in_traceback
        return in_context and line.prefix.is_record and line.prefix.shape != self._shape and bool(self._frames)

    def _read_outside(self, line: Line) -> None:
        if _TRACEBACK.search(line.text):
            self._flush()
            self._read_marker(line)
            return
        if not frames_of(line.text, line.number):
            kept, self._open = self._open, None
            self._tell_errors(line, chained=False)
            self._open = kept
            return
        self._shape = line.prefix.shape
        self._read_frames(line)

    def _blank(self, text: str) -> None:
        self._gap = True
        if self._open is not None and not self._awaits_value(self._open):
            self._close()
        if _FENCE.match(text):
            self._close()

    def _awaits_value(self, draft: Draft) -> bool:
        return draft.shape == "debug page" and not any(draft.lines)

    def _read_marker(self, line: Line) -> bool:
        text = line.text
        if _FOLLOWS.match(text):
            self._close()
            self._flush()
            self._is_linked = True
            return True
        if _REPEATED.match(text):
            return True
        if _NEWEST_FIRST in text:
            self._close()
            self._flush()
            self._is_reversed = True
            return True
        if not _TRACEBACK.search(text):
            return False
        self._close()
        self._flush()
        if not self._is_linked and not self._in_group:
            self._chain = 0
        self._in_traceback = self._is_headed = True
        self._shape = line.prefix.shape if 'File "' in text else ""
        return 'File "' not in text

    def _read_frames(self, line: Line) -> bool:
        text = line.text
        end = pytest_end(text, line.number)
        if end:
            self._end_pytest(*end)
            return True
        frames = frames_of(text, line.number)
        if not frames:
            below = line_below(text) if self._frames and self._frames[-1].line is None else None
            if below is not None:
                self._frames[-1] = _with_line(self._frames[-1], below)
            return below is not None
        self._close()
        if not self._frames:
            self._shape = line.prefix.shape
        self._frames += frames
        if len(self._frames) > 2 * MOST_FRAMES:
            self._frames = self._frames[-MOST_FRAMES:]
        self._awaits_code = not frames[-1].code
        error = self._error_behind(text)
        if error:
            self._emit(error, line)
        return True

    def _error_behind(self, text: str) -> Error | None:
        """Return the error that ends a traceback whose line breaks were lost."""
        behind = text.rfind('File "')
        errors = list(named_errors(text[behind:])) if behind >= 0 else []
        return errors[-1] if errors else None

    def _read_page(self, line: Line) -> bool:
        """Read Django's debug page as text."""
        named = _DEBUG_TYPE.match(line.text.strip())
        if named:
            self._flush()
            self._open_draft(Draft(named[1], [], line.number, line.number, shape="debug page"))
            return True
        place = _DEBUG_PLACE.match(line.text.strip())
        if place and self.drafts:
            self._close()
            draft = self.drafts[-1]
            draft.frames = draft.frames or [Frame(place[1], int(place[2]), place[3], "", line.number)]
            return True
        value = _DEBUG_VALUE.match(line.text.strip())
        if not value or self._open is None or self._open.shape != "debug page":
            return False
        if value[1]:
            self._open.add(value[1], line.number)
        return True

    def _read_error(self, line: Line) -> bool:
        text = line.text
        pytest_error = _PYTEST_ERROR.match(text)
        if pytest_error:
            self._read_pytest(text[pytest_error.end() :], len(pytest_error[1]), line)
            return True
        if not (self._frames or self._in_traceback):
            return self._continues(line) or self._tell_errors(line, chained=True)
        error = raised_error(text)
        if error is None or self._is_code(error, text):
            return False
        self._emit(error, line)
        return True

    def _is_code(self, error: Error, text: str) -> bool:
        """Say whether a line that could be an error is the code of the frame above it."""
        if not self._awaits_code:
            return error.column > 8 and not error.message
        is_named = any(True for _ in named_errors(text.strip()))
        return not is_named and (error.column > 2 or not error.message)

    def _read_pytest(self, text: str, indent: int, line: Line) -> None:
        error = raised_error(text) if indent <= 4 else None
        if error:
            self._emit(error, line, shape="pytest")
        elif self._open is not None and self._open.shape == "pytest":
            self._open.add(text, line.number)
        else:
            self._flush()
            self._open_draft(Draft("", [text], line.number, line.number, shape="pytest"))

    def _end_pytest(self, frame: Frame, name: str) -> None:
        self._close()
        if self.drafts and self.drafts[-1].shape == "pytest" and not self.drafts[-1].frames:
            self.drafts[-1].frames = [frame]
            self.drafts[-1].type = self.drafts[-1].type or name

    def _read_rest(self, line: Line) -> None:
        if self._awaits_code and self._frames:
            self._frames[-1] = _with_code(self._frames[-1], line.text.strip())
            self._awaits_code = False
            return
        if self._frames:
            return
        self._in_traceback = False
        if not self._continues(line):
            self._tell_errors(line, chained=True)

    def _continues(self, line: Line) -> bool:
        """Take a line as a further one of the open message, if it can be that."""
        draft = self._open
        if draft is not None and line.number > draft.last + _SOON:
            self._close()
            return False
        if draft is None or (line.prefix.is_record and line.prefix.shape != draft.prefix):
            self._close()
            return False
        if draft.shape != "traceback" and line.prefix.is_record:
            self._close()
            return False
        if len(draft.lines) >= MOST_MESSAGE_LINES or draft.size > MOST_MESSAGE:
            self._close()
            return False
        if draft.shape != "traceback" and draft.lines and _is_an_error(line.text):
            self._close()
            return False
        draft.add(line.text.strip() if draft.shape != "traceback" else line.text, line.number)
        return True

    def _tell_errors(self, line: Line, *, chained: bool) -> bool:
        """Tell of errors that are named in a line outside of any traceback, else of a line that is loud."""
        text = _FAILED.sub("", line.text)
        errors = list(named_errors(text))
        if not errors and line.prefix.level.upper() not in _LOUD:
            return False
        self._close()
        if not errors:
            self._open_draft(self._draft("", line.text.strip(), line))
            return True
        for error in errors:
            self._open_draft(self._draft(error.type, error.message, line))
        if not self.drafts[-1].lines[0] and chained:
            self.drafts[-1].lines = []
        self._open = self.drafts[-1] if _reaches_end(errors[-1], text) else None
        return True

    def _draft(self, name: str, message: str, line: Line) -> Draft:
        if not (self._in_group and name):
            self._chain = self.chains.next()
        self._in_group = max(0, self._in_group - bool(name))
        return Draft(
            name,
            [message],
            line.number,
            line.number,
            chain=self._chain,
            level=line.prefix.level,
            prefix=line.prefix.shape,
        )

    def _open_draft(self, draft: Draft) -> None:
        draft.chain = draft.chain or self.chains.next()
        self.drafts.append(draft)
        self._open = draft

    def _emit(self, error: Error, line: Line, *, shape: str = "traceback") -> None:
        """Tell of the error that the frames so far lead to."""
        is_group = _SUBEXCEPTIONS.search(error.message)
        if not self._chain or not (self._is_linked or self._in_group):
            self._chain = self.chains.next()
        self._in_group = int(is_group[1]) if is_group else max(0, self._in_group - 1)
        draft = Draft(error.type, [error.message], line.number, line.number, self._taken_frames(), self._chain)
        draft.is_group, draft.level, draft.shape = bool(is_group), line.prefix.level, shape
        draft.prefix = line.prefix.shape
        self.drafts.append(draft)
        self._open = draft
        self._is_linked = self._in_traceback = False

    def _taken_frames(self) -> list[Frame]:
        frames = self._frames[::-1] if self._is_reversed else self._frames
        self._frames, self._is_reversed, self._awaits_code, self._is_headed = [], False, False, False
        return frames[-MOST_FRAMES:]

    def _flush(self) -> None:
        """Give frames that no error followed to the error just before them, else tell of an error without a name."""
        self._awaits_code = self._in_traceback = False
        if not self._frames:
            return
        last = self.drafts[-1] if self.drafts else None
        first = self._frames[0].number
        may_be_told_first = last and not last.frames and not self._is_headed and last.shape != "debug page"
        if last and may_be_told_first and last.last < first <= last.last + _SOON:
            last.frames = self._taken_frames()[::-1]
            return
        number = self._frames[-1].number
        if not self._is_linked or not self._chain:
            self._chain = self.chains.next()
        self.drafts.append(
            Draft("", [], number, number, self._taken_frames(), self._chain, shape="traceback", is_open=False)
        )
        self._is_linked = False

    def _close(self) -> None:
        self._open = None


class Chains:
    """Numbers for chains of errors, one after the other through the whole paste."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """Return a new number."""
        self._last += 1
        return self._last


def read_python(lines: list[Line], chains: Chains) -> list[Draft]:
    """Return the errors that the lines of a paste tell of, each stream read by itself."""
    readers: dict[str, StreamReader] = {}
    for line in lines:
        if not line.is_near:
            continue
        reader = readers.get(line.stream)
        if reader is None:
            reader = readers[line.stream] = StreamReader(chains)
        reader.read(line)
    for reader in readers.values():
        reader.end()
    return [draft for reader in readers.values() for draft in reader.drafts]


def _is_an_error(text: str) -> bool:
    return next(named_errors(text), None) is not None


def _reaches_end(error: Error, text: str) -> bool:
    return text.endswith(error.message)


def _with_line(frame: Frame, line: int) -> Frame:
    return Frame(frame.path, line, frame.symbol, frame.code, frame.number)


def _with_code(frame: Frame, code: str) -> Frame:
    return Frame(frame.path, frame.line, frame.symbol, code[:500], frame.number)


def occurrence_of(draft: Draft, role: str) -> Occurrence:
    """Return a finished error."""
    return Occurrence(
        exception_type=draft.type,
        message="\n".join(draft.lines).strip("\n"),
        number=draft.number,
        last_number=draft.last,
        frames=tuple(draft.frames),
        role=role,
        chain=draft.chain,
        level=draft.level,
        shape=draft.shape,
    )
