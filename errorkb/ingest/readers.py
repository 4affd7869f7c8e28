"""Ingest: read documents from files, folders and standard input, one at a time, whatever form they come in."""

import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, cast

from errorkb.core import writers
from errorkb.core.json_documents import MAX_BYTES, BrokenJsonError, parse_document
from errorkb.core.json_streams import Form, Frame, split_stream
from errorkb.core.pr_reports import ReportError, looks_like_report, parse_report
from errorkb.core.problems import DocumentError, Problem

CHUNK = 256 * 1024
STANDARD_INPUT = "-"
_JSON_SUFFIXES = (".json", ".ndjson", ".jsonl")
_LINE_SUFFIXES = (".ndjson", ".jsonl")
_REPORT_SUFFIXES = (".md", ".markdown", ".txt")
_GZIP_MAGIC = b"\x1f\x8b"
_NOT_HERE = (
    "expected JSON, found what looks like a Markdown report; load that with load_pull_requests, from a file *.md"
)


class UnreadableError(Exception):
    """A path cannot be read at all; the text says which and why."""


class Found(NamedTuple):
    """One document as it stands in a file: where, who writes it, and its bytes, or a report's object, or what is wrong.

    Where a broken one `ends_file`, nothing behind it in its file can be trusted. `file` is the number of that.
    """

    where: str
    writer: str
    data: bytes = b""
    raw: dict[str, Any] | None = None
    problems: tuple[Problem, ...] = ()
    ends_file: bool = False
    file: int = 0


@dataclass(frozen=True)
class Read:
    """One document as read: where it stood, who writes it, and the object or what is wrong.

    `is_last` says that it is broken in a way that ends its file.
    """

    where: str
    writer: str
    raw: dict[str, Any] | None = None
    problems: tuple[Problem, ...] = ()
    is_last: bool = False


def find_files(path: str, *, reports: bool = False) -> list[str]:
    """Return the files that a path stands for, in order of their names: itself, or all documents in a folder.

    `reports` adds Markdown reports. Hidden files and a folder's README are passed over. Raises UnreadableError.
    """
    if path == STANDARD_INPUT:
        return [path]
    place = Path(path)
    if place.is_dir():
        suffixes = _JSON_SUFFIXES + (_REPORT_SUFFIXES if reports else ())
        return sorted(
            str(file) for file in place.rglob("*") if _is_document(file.relative_to(place), suffixes) and file.is_file()
        )
    if not place.exists():
        raise UnreadableError(f"{path}: no such file or folder")
    if not os.access(place, os.R_OK):
        raise UnreadableError(f"{path}: permission denied")
    return [path]


def read_documents(
    path: str, *, writer: str = "", standard_input: BinaryIO | None = None, reports: bool = False
) -> Iterator[Read]:
    """Yield the documents of one file (or `-`), reading as it goes; memory stays at one document.

    `writer` is who brings them: the file itself where empty. A file that cannot be read, or no further, is a problem
    like a wrong document, so that what was read before is kept.
    """
    for found in find_documents(path, writer=writer, standard_input=standard_input, reports=reports):
        read = read_document(found)
        yield read
        if read.is_last:
            return


def read_document(found: Found) -> Read:
    """Return a document that was found in a file as an object, or what is wrong with it."""
    if found.problems or found.raw is not None:
        return Read(found.where, found.writer, found.raw, found.problems)
    try:
        return Read(found.where, found.writer, parse_document(found.data))
    except DocumentError as error:
        is_last = found.ends_file and isinstance(error, BrokenJsonError)
        return Read(found.where, found.writer, problems=error.problems, is_last=is_last)


