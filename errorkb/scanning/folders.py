"""Scanning: files on disk: those of a folder, those that a distribution lists, those of a changed work tree."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from posixpath import dirname

from errorkb.scanning.files import MAX_BYTES, is_hidden
from errorkb.scanning.git import blob_id
from errorkb.scanning.sites import ScanProblem
from errorkb.scanning.trees import Blob, Origin, Pin, Tree, Wanted, passed_over, path_problem

TOO_LARGE = "it has more than 4 MiB"
LOOPS = "a link that leads back to itself"
LEAVES = "a link that leads out of the tree"
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class DiskTree(Tree):
    """Files below a folder on disk. Git's name for each is worked out from its content."""

    def __init__(self, root: Path, title: str, pin: Pin, origin: Origin) -> None:
        super().__init__(f"{root.resolve()} {origin.package.partition('@')[0]}", title, pin, origin)
        self._root = root.resolve()

    def read(self, blob: Blob) -> bytes | ScanProblem:
        if blob.content is not None:
            return blob.content
        content = self._content(blob.path)
        if isinstance(content, bytes) and blob_id(content) != blob.id:
            return passed_over(blob.path, "it has changed during the scan")
        return content

    def _blob(self, path: str) -> Blob | ScanProblem:
        content = path_problem(path) or self._content(path)
        return content if isinstance(content, ScanProblem) else Blob(path, blob_id(content), content)

    def _content(self, path: str) -> bytes | ScanProblem:
        try:
            return _read_file(f"{self._root}/{path}")
        except (OSError, ValueError) as error:
            return passed_over(path, _reason(error))

    def _link_problem(self, path: str) -> ScanProblem | None:
        """Say where a link leads to if that is out of the tree or back to itself.

        None for a link to what stands in the tree at its own place: it is scanned there, and only there.
        """
        place = self._root / path
        try:
            target = place.resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            loops = isinstance(error, RuntimeError) or getattr(error, "errno", None) == errno.ELOOP
            return passed_over(path, LOOPS) if loops else None
        if not target.is_relative_to(self._root):
            return passed_over(path, LEAVES)
        return passed_over(path, LOOPS) if place.parent.is_relative_to(target) else None


class FolderTree(DiskTree):
    """All files below a folder."""

    def blobs(self, wanted: Wanted) -> Iterator[Blob | ScanProblem]:
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            for entry in self._entries(folder):
                if isinstance(entry, ScanProblem):
                    yield entry
                    continue
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
                else:
                    yield from filter(None, [self._entry(entry, path, wanted)])

    def _entry(self, entry: os.DirEntry[str], path: str, wanted: Wanted) -> Blob | ScanProblem | None:
        if entry.is_symlink():
            return self._link_problem(path)
        return self._blob(path) if wanted(path) else None

    def _entries(self, folder: str) -> Iterable[os.DirEntry[str] | ScanProblem]:
        """Return what is in a folder, in order of names and without what is hidden."""
        try:
            with os.scandir(self._root / folder) as entries:
                return sorted((entry for entry in entries if not is_hidden(entry.name)), key=lambda entry: entry.name)
        except (OSError, ValueError) as error:
            return [passed_over(folder or ".", _reason(error))]


class ListedTree(DiskTree):
    """The files below a folder that a list names, and no others. Lists are by others: a path may lead anywhere."""

    def __init__(self, root: Path, paths: Iterable[str], title: str, pin: Pin, origin: Origin) -> None:
        super().__init__(root, title, pin, origin)
        self._paths = sorted(set(paths))
        self._inside: dict[str, bool] = {}

    def blobs(self, wanted: Wanted) -> Iterator[Blob | ScanProblem]:
        for path in self._paths:
            if is_hidden(path) or not wanted(path):
                continue
            found = self._listed(path)
            if found is not None:
                yield found

    def _listed(self, path: str) -> Blob | ScanProblem | None:
        problem = path_problem(path)
        if problem is not None:
            return problem
        if not self._is_inside(dirname(path)):
            return passed_over(path, LEAVES)
        return self._link_problem(path) if (self._root / path).is_symlink() else self._blob(path)

    def _is_inside(self, folder: str) -> bool:
        if folder not in self._inside:
            try:
                self._inside[folder] = (self._root / folder).resolve().is_relative_to(self._root)
            except (OSError, RuntimeError):
                self._inside[folder] = False
        return self._inside[folder]


def _read_file(place: str) -> bytes:
    """Return a regular file's content. Raises OSError for everything else, ValueError for one that is too large."""
    with os.fdopen(os.open(place, _OPEN), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(TOO_LARGE)
    return content


def _reason(error: OSError | ValueError) -> str:
    if not isinstance(error, OSError):
        return str(error)
    return f"it cannot be read ({error.strerror or type(error).__name__})"
