"""Ingest: source files in Python distributions: those of the running Python, and those unpacked in a folder."""

import csv
import sys
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from errorkb.core.source_checks import package_name, same_version, version_of_tag
from errorkb.ingest.sources.trees import RepositoryFacts, SourceFile, SourceTree
from errorkb.scanning.files import lines_of, read_below

# What broken metadata makes importlib.metadata raise.
_BROKEN = (OSError, ValueError, LookupError, TypeError, AttributeError, csv.Error)
_MAX_TITLE = 100


@dataclass(frozen=True)
class _Package:
    """An unpacked distribution: the folder it lies in, the paths that it lists in its RECORD, what it is called."""

    root: Path
    paths: frozenset[str]
    version: str
    title: str


def has_distributions(folder: Path) -> bool:
    """Tell whether a folder holds the metadata of distributions, as site-packages and unpacked wheels do."""
    return next(iter(distributions(path=[str(folder)])), None) is not None


class DistributionTree(SourceTree):
    """Files that a distribution lists as its own, where its version is the one that the pin's release means.

    Wheels know no commit: for a pin that is a commit alone nothing is found.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Take the distributions in a folder; without one, those that the running Python can import."""
        super().__init__()
        self._search = [str(folder)] if folder else sys.path
        self._where = f"in the folder {folder.name}" if folder else "as installed"
        self._is_shared = folder is None
        self._packages: dict[str, _Package] = {}

    def _find(self, facts: RepositoryFacts, path: str, commit: str, release: str) -> SourceFile | None:
        package = self._package(package_name(facts.package))
        version = version_of_tag(release, facts.tag_format)
        if package is None or not same_version(version, package.version):
            return None
        for inner in facts.paths_in_package(path):
            content = read_below(package.root, inner) if inner in package.paths else None
            if content is not None and (lines := lines_of(content)) is not None:
                return SourceFile(lines, f"{package.title} {self._where}")
        return None

    def _package(self, name: str) -> _Package | None:
        """Return a distribution by its name; without a name, the only one of a folder."""
        if name not in self._packages:
            found = self._look_up(name)
            if found is None:
                return None
            self._packages[name] = found
        return self._packages[name]

    def _look_up(self, name: str) -> _Package | None:
        if not name and self._is_shared:
            return None
        try:
            found = list(distributions(name=name or None, path=self._search))
            return _read_package(found[0]) if found and (name or len(found) == 1) else None
        except _BROKEN:
            return None


def _read_package(distribution: Distribution) -> _Package | None:
    root = distribution.locate_file("")
    # A distribution inside an archive has another kind of path.
    if not isinstance(root, Path) or distribution.files is None:
        return None
    name, version = (" ".join(str(distribution.metadata[key]).split())[:_MAX_TITLE] for key in ("Name", "Version"))
    return _Package(root, frozenset(map(str, distribution.files)), version, f"{name} {version}")