def find_documents(
    path: str, *, writer: str = "", standard_input: BinaryIO | None = None, reports: bool = False
) -> Iterator[Found]:
    """Yield what `read_documents` reads, as bytes; what stands behind a broken document that ends its file, too."""
    name = "standard input" if path == STANDARD_INPUT else _escaped(path)
    writer = writer or writers.file(name if path == STANDARD_INPUT else _escaped(str(Path(path).resolve())))
    if path == STANDARD_INPUT:
        yield from _read_stream(cast(BinaryIO, standard_input), name, writer, lines=False, reports=reports)
        return
    stem = path.removesuffix(".gz")
    try:
        with Path(path).open("rb") as file:
            yield from _read_stream(
                file,
                name,
                writer,
                lines=stem.endswith(_LINE_SUFFIXES),
                reports=reports and stem.endswith(_REPORT_SUFFIXES),
            )
    except OSError as error:
        yield _unread(name, writer, f"the file cannot be read: {error.strerror or error}")


def _escaped(path: str) -> str:
    """Return a path as text that can be stored: a name in a file system need not be UTF-8."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_document(relative: Path, suffixes: tuple[str, ...]) -> bool:
    name = relative.name.removesuffix(".gz")
    hidden = any(part.startswith(".") for part in relative.parts)
    return name.endswith(suffixes) and not hidden and name.lower().split(".")[0] != "readme"


def _read_stream(file: BinaryIO, name: str, writer: str, *, lines: bool, reports: bool) -> Iterator[Found]:
    chunks = _Chunks(file)
    if lines or chunks.starts_with((b"{", b"[")):
        yield from _read_frames(split_stream(chunks, lines=lines), name, writer)
    elif reports:
        yield _read_report(chunks, name, writer)
    elif chunks.look_like_report():
        yield _unread(name, writer, _NOT_HERE)
    else:
        yield from _read_frames(split_stream(chunks, lines=lines), name, writer)
    if chunks.problem:
        yield _unread(name, writer, chunks.problem)


def _read_frames(frames: Iterable[Frame], name: str, writer: str) -> Iterator[Found]:
    for frame in frames:
        where = _where(name, frame)
        if frame.problem:
            yield _unread(where, writer, frame.problem)
        else:
            yield Found(where, writer, frame.data, ends_file=frame.form is not Form.LINES)


def _read_report(chunks: "_Chunks", name: str, writer: str) -> Found:
    data = bytearray()
    for chunk in chunks:
        data += chunk
        if len(data) > MAX_BYTES:
            return _unread(name, writer, f"expected a report of at most {MAX_BYTES} bytes (8 MiB)")
    try:
        return Found(name, writer, bytes(data), parse_report(bytes(data).decode("utf-8")))
    except UnicodeDecodeError as error:
        return _unread(name, writer, f"expected UTF-8, found another byte at offset {error.start}")
    except ReportError as error:
        return _unread(name, writer, str(error))


def _unread(where: str, writer: str, text: str) -> Found:
    return Found(where, writer, problems=(Problem("$", text),))


def _where(name: str, frame: Frame) -> str:
    if frame.form is Form.LINES:
        return f"{name}, line {frame.line}"
    if frame.form is Form.ARRAY or frame.index:
        return f"{name}, index {frame.index} (line {frame.line})"
    return name


class _Chunks:
    """The bytes of a file, unpacked if gzipped; a stream that ends badly sets `problem` and just ends."""

    def __init__(self, file: BinaryIO) -> None:
        self.problem = ""
        head = file.read(2)
        whole = cast(IO[bytes], _Joined(head, file))
        self._file = gzip.GzipFile(fileobj=whole) if head == _GZIP_MAGIC else whole
        self._first = self._read()

    def starts_with(self, marks: tuple[bytes, ...]) -> bool:
        return self._first.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(marks)

    def look_like_report(self) -> bool:
        return looks_like_report(self._first.decode("utf-8", "replace"))

    def __iter__(self) -> Iterator[bytes]:
        chunk, self._first = self._first, b""
        while chunk:
            yield chunk
            chunk = self._read()

    def _read(self) -> bytes:
        try:
            return self._file.read(CHUNK)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            self.problem = f"expected a whole gzip file ({error})"
            return b""


class _Joined(io.RawIOBase):
    """A file whose first bytes have been read already."""

    def __init__(self, head: bytes, file: BinaryIO) -> None:
        self._head = head
        self._file = file

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        head, self._head = self._head, b""
        return head + self._file.read(size - len(head) if size >= 0 else size)
