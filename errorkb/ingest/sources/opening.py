"""Ingest: from the words of `--source` to a tree of source files."""

from pathlib import Path

from errorkb.ingest.sources.checkouts import CheckoutTree
from errorkb.ingest.sources.distributions import DistributionTree
from errorkb.ingest.sources.folders import FolderTree
from errorkb.ingest.sources.trees import NoSource, SourceError, SourceTree
from errorkb.scanning.git import git_folder
from errorkb.scanning.packages import has_distributions

_EXPECTED = "Give `installed`, `none`, or the path of a checkout or an unpacked package."


def open_source(spec: str) -> SourceTree:
    """Return the files that `spec` means: `installed`, `none`, or the path of a checkout or another folder.

    `installed` is the distributions of the running Python. A folder may be a git checkout or a bare repository (read
    at each entry's pin), site-packages or an unpacked wheel (read where the version fits), an unpacked source archive
    or plain files. Raises SourceError, with a sentence, for a path that isn't there, is no folder or can't be read.
    """
    if spec == "none":
        return NoSource()
    if spec == "installed":
        return DistributionTree()
    folder = _folder(spec)
    git_data = git_folder(folder)
    if git_data is not None:
        return CheckoutTree(folder, git_data)
    return DistributionTree(folder) if has_distributions(folder) else FolderTree(folder)


def _folder(spec: str) -> Path:
    try:
        folder = Path(spec).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        raise SourceError(f"There is no folder {spec!r} to read source from. {_EXPECTED}") from None
    if not spec or not folder.is_dir():
        raise SourceError(f"{spec!r} is not a folder. {_EXPECTED}")
    return folder
