"""Scanning: which commits added a text to a file or took it away: git's patches between two commits, read once.

What `git log -S` would say of one text is worked out here for all texts of a release in one pass.
"""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from subprocess import Popen

from errorkb.scanning.git import Git

# So many files are asked for at once; so many bytes of patches are read.
MOST_PATHS = 1_000
MOST_BYTES = 512 * 1024 * 1024
_PATCH = (
    *("--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules"),
    *("--no-renames", "-p", "-U0", "--full-index"),
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

# How many of the lines that a hunk's head counts a line of it is.
_LINES_OF = {b"+": 1, b"-": 1, b" ": 2}

# A path in the repository, and a piece of a line of source.
Needle = tuple[str, str]
# Which texts are looked for in a file, by the commit and the path.
TextsOf = Callable[[str, str], Collection[str]]


@dataclass(frozen=True)
class FileChange:
    """How often texts came to a file, less how often they went, in one commit; only those that did either."""

    path: str
    nets: Mapping[str, int]

    def net(self, text: str) -> int:
        return self.nets.get(text, 0)


class OutOfTimeError(Exception):
    """Reading has taken as long, or as much, as it may."""


class LineChanges:
    """Reads patches for texts, within a time for all of it; `clock` tells seconds.

    Files are taken by their names: one that was renamed has gone under the one and come under the other.
    """

    def __init__(self, git: Git, *, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._git = git
        self._clock = clock
        self._end = clock() + seconds

    def between(self, old: str, new: str, needles: Iterable[Needle]) -> dict[str, list[FileChange]]:
        """Return by commit, the newest first, what became of texts in their files, merges left out.

        Raises OutOfTimeError.
        """
        texts: dict[str, set[str]] = defaultdict(set)
        for path, text in needles:
            texts[path].add(text)
        command = ("log", "--format=commit %H", "--topo-order", "--no-merges", *_PATCH)
        process = self._git.start(*_SETTINGS, *command, f"{old}..{new}", "--", *list(texts)[:MOST_PATHS])
        return self._read(process, lambda commit, path: texts.get(path, ()))

    def of_commits(self, wanted: Mapping[str, set[str]]) -> dict[str, list[FileChange]]:
        """Return for commits what became of texts in all files. Raises OutOfTimeError."""
        process = self._git.start(*_SETTINGS, "diff-tree", "--stdin", "-r", "--root", *_PATCH)
        assert process.stdin
        process.stdin.write("".join(f"{name}\n" for name in wanted).encode("ascii"))
        return self._read(process, lambda commit, path: wanted.get(commit, ()))

    def _read(self, process: "Popen[bytes]", texts_of: TextsOf) -> dict[str, list[FileChange]]:
        assert process.stdin and process.stdout
        found: dict[str, list[FileChange]] = defaultdict(list)
        with process:
            process.stdin.close()
            try:
                for commit, change in _changes(self._lines(process), texts_of):
                    if change.nets:
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


def _changes(lines: Iterator[bytes], texts_of: TextsOf) -> Iterator[tuple[str, FileChange]]:
    """Yield commit and change of each file in a stream of patches: https://git-scm.com/docs/diff-format."""
    commit = path = ""
    sides: dict[bytes, list[bytes]] = {b"+": [], b"-": []}
    for line in lines:
        if line.startswith(b"@@ "):
            _take_hunk(lines, line, sides)
        elif line.startswith((b"--- a/", b"+++ b/")):
            path = line[6:].rstrip(b"\n").rstrip(b"\t").decode("utf-8", "surrogateescape")
        elif line.startswith(b"diff --git ") or _COMMIT.fullmatch(line):
            if path:
                yield commit, _file_change(path, sides, texts_of(commit, path))
            path, sides = "", {b"+": [], b"-": []}
            if named := _COMMIT.fullmatch(line):
                commit = named["name"].decode("ascii")
    if path:
        yield commit, _file_change(path, sides, texts_of(commit, path))


def _take_hunk(lines: Iterator[bytes], head: bytes, sides: Mapping[bytes, list[bytes]]) -> None:
    """Put the lines of a hunk to their sides."""
    found = _HUNK.match(head)
    left = sum(int(found[side]) if found[side] is not None else 1 for side in ("old", "new")) if found else 0
    while left > 0 and (line := next(lines, b"")):
        sign = line[:1]
        if sign in sides:
            sides[sign].append(line)
        left -= _LINES_OF.get(sign, 0)


def _file_change(path: str, sides: Mapping[bytes, list[bytes]], texts: Collection[str]) -> FileChange:
    if not texts:
        return FileChange(path, {})
    came, went = b"".join(sides[b"+"]), b"".join(sides[b"-"])
    nets = {}
    for text in texts:
        raw = text.encode("utf-8", "surrogateescape")
        nets[text] = came.count(raw) - went.count(raw)
    return FileChange(path, {text: net for text, net in nets.items() if net})
