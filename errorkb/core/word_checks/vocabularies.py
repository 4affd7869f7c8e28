"""Core: the words that a tree of source files has, and which names it has not."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from posixpath import splitext

from errorkb.core.word_checks.names import LONGEST_NAME, Name

# So many different words are held; the largest trees that people scan have a quarter of a million.
MOST_WORDS = 2_000_000
# Folders down to here may be what the source's own names begin with: `src/django`, `python/sglang`.
_DEPTH_OF_ROOTS = 2
_SPACES = bytes(code if (chr(code).isalnum() and code < 128) or chr(code) == "_" else 32 for code in range(256))
_FLAG = re.compile(rb"--[A-Za-z][A-Za-z0-9]*+(?:[-_][A-Za-z0-9]++)*+")
_IMPORT = re.compile(rb"^[ \t]*+(?:import|from)[ \t]++([A-Za-z_]\w*+)[\w.]*+(?:[ \t]++as[ \t]++(\w++))?", re.MULTILINE)
_PYTHON = (".py", ".pyi")


class TooManyWordsError(Exception):
    """A tree has more different words than are held."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of a tree's files and paths, options (`--like-this`) among them, and names of what it imports."""

    words: frozenset[str]
    foreign: frozenset[str] = frozenset()

    def owns(self, root: str) -> bool:
        """Say whether what hangs on this name is the tree's own."""
        return root in self.words and root not in self.foreign


_NOTHING = Vocabulary(frozenset())


class VocabularyBuilder:
    """A vocabulary that grows file by file."""

    def __init__(self) -> None:
        self._words: set[bytes] = set()
        self._imported: set[bytes] = set()
        self._roots: set[str] = set()

    def add(self, path: str, content: bytes) -> None:
        """Add a file; binary ones have no words. Raises TooManyWordsError."""
        steps = [splitext(step)[0] for step in path.split("/")]
        self._roots.update(steps[:_DEPTH_OF_ROOTS])
        self._words.update(step.encode("utf-8", "replace") for step in steps)
        if b"\0" in content[:8192]:
            return
        self._words.update(content.translate(_SPACES).split())
        if b"--" in content:
            self._words.update(_FLAG.findall(content))
        if path.endswith(_PYTHON):
            self._imported.update(name for names in _IMPORT.findall(content) for name in names)
        if len(self._words) > MOST_WORDS:
            raise TooManyWordsError

    def vocabulary(self) -> Vocabulary:
        """Return what was added so far."""
        words = frozenset(word.decode("ascii", "replace") for word in self._words if len(word) <= LONGEST_NAME)
        foreign = {name.decode("ascii", "replace") for name in self._imported if name} - self._roots
        return Vocabulary(words, frozenset(foreign))


def missing_names(names: Iterable[Name], vocabulary: Vocabulary, besides: Vocabulary = _NOTHING) -> tuple[Name, ...]:
    """Return the names that neither a tree nor the words `besides` have, of those that can be the tree's own."""
    return tuple(
        name
        for name in names
        if (not name.root or vocabulary.owns(name.root))
        and any(vocabulary.words.isdisjoint(group) and besides.words.isdisjoint(group) for group in name.groups)
    )
