"""Core: cut a stream of bytes into JSON documents without reading it whole: one object, an array, or NDJSON.

A frame is found by counting brackets outside strings, so that a wrong document can be told from a broken stream, and
memory stays at one document however long the stream is.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from errorkb.core.json_documents import MAX_BYTES

_MARKS = re.compile(rb'["\\\[\]{},]')
_IN_STRING = re.compile(rb'["\\]')
_BLANK = b" \t\r\n"
_NOT_BLANK = re.compile(rb"[^ \t\r\n]")
_BOM = b"\xef\xbb\xbf"
# A pretty-printer breaks a line only behind one of these.
_CONTINUED = (b"{", b"[", b",", b":")


class Form(Enum):
    """How documents follow each other in a stream."""

    ARRAY = "array"
    LINES = "lines"
    OBJECTS = "objects"


@dataclass(frozen=True)
class Frame:
    """One document's bytes: `index` counts from 0, `line` from 1; a `problem` stands for bytes passed over."""

    index: int
    line: int
    form: Form
    data: bytes = b""
    problem: str = ""


TOO_LARGE = f"expected at most {MAX_BYTES} bytes (8 MiB) in one document"


def split_stream(chunks: Iterable[bytes], *, lines: bool = False) -> Iterator[Frame]:
    """Yield the documents of a stream; `lines` says that it is NDJSON by its name.

    Nothing is yielded for an empty stream. A frame's bytes need not be valid JSON: the reader finds out.
    """
    source = _Source(chunks)
    source.skip_mark(_BOM)
    source.skip_blank()
    first = source.peek()
    if not first:
        return
    if first == b"[" and not lines:
        yield from _split_array(source)
    elif lines or _is_lines(source):
        yield from _split_lines(source)
    else:
        yield from _split_objects(source)


class _Source:
    """A stream with a look-ahead buffer that knows its line; what was taken is dropped when more is read."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self.buffer = b""
        self.at = 0
        self.line = 1

    @property
    def waiting(self) -> int:
        """Return how many bytes are in the buffer and not taken."""
        return len(self.buffer) - self.at

    def more(self) -> bool:
        """Append the next chunk to the buffer; False at the end. Offsets into the buffer change."""
        for chunk in self._chunks:
            if chunk:
                self.buffer = self.buffer[self.at :] + chunk
                self.at = 0
                return True
        return False

    def take(self, count: int) -> bytes:
        """Take bytes from the buffer's start."""
        taken = self.buffer[self.at : self.at + count]
        self.at += len(taken)
        self.line += taken.count(b"\n")
        return taken

    def peek(self) -> bytes:
        """Return the next byte without taking it; nothing at the end."""
        while not self.waiting and self.more():
            pass
        return self.buffer[self.at : self.at + 1]

    def skip_mark(self, mark: bytes) -> None:
        """Pass over `mark` where it stands next."""
        while self.waiting < len(mark) and self.more():
            pass
        if self.buffer.startswith(mark, self.at):
            self.take(len(mark))

    def skip_blank(self) -> None:
        """Pass over white space."""
        while self.peek():
            end = _NOT_BLANK.search(self.buffer, self.at)
            self.take(end.start() - self.at if end else self.waiting)
            if end:
                return

    def lines(self) -> Iterator[tuple[int, bytes | None]]:
        """Yield (line number, bytes) for each line; None for one that is longer than a document may be."""
        while self.peek():
            number = self.line
            yield number, self._line()

    def _line(self) -> bytes | None:
        searched = 0
        while (end := self.buffer.find(b"\n", self.at + searched)) < 0:
            searched = self.waiting
            if searched > MAX_BYTES:
                self._pass_line()
                return None
            if not self.more():
                return self.take(self.waiting)
        taken = self.take(end + 1 - self.at)
        return taken if len(taken) <= MAX_BYTES + 2 else None

    def _pass_line(self) -> None:
        while (end := self.buffer.find(b"\n", self.at)) < 0:
            self.take(self.waiting)
            if not self.more():
                return
        self.take(end + 1 - self.at)


