"""Scanning: the words of all files of a tree, tests and documentation among them, for checks on what others wrote."""

import sysconfig
from functools import lru_cache
from pathlib import Path

from errorkb.core.word_checks import TooManyWordsError, Vocabulary, VocabularyBuilder
from errorkb.scanning.folders import FolderTree
from errorkb.scanning.sites import ScanProblem
from errorkb.scanning.trees import Origin, Pin, Tree, TreeError, Wanted

# Trees with more text than that are not read to their end, and so nothing is said of them.
MOST_BYTES = 512 * 1024 * 1024
_NO_TEXT = (
    ".pyc", ".pyo", ".so", ".dll", ".dylib", ".a", ".o", ".exe", ".bin", ".whl", ".zip", ".gz", ".xz", ".bz2", ".tar",
    ".jar", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".pdf", ".mp4", ".mp3", ".wav", ".woff", ".woff2",
    ".ttf", ".mo", ".npy", ".npz", ".pt", ".pkl", ".safetensors", ".onnx", ".parquet", ".db", ".sqlite3",
)  # fmt: skip
# What lies in the standard library's folder and is none of it.
_NOT_PYTHONS = ("site-packages/", "dist-packages/", "test/", "idlelib/", "lib2to3/")


def read_vocabulary(tree: Tree, wanted: Wanted | None = None) -> Vocabulary | None:
    """Return the words of a tree's files; None where it cannot be read, or is too large to be read to its end.

    Files that are too large, binary or not to be read have no words. It takes a second for 60 MB.
    """
    try:
        with tree:
            return _read(tree, wanted or _is_text)
    except (TreeError, TooManyWordsError, OSError):
        return None


@lru_cache(maxsize=1)
def python_vocabulary() -> Vocabulary:
    """Return the words of the standard library of the Python that runs; none where its source is not at hand."""
    tree = FolderTree(Path(sysconfig.get_path("stdlib")), "the standard library", Pin(), Origin())
    return read_vocabulary(tree, _is_pythons) or Vocabulary(frozenset())


def _read(tree: Tree, wanted: Wanted) -> Vocabulary:
    builder, left = VocabularyBuilder(), MOST_BYTES
    for blob in tree.blobs(wanted):
        content = blob if isinstance(blob, ScanProblem) else tree.read(blob)
        if isinstance(blob, ScanProblem) or isinstance(content, ScanProblem):
            continue
        left -= len(content)
        if left < 0:
            raise TooManyWordsError
        builder.add(blob.path, content)
    return builder.vocabulary()


def _is_text(path: str) -> bool:
    return not path.lower().endswith(_NO_TEXT)


def _is_pythons(path: str) -> bool:
    return path.endswith(".py") and not path.startswith(_NOT_PYTHONS)
