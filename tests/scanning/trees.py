"""Tests of scanning: reading a whole tree into what it holds and what was passed over."""

from errorkb.scanning.sites import ScanProblem
from errorkb.scanning.trees import Tree

BASKET = """\
class Basket:
    def add(self, item):
        if item is None:
            raise ValueError("An item is missing")
"""
# What `git hash-object` says of it.
BASKET_ID = "92ad6075fa88faf6cd35b9e550ad550eb169f956"


def is_python(path: str) -> bool:
    return path.endswith(".py")


def contents(tree: Tree) -> dict[str, str]:
    """Return the Python files of a tree, by path."""
    with tree:
        blobs = [blob for blob in tree.blobs(is_python) if not isinstance(blob, ScanProblem)]
        read = {blob.path: tree.read(blob) for blob in blobs}
    return {path: content.decode() for path, content in read.items() if isinstance(content, bytes)}


def problems(tree: Tree) -> dict[str, str]:
    """Return what was passed over, by path."""
    with tree:
        found = list(tree.blobs(is_python))
        read = [item if isinstance(item, ScanProblem) else tree.read(item) for item in found]
    return {item.path: item.text for item in read if isinstance(item, ScanProblem)}
