"""Scanning: from a path to a tree of files."""

from dataclasses import replace
from pathlib import Path

from errorkb.scanning.checkouts import find_checkout, open_checkout
from errorkb.scanning.folders import FolderTree
from errorkb.scanning.trees import Origin, Pin, Tree, TreeError


def open_tree(path: str, *, release: str = "", path_prefix: str | None = None, allow_dirty: bool = False) -> Tree:
    """Return the files of a git checkout, of a folder in one, of a bare repository, or of a plain folder.

    `release` is the tag that a plain folder is, `path_prefix` what stands before its paths in the repository. Raises
    TreeError for a path that is no folder, a checkout that git cannot read or that has changes (unless `allow_dirty`:
    then they are read, too), and a plain folder without a release.
    """
    folder = existing_folder(path)
    found = find_checkout(folder)
    if found is None:
        if not release:
            raise TreeError(f"{folder.name} is not a git checkout: say with --release which release it is.")
        prefix = clean_prefix(path_prefix or "")
        return FolderTree(folder, f"the folder {folder.name}", Pin(release=release), Origin(path_prefix=prefix))
    tree = open_checkout(folder, *found, release=release, allow_dirty=allow_dirty)
    if path_prefix is not None:
        tree.origin = replace(tree.origin, path_prefix=clean_prefix(path_prefix))
    return tree


def existing_folder(path: str) -> Path:
    """Return a folder on this machine. Raises TreeError where there is none."""
    try:
        folder = Path(path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise TreeError(f"There is no folder {path!r} to scan.") from None
    if not path or not folder.is_dir():
        raise TreeError(f"{path!r} is not a folder.")
    return folder


def clean_prefix(text: str) -> str:
    """Return a prefix as it stands before paths: `python` and `/python/` both give `python/`."""
    return f"{text.strip('/')}/" if text.strip("/") else ""
