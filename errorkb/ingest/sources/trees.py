"""Ingest: what all sources have in common: files by repository, path and pin, the last ones kept."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from subprocess import SubprocessError

from errorkb.core.word_checks import Vocabulary
from errorkb.scanning.files import is_plain_path
from errorkb.scanning.git import GitError
from errorkb.scanning.trees import Tree
from errorkb.scanning.vocabularies import read_vocabulary

_KEPT_BYTES = 64 * 1024 * 1024
# A large one takes 20 MB. Files of entries mostly come by repository and release.
_KEPT_VOCABULARIES = 4
# What a kept line or a kept "not there" takes beside its text.
_OVERHEAD = 64
_OVERHEAD_OF_FILE = 1024


class SourceError(ValueError):
    """A source cannot be opened; the text is a sentence for people."""


@dataclass(frozen=True)
class SourceFile:
    """A file at a pin: its lines without their ends, and where they were read: "Django 5.2.19 as installed"."""

    lines: tuple[str, ...]
    origin: str


@dataclass(frozen=True)
class RepositoryFacts:
    """What finding a repository's files takes: name, package URL, prefix of paths, form of tags; each may be empty."""

    name: str
    package: str = ""
    path_prefix: str = ""
    tag_format: str = ""

    def paths_in_package(self, path: str) -> tuple[str, ...]:
        """Return where a path of the repository may be in its package: as it is, else without the prefix."""
        prefix = self.path_prefix.strip("/") + "/"
        inner = path.removeprefix(prefix)
        return (path, inner) if inner not in ("", path) else (path,)


_Key = tuple[RepositoryFacts, str, str, str]


class SourceTree(ABC):
    """Files of repositories at their pins. `read` never raises: a file that cannot be read is not there."""

    def __init__(self) -> None:
        self._kept = _LastRead()
        self._vocabularies: OrderedDict[tuple[RepositoryFacts, str, str], Vocabulary | None] = OrderedDict()

    def vocabulary(self, facts: RepositoryFacts, *, commit: str | None, release: str | None) -> Vocabulary | None:
        """Return the words of all files at a pin, or None where they aren't at hand; the last asked for are kept."""
        key = (facts, commit or "", release or "")
        if not any(key[1:]):
            return None
        if key not in self._vocabularies:
            self._vocabularies[key] = self._read_vocabulary(*key)
            if len(self._vocabularies) > _KEPT_VOCABULARIES:
                self._vocabularies.popitem(last=False)
        self._vocabularies.move_to_end(key)
        return self._vocabularies[key]

    def _read_vocabulary(self, facts: RepositoryFacts, commit: str, release: str) -> Vocabulary | None:
        try:
            tree = self._tree(facts, commit, release)
        except (OSError, ValueError, SubprocessError, GitError):
            return None
        return read_vocabulary(tree) if tree else None

    def read(self, facts: RepositoryFacts, path: str, *, commit: str | None, release: str | None) -> SourceFile | None:
        """Return a repository's file as it is at the pin (`commit`, else `release`), or None where it isn't at hand."""
        pinned = bool(commit or release)
        if not is_plain_path(path) or not pinned:
            return None
        key = (facts, path, commit or "", release or "")
        return self._kept.get(key, lambda: self._try(*key))

    def may_have(self, facts: RepositoryFacts) -> bool:
        """Return whether any file of a repository may be at hand; False only where none is."""
        return True

    def _try(self, facts: RepositoryFacts, path: str, commit: str, release: str) -> SourceFile | None:
        try:
            return self._find(facts, path, commit, release)
        except (OSError, ValueError, SubprocessError):
            return None

    @abstractmethod
    def _find(self, facts: RepositoryFacts, path: str, commit: str, release: str) -> SourceFile | None:
        """Read a file; a pin's part that is not known is empty."""

    @abstractmethod
    def _tree(self, facts: RepositoryFacts, commit: str, release: str) -> Tree | None:
        """Return all files at a pin, None where they aren't at hand; a pin's part that is not known is empty."""


class NoSource(SourceTree):
    """The tree without files."""

    def may_have(self, facts: RepositoryFacts) -> bool:
        return False

    def _find(self, facts: RepositoryFacts, path: str, commit: str, release: str) -> SourceFile | None:
        return None

    def _tree(self, facts: RepositoryFacts, commit: str, release: str) -> Tree | None:
        return None


class _LastRead:
    """The answers given last, by key, as many as fit into the bound; also those that say "not there"."""

    def __init__(self) -> None:
        self._files: OrderedDict[_Key, SourceFile | None] = OrderedDict()
        self._weight = 0

    def get(self, key: _Key, find: Callable[[], SourceFile | None]) -> SourceFile | None:
        if key in self._files:
            self._files.move_to_end(key)
            return self._files[key]
        file = self._files[key] = find()
        self._weight += _weight(file)
        while self._weight > _KEPT_BYTES:
            self._weight -= _weight(self._files.popitem(last=False)[1])
        return file


def _weight(file: SourceFile | None) -> int:
    lines = file.lines if file else ()
    return _OVERHEAD_OF_FILE + sum(map(len, lines)) + _OVERHEAD * len(lines)