class _Nesting:
    """Brackets and strings, followed through a stream piece by piece."""

    def __init__(self) -> None:
        self.depth = 0
        self._in_string = False
        self._escaped = False

    def feed(self, data: bytes, start: int) -> Iterator[tuple[int, bytes]]:
        """Yield (offset, mark) for each bracket and comma of `data` outside strings, the depth updated before."""
        position = start
        if self._escaped and position < len(data):
            position += 1
            self._escaped = False
        while found := (_IN_STRING if self._in_string else _MARKS).search(data, position):
            mark, position = found.group(), found.end()
            if mark == b"\\":
                self._escaped = position >= len(data)
                position += 1
            elif mark == b'"':
                self._in_string = not self._in_string
            else:
                self.depth += (mark in b"[{") - (mark in b"]}")
                yield found.start(), mark


def _is_lines(source: _Source) -> bool:
    """Tell NDJSON from one pretty-printed object, by the first line: balanced, or cut where no printer would cut."""
    while (end := source.buffer.find(b"\n", source.at)) < 0:
        if source.waiting > MAX_BYTES or not source.more():
            return False
    line = source.buffer[source.at : end].rstrip()
    nesting = _Nesting()
    for _ in nesting.feed(line, 0):
        pass
    return nesting.depth <= 0 or not line.endswith(_CONTINUED)


def _split_lines(source: _Source) -> Iterator[Frame]:
    index = 0
    for number, line in source.lines():
        if line is None:
            yield Frame(index, number, Form.LINES, problem=TOO_LARGE)
        elif not line.strip(_BLANK):
            continue
        else:
            yield Frame(index, number, Form.LINES, line.strip(_BLANK))
        index += 1


def _split_objects(source: _Source) -> Iterator[Frame]:
    """Split one object after another, each ending where its brackets close."""
    index = 0
    while True:
        source.skip_blank()
        if not source.peek():
            return
        line = source.line
        data, problem, _ = _value(source, ends_at_comma=False)
        yield Frame(index, line, Form.OBJECTS, data, problem)
        index += 1


def _split_array(source: _Source) -> Iterator[Frame]:
    source.take(1)
    index = 0
    source.skip_blank()
    if source.peek() == b"]":
        source.take(1)
        yield from _behind_array(source, index)
        return
    while True:
        source.skip_blank()
        line = source.line
        data, problem, end = _value(source, ends_at_comma=True)
        if data or problem or end:
            yield Frame(index, line, Form.ARRAY, data, problem)
        index += 1
        if end == b"]":
            yield from _behind_array(source, index)
            return
        if end != b",":
            yield Frame(index, source.line, Form.ARRAY, problem="expected ] at the end of the array")
            return


def _behind_array(source: _Source, index: int) -> Iterator[Frame]:
    source.skip_blank()
    if source.peek():
        yield Frame(index, source.line, Form.ARRAY, problem="expected nothing behind the array")


def _value(source: _Source, *, ends_at_comma: bool) -> tuple[bytes, str, bytes]:
    """Take one value; return (bytes, problem, the mark that ended it: `,`, `]`, or nothing at the stream's end).

    A value over the size limit is passed over to its end, so that the ones behind it can be read.
    """
    nesting = _Nesting()
    kept: list[bytes] = []
    size = 0
    while source.peek():
        end, mark = _end_of_value(nesting, source.buffer, source.at, ends_at_comma=ends_at_comma)
        piece = source.take(source.waiting if end < 0 else end - source.at)
        size += len(piece)
        if size <= MAX_BYTES + 1:
            kept.append(piece)
        else:
            kept.clear()
        if end >= 0:
            source.take(len(mark))
            return _finished(kept, size, mark)
    return _finished(kept, size, b"")


def _finished(kept: list[bytes], size: int, mark: bytes) -> tuple[bytes, str, bytes]:
    if size > MAX_BYTES + 1:
        return b"", TOO_LARGE, mark
    return b"".join(kept).strip(_BLANK), "", mark


def _end_of_value(nesting: _Nesting, data: bytes, start: int, *, ends_at_comma: bool) -> tuple[int, bytes]:
    """Return where the value ends in `data` and by which mark, or -1 where it goes on behind it."""
    for offset, mark in nesting.feed(data, start):
        if ends_at_comma and (nesting.depth < 0 or (nesting.depth == 0 and mark == b",")):
            return offset, mark
        if not ends_at_comma and nesting.depth <= 0 and mark != b",":
            return offset + 1, b""
    return -1, b""
