"""Scanning: what is scanned, as a stream of files: where each stands, what git calls its content, and the content."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from errorkb.scanning.files import is_plain_path
from errorkb.scanning.sites import ScanProblem

# What documents hold of a path, its prefix included.
MAX_PATH = 500
MAX_COMMIT_DIGITS = 40


class TreeError(ValueError):
    """A tree cannot be scanned; the text is a sentence for people."""


@dataclass(frozen=True)
class Pin:
    """What a tree is true for: a commit and the release that it is, or one of them; each may be empty.

    `date` is the commit's, in ISO 8601. `dirty` says that files were read that the commit does not have in this form.
    """

    commit: str = ""
    release: str = ""
    date: str = ""
    dirty: bool = False


@dataclass(frozen=True)
class Origin:
    """What a tree says of itself: repository, what stands before its paths there, package URL, SPDX licence.

    What is not known is empty; an unknown prefix is None.
    """

    repository: str = ""
    path_prefix: str | None = ""
    package: str = ""
    license: str = ""


@dataclass(frozen=True)
class Blob:
    """A file of a tree: path below its root, git's name for the content, and the content where it is read already."""

    path: str
    id: str
    content: bytes | None = None


Wanted = Callable[[str], bool]


class Tree(ABC):
    """Files at a pin. Hidden files, links and submodules are not among them; use it in a `with` statement.

    `place` stays the same while commits and releases come and go.
    """

    def __init__(self, place: str, title: str, pin: Pin, origin: Origin) -> None:
        self.place = place
        self.title = title
        self.pin = pin
        self.origin = origin

    @abstractmethod
    def blobs(self, wanted: Wanted) -> Iterator[Blob | ScanProblem]:
        """Yield the files whose paths are wanted, and what is wrong with those that cannot be read."""

    @abstractmethod
    def read(self, blob: Blob) -> bytes | ScanProblem:
        """Return a file's content."""

    def close(self) -> None:  # noqa: B027 - most trees hold nothing open
        """Let go of what reading needed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def passed_over(path: str, reason: str) -> ScanProblem:
    """Return the problem of a whole file; the reason follows its path in a message."""
    return ScanProblem(shown_path(path), 0, reason)


def path_problem(path: str) -> ScanProblem | None:
    """Say what keeps a path from being written into documents: None for nothing."""
    if not is_plain_path(path) or not path.isprintable():
        return passed_over(path, "its name holds characters that paths in documents cannot have")
    if len(path) > MAX_PATH:
        return passed_over(path, f"its path has more than {MAX_PATH} characters")
    return None


def shown_path(path: str) -> str:
    """Return a path for a message: on one line, and with what is no character written out."""
    raw = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in raw)
