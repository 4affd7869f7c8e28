"""Ingest: source files in a plain folder: an unpacked wheel or source archive, site-packages, or just files."""

import re
from pathlib import Path

from errorkb.core.releases.tags import version_of_tag
from errorkb.core.source_checks import package_name, same_version
from errorkb.ingest.sources.trees import RepositoryFacts, SourceFile, SourceTree
from errorkb.scanning.files import lines_of, read_below
from errorkb.scanning.folders import FolderTree as WholeFolder
from errorkb.scanning.trees import Origin, Pin, Tree

# The head of a source archive's PKG-INFO: https://packaging.python.org/en/latest/specifications/core-metadata/
_FIELD = re.compile(r"(Name|Version): *(\S+)")
_MAX_HEAD_LINES = 50


class FolderTree(SourceTree):
    """Files of a folder without distributions' metadata; where it has a PKG-INFO, that must name package and version.

    Without any metadata the folder is taken for what the pin means, on the word of who named it.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._stated = _stated(folder)
        title = " ".join(self._stated[field] for field in ("Name", "Version") if field in self._stated)
        self._origin = f"{title} in the folder {folder.name}" if title else f"the folder {folder.name}"

    def _find(self, facts: RepositoryFacts, path: str, commit: str, release: str) -> SourceFile | None:
        if self._stated and not self._is_release(facts, release):
            return None
        for inner in facts.paths_in_package(path):
            content = read_below(self._folder, inner)
            if content is not None and (lines := lines_of(content)) is not None:
                return SourceFile(lines, self._origin)
        return None

    def _tree(self, facts: RepositoryFacts, commit: str, release: str) -> Tree | None:
        if self._stated and not self._is_release(facts, release):
            return None
        return WholeFolder(self._folder, self._origin, Pin(commit, release), Origin())

    def _is_release(self, facts: RepositoryFacts, release: str) -> bool:
        wanted = package_name(facts.package)
        is_package = not wanted or _plain_name(wanted) == _plain_name(self._stated.get("Name", ""))
        version = version_of_tag(release, facts.tag_format)
        return is_package and same_version(version, self._stated.get("Version", ""))


def _stated(folder: Path) -> dict[str, str]:
    """Return name and version as a PKG-INFO in the folder states them; nothing without one."""
    lines = lines_of(read_below(folder, "PKG-INFO") or b"") or ()
    head = (_FIELD.fullmatch(line.strip()) for line in lines[:_MAX_HEAD_LINES])
    return {found[1]: found[2] for found in head if found}


def _plain_name(name: str) -> str:
    """Return a package's name as the index compares it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
