"""Scanning: Python distributions, installed or unpacked in a folder, and what their metadata says of them."""

import csv
import re
import sys
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageMetadata, distributions
from pathlib import Path

from errorkb.scanning.folders import ListedTree
from errorkb.scanning.remotes import repository_of_page
from errorkb.scanning.trees import Origin, Pin, TreeError

# What broken metadata makes importlib.metadata raise.
_BROKEN = (OSError, ValueError, LookupError, TypeError, AttributeError, csv.Error)
_MAX_FIELD = 200
# What the address of the source is called, the surest first:
# https://packaging.python.org/en/latest/specifications/well-known-project-urls/
_LABELS = ("source", "sourcecode", "repository", "code", "github", "gitlab", "homepage", "home", "")
_EXPRESSION = re.compile(r"[A-Za-z0-9.+() -]{1,200}")


@dataclass(frozen=True)
class Package:
    """A distribution: the folder it lies in, the paths that it lists as its own, and its metadata."""

    root: Path
    paths: frozenset[str]
    name: str
    version: str
    pages: tuple[tuple[str, str], ...] = ()
    license: str = ""

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def url(self) -> str:
        """Return the package URL: https://github.com/package-url/purl-spec/blob/main/types/pypi-definition.json."""
        return f"pkg:pypi/{re.sub(r'[-_.]+', '-', self.name).lower()}@{self.version}"

    @property
    def repository(self) -> str:
        """Return the repository that the metadata names by the page of its source, else by another; or nothing."""
        ranked = sorted(self.pages, key=lambda page: _LABELS.index(page[0]) if page[0] in _LABELS else len(_LABELS))
        return next(filter(None, (repository_of_page(url) for _, url in ranked)), "")


def has_distributions(folder: Path) -> bool:
    """Tell whether a folder holds the metadata of distributions, as site-packages and unpacked wheels do."""
    return next(iter(distributions(path=[str(folder)])), None) is not None


def find_package(name: str, *, folder: Path | None = None) -> Package | None:
    """Return a distribution by its name, in a folder or as the running Python can import it.

    Without a name it is the only one of the folder; None where there is none, several, or its metadata is broken.
    """
    if not name and folder is None:
        return None
    try:
        found = list(distributions(name=name or None, path=[str(folder)] if folder else sys.path))
        return _read_package(found[0]) if found and (name or len(found) == 1) else None
    except _BROKEN:
        return None


def open_package(name: str, *, release: str = "", path_prefix: str | None = None) -> ListedTree:
    """Return the files of an installed distribution, with repository, version and licence from its metadata.

    `release` is the tag that the version has in the repository, `path_prefix` what stands before its paths there.
    Raises TreeError where it isn't installed, or is only linked to a checkout.
    """
    package = find_package(name)
    if package is None:
        raise TreeError(f"There is no package {name!r} installed here, or its metadata cannot be read.")
    if not any(path.endswith(".py") for path in package.paths):
        raise TreeError(f"{package.title} lists no Python files as its own; where it is linked, scan its checkout.")
    origin = Origin(package.repository, path_prefix, package.url, package.license)
    return ListedTree(package.root, package.paths, f"{package.title} as installed", Pin(release=release), origin)


def _read_package(distribution: Distribution) -> Package | None:
    root = distribution.locate_file("")
    # A distribution inside an archive has another kind of path.
    if not isinstance(root, Path) or distribution.files is None:
        return None
    metadata = distribution.metadata
    name, version, stated = (_field(metadata, key) for key in ("Name", "Version", "License-Expression"))
    known = stated if _EXPRESSION.fullmatch(stated) else ""
    return Package(root, frozenset(map(str, distribution.files)), name, version, _pages(metadata), known)


def _field(metadata: PackageMetadata, key: str) -> str:
    """Return a field on one line; empty where it is missing."""
    values = metadata.get_all(key) or [""]
    return " ".join(str(values[0]).split())[:_MAX_FIELD]


def _pages(metadata: PackageMetadata) -> tuple[tuple[str, str], ...]:
    """Return the project's pages, (label, address), from Project-URL ("Source, https://…") and Home-page."""
    stated = [str(page).partition(",") for page in metadata.get_all("Project-URL") or ()]
    pages = [(re.sub(r"[^a-z]", "", label.lower()), url.strip()) for label, _, url in stated]
    return (*pages, ("", _field(metadata, "Home-page")))
