"""Scanning: the table of languages: by a file's suffix, who reads it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from posixpath import splitext

from errorkb.scanning import python
from errorkb.scanning.sites import FileFacts, ThrowSite


@dataclass(frozen=True)
class Language:
    """A language that can be read: `extract` works on one blob, `link` on all files of one tree in this language.

    `version` rises whenever `extract` would say something else about the same blob.
    """

    name: str
    suffixes: tuple[str, ...]
    may_hold_site: Callable[[bytes], bool]
    extract: Callable[[bytes, str], FileFacts]
    link: Callable[[Iterable[FileFacts]], Iterator[ThrowSite]]
    version: int


PYTHON = Language(
    name="python",
    suffixes=(".py",),
    may_hold_site=python.may_hold_site,
    extract=python.extract,
    link=python.link,
    version=python.EXTRACTOR_VERSION,
)
LANGUAGES = (PYTHON,)
_BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}


def language_of(path: str) -> Language | None:
    """Return the language of a path by its suffix: `a/b.py` is Python; None where nobody reads it."""
    return _BY_SUFFIX.get(splitext(path)[1].lower())
