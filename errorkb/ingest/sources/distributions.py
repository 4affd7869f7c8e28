"""Ingest: source files in Python distributions: those of the running Python, and those unpacked in a folder."""

from pathlib import Path

from errorkb.core.releases.tags import version_of_tag
from errorkb.core.source_checks import package_name, same_version
from errorkb.ingest.sources.trees import RepositoryFacts, SourceFile, SourceTree
from errorkb.scanning.files import lines_of, read_below
from errorkb.scanning.folders import ListedTree
from errorkb.scanning.packages import Package, find_package
from errorkb.scanning.trees import Origin, Pin, Tree


class DistributionTree(SourceTree):
    """Files that a distribution lists as its own, where its version is the one that the pin's release means.

    Wheels know no commit: for a pin that is a commit alone nothing is found.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Take the distributions in a folder; without one, those that the running Python can import."""
        super().__init__()
        self._folder = folder
        self._where = f"in the folder {folder.name}" if folder else "as installed"
        self._packages: dict[str, Package] = {}

    def may_have(self, facts: RepositoryFacts) -> bool:
        return self._package(package_name(facts.package)) is not None

    def _find(self, facts: RepositoryFacts, path: str, commit: str, release: str) -> SourceFile | None:
        package = self._fitting(facts, release)
        if package is None:
            return None
        for inner in facts.paths_in_package(path):
            content = read_below(package.root, inner) if inner in package.paths else None
            if content is not None and (lines := lines_of(content)) is not None:
                return SourceFile(lines, f"{package.title} {self._where}")
        return None

    def _tree(self, facts: RepositoryFacts, commit: str, release: str) -> Tree | None:
        package = self._fitting(facts, release)
        if package is None:
            return None
        return ListedTree(package.root, package.paths, package.title, Pin(release=release), Origin())

    def _fitting(self, facts: RepositoryFacts, release: str) -> Package | None:
        """Return the repository's package where its version is the one that the release means."""
        package = self._package(package_name(facts.package))
        version = version_of_tag(release, facts.tag_format)
        return package if package and same_version(version, package.version) else None

    def _package(self, name: str) -> Package | None:
        """Return a distribution by its name; without a name, the only one of a folder."""
        if name not in self._packages:
            found = find_package(name, folder=self._folder)
            if found is None:
                return None
            self._packages[name] = found
        return self._packages[name]
