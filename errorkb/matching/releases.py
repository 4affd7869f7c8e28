"""Matching: whether the release that a reader has is one that has the error, as far as scans know."""

from collections.abc import Iterable, Mapping

from django.db.models import Q

from errorkb.matching.results import Reason
from errorkb.models import ErrorEntry, Scan, Sighting

Named = tuple[tuple[str, str], ...]


def release_reasons(
    entries: Iterable[ErrorEntry], libraries: Mapping[int, str], named: Named, asked: str
) -> dict[int, Reason]:
    """Return what is known of entries, by primary key, in the release that is asked for or that a paste names.

    `libraries` are the folders by which the entries' libraries are known; `named` are (package, version) pairs.
    """
    wanted = {entry.pk: (entry, asked or _version_of(entry, libraries.get(entry.pk, ""), named)) for entry in entries}
    wanted = {key: pair for key, pair in wanted.items() if pair[1]}
    if not wanted:
        return {}
    versions = {form for _, version in wanted.values() for form in _forms(version)}
    is_one = Q(version__in=versions) | Q(release__in=versions)
    scans = Scan.objects.filter(is_one, repository__in={entry.repository_id for entry, _ in wanted.values()})
    scanned = {(scan.repository_id, form): scan.pk for scan in scans for form in (scan.version, scan.release) if form}
    seen = set(Sighting.objects.filter(entry__in=wanted, scan__in=scanned.values()).values_list("entry", "scan"))
    return {key: _reason(entry, version, scanned, seen) for key, (entry, version) in wanted.items()}


def _reason(
    entry: ErrorEntry, version: str, scanned: Mapping[tuple[int, str], int], seen: set[tuple[int, int]]
) -> Reason:
    scan = next((scanned[key] for form in _forms(version) if (key := (entry.repository_id, form)) in scanned), None)
    if scan is None:
        return Reason("release", f"we have not read release {version} of {entry.repository.name}")
    if (entry.pk, scan) in seen:
        return Reason("release", f"release {version} has it")
    return Reason("against", f"release {version} does not have it at this site")


def _version_of(entry: ErrorEntry, library: str, named: Named) -> str:
    """Return the version that a paste names of an entry's package."""
    names = {_plain(library), _plain(entry.repository.short_name)} - {""}
    return next((version for package, version in named if _plain(package) in names), "")


def _forms(version: str) -> tuple[str, ...]:
    bare = version.removeprefix("v")
    return version, bare, f"v{bare}"


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")
