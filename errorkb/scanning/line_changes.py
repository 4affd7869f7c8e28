"""Scanning: which commits added a text to a file or took it away: git's patches between two commits, read once.

What `git log -S` would say of one text is worked out here for all texts of a release in one pass.
"""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from subprocess import Popen

from errorkb.scanning.git import Git

# So many files are asked for at once; so many bytes of patches are read.
MOST_PATHS = 1_000
MOST_BYTES = 512 * 1024 * 1024
_PATCH = (
    *("--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules"),
    *("-p", "-U0", "--full-index"),
)
# What a repository's own settings might change in the form of patches, or run.
_SETTINGS = tuple(
    part
    for setting in (
        *("core.quotePath=false", "log.showSignature=false", "log.showRoot=true", "diff.interHunkContext=0"),
        *("diff.noprefix=false", "diff.mnemonicPrefix=false", "diff.relative=false"),
    )
    for part in ("-c", setting)
)
_HUNK = re.compile(rb"@@ -\d+(?:,(?P<old>\d+))? \+\d+(?:,(?P<new>\d+))? @@")
_COMMIT = re.compile(rb"(?:commit )?(?P<name>[0-9a-f]{40,64})\n")

# What a line of a hunk adds to, and how many of the lines that its head counts it is.
_COUNTED = {b"+": "added", b"-": "removed"}
_LINES_OF = {b"+": 1, b"-": 1, b" ": 2}

# A path in the repository, and a piece of a line of source.
Needle = tuple[str, str]


@dataclass
class FileChange:
    """What one commit did to a file: how often each text came or went; `came_from` is where git says it was before."""

    path: str
    is_new: bool = False
    is_gone: bool = False
    came_from: str = ""
    added: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    removed: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def net(self, text: str) -> int:
        return self.added.get(text, 0) - self.removed.get(text, 0)


class OutOfTimeError(Exception):
    """Reading has taken as long, or as much, as it may."""


class LineChanges:
    """Reads patches for texts, within a time for all of it; `clock` tells seconds."""

    def __init__(self, git: Git, *, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._git = git
        self._clock = clock
        self._end = clock() + seconds

    def between(self, old: str, new: str, needles: Iterable[Needle]) -> dict[str, list[FileChange]]:
        """Return by commit, the newest first, how often texts came or went in their files, merges left out.

        Files are taken by their names alone. Raises OutOfTimeError.
        """
        texts: dict[str, set[str]] = defaultdict(set)
        for path, text in needles:
            texts[path].add(text)
        command = ("log", "--format=commit %H", "--topo-order", "--no-merges", "--no-renames", *_PATCH)
        process = self._git.start(*_SETTINGS, *command, f"{old}..{new}", "--", *list(texts)[:MOST_PATHS])
        return self._read(process, texts.get)

    def of_commits(self, wanted: Mapping[str, set[str]]) -> dict[str, list[FileChange]]:
        """Return for commits how often texts came or went in all files, renamed ones told as such.

        Raises OutOfTimeError.
        """
        every = {text for texts in wanted.values() for text in texts}
        process = self._git.start(*_SETTINGS, "diff-tree", "--stdin", "-r", "--root", "-M", *_PATCH)
        assert process.stdin
        process.stdin.write("".join(f"{name}\n" for name in wanted).encode("ascii"))
        return self._read(process, lambda path: every)

    def _read(
        self, process: "Popen[bytes]", texts_of: Callable[[str], Iterable[str] | None]
    ) -> dict[str, list[FileChange]]:
        assert process.stdin and process.stdout
        found: dict[str, list[FileChange]] = defaultdict(list)
        with process:
            process.stdin.close()
            try:
                for commit, change in _changes(self._lines(process), texts_of):
                    found[commit].append(change)
            finally:
                process.kill()
        return found

    def _lines(self, process: "Popen[bytes]") -> Iterator[bytes]:
        read = 0
        assert process.stdout
        for line in process.stdout:
            read += len(line)
            if read > MOST_BYTES or self._clock() > self._end:
                raise OutOfTimeError
            yield line


def _changes(
    lines: Iterator[bytes], texts_of: Callable[[str], Iterable[str] | None]
) -> Iterator[tuple[str, FileChange]]:
    """Yield commit and change of each file in a stream of patches: https://git-scm.com/docs/diff-format."""
    commit, change = "", FileChange("")
    texts: list[tuple[str, bytes]] = []
    for line in lines:
        if line.startswith(b"@@ "):
            if change.path and not texts:
                texts = [(text, text.encode("utf-8")) for text in texts_of(change.path) or ()]
            _count(lines, line, change, texts)
        elif line.startswith(b"diff --git "):
            if change.path:
                yield commit, change
            change, texts = FileChange(""), []
        elif found := _COMMIT.fullmatch(line):
            if change.path:
                yield commit, change
            commit, change, texts = found["name"].decode("ascii"), FileChange(""), []
        else:
            _head(change, line)
    if change.path:
        yield commit, change


def _head(change: FileChange, line: bytes) -> None:
    """Read a line of a file's head."""
    if line.startswith(b"new file mode"):
        change.is_new = True
    elif line.startswith(b"deleted file mode"):
        change.is_gone = True
    elif line.startswith(b"rename from "):
        change.came_from = _path(line[len(b"rename from ") :])
    elif line.startswith(b"rename to "):
        change.path = _path(line[len(b"rename to ") :])
    elif line.startswith((b"--- a/", b"+++ b/")):
        change.path = _path(line[6:])


def _path(raw: bytes) -> str:
    return raw.rstrip(b"\n").rstrip(b"\t").decode("utf-8", "surrogateescape")


def _count(lines: Iterator[bytes], hunk: bytes, change: FileChange, texts: Sequence[tuple[str, bytes]]) -> None:
    """Read the lines of a hunk, and count the texts in them."""
    found = _HUNK.match(hunk)
    if found is None:
        return
    left = sum(int(found[side]) if found[side] is not None else 1 for side in ("old", "new"))
    while left > 0 and (line := next(lines, b"")):
        counts = _COUNTED.get(line[:1])
        if counts is not None:
            for text in (text for text, raw in texts if raw in line):
                getattr(change, counts)[text] += line.count(text.encode("utf-8"))
        left -= _LINES_OF.get(line[:1], 0)
