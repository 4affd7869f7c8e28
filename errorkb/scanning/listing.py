"""Scanning: the files of a tree that are to be read, and what stands for all of them together."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from errorkb.scanning.classifying import Category, classify_path
from errorkb.scanning.languages import language_of
from errorkb.scanning.sites import ScanProblem
from errorkb.scanning.trees import Blob, Tree

# What is read already is held up to here; beyond that, it is read again when its turn comes.
_HELD_BYTES = 64 * 1024 * 1024


@dataclass
class Listing:
    """What is to be read, what is left out, and what cannot be read; `place` is the same for each state of a tree."""

    place: str
    include: frozenset[Category]
    blobs: list[Blob] = field(default_factory=list)
    left_out: Counter[Category] = field(default_factory=Counter)
    problems: list[ScanProblem] = field(default_factory=list)

    @cached_property
    def state(self) -> str:
        """Return what stands for the files as they are: their paths, their content, and how that is read."""
        lines = sorted(f"{key_of(blob)} {blob.path}\n" for blob in self.blobs)
        return hashlib.sha256("".join(lines).encode("utf-8", "backslashreplace")).hexdigest()

    def take(self) -> Iterator[Blob]:
        """Yield the files, and let go of the content of each."""
        for index, blob in enumerate(self.blobs):
            self.blobs[index] = replace(blob, content=None)
            yield blob


def list_tree(tree: Tree, include: Collection[Category]) -> Listing:
    """List the files that have a language, without tests, vendored and generated code that are not asked for."""
    listing = Listing(tree.place, frozenset(include))
    held = 0
    for blob in tree.blobs(lambda path: _is_wanted(listing, path)):
        if isinstance(blob, ScanProblem):
            listing.problems.append(blob)
            continue
        held += len(blob.content or b"")
        listing.blobs.append(blob if held <= _HELD_BYTES else replace(blob, content=None))
    return listing


def key_of(blob: Blob) -> str:
    """Return what stands for a file's facts: its content, its language, and how that language is read."""
    language = language_of(blob.path)
    return f"{blob.id} {language.name} {language.version}" if language else blob.id


def _is_wanted(listing: Listing, path: str) -> bool:
    if language_of(path) is None:
        return False
    category = classify_path(path)
    if category == "own" or category in listing.include:
        return True
    listing.left_out[category] += 1
    return False
