"""Serving: the releases of repositories as they are asked about: in their lineage, with the scans that read each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from errorkb.core.releases.lineages import KnownRelease, Lineage
from errorkb.core.releases.versions import Scheme, read_asked, read_tag, scheme_of
from errorkb.core.source_checks import package_name
from errorkb.models import ErrorEntry, Release, Repository, Scan

# So many digits of a commit are said where no release is known.
COMMIT_DIGITS = 10

_UNREAD = ("batch", "dirty")


@dataclass(frozen=True)
class RepositoryReleases:
    """What is known of a repository's releases: their lineage, and by label the dates and the scans of each.

    `names` are those of its packages, as they stand before a version.
    """

    lineage: Lineage
    scheme: Scheme
    tag_format: str
    names: frozenset[str]
    scans: Mapping[str, Sequence[Scan]] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)

    def covering(self, entry: ErrorEntry, packages: Iterable[str]) -> set[str]:
        """Return the labels of releases of which a scan has read where an entry is.

        `packages` are those whose scans have seen it.
        """
        known = {"", *packages}
        return {
            label
            for label, scans in self.scans.items()
            if any(scan.package in known and _reads(scan, entry) for scan in scans)
        }

    def find(self, text: str) -> tuple[KnownRelease, ...]:
        """Return the releases that a text names: by tag, by version, by commit."""
        named = self.lineage.named(text.strip())
        version = read_asked(text, self.scheme, self.tag_format, self.names) if not named else None
        return named or (self.lineage.with_version(version) if version else ())


def repository_releases(repositories: Iterable[Repository]) -> dict[int, RepositoryReleases]:
    """Return what is known of the releases of repositories, by primary key; two queries."""
    rows = {repository.pk: repository for repository in repositories}
    releases, scans = defaultdict(list), defaultdict(list)
    for release in Release.objects.filter(repository__in=rows).order_by("repository_id", "rank", "name"):
        releases[release.repository_id].append(release)
    for scan in Scan.objects.filter(repository__in=rows).defer(*_UNREAD).order_by("rank", "pk"):
        # Of a scan that was stopped, what is not stored yet says nothing.
        if scan.is_whole:
            scans[scan.repository_id].append(scan)
    return {key: _releases_of(row, releases[key], scans[key]) for key, row in rows.items()}


def releases_of(repository: Repository) -> RepositoryReleases:
    """Return what is known of the releases of one repository; two queries."""
    return repository_releases([repository])[repository.pk]


def label_of(scan: Scan, names: Mapping[int, str]) -> str:
    """Return what a scanned release is called: its name, else what the scan calls it, a commit by its first digits.

    `names` are those of the repository's releases by primary key.
    """
    return names.get(scan.of_release_id or 0) or scan.release or scan.version or scan.commit[:COMMIT_DIGITS]


def _releases_of(repository: Repository, releases: Sequence[Release], scans: Sequence[Scan]) -> RepositoryReleases:
    package = str(repository.as_document().get("package") or "")
    languages = {language for scan in scans for language in scan.languages}
    scheme = scheme_of("python" if "python" in languages or not languages else min(languages), package)
    tag_format = repository.tag_format
    names = {release.pk: release.name for release in releases}
    labels = {scan.pk: label_of(scan, names) for scan in scans}
    by_label: dict[str, list[Scan]] = defaultdict(list)
    for scan in scans:
        by_label[labels[scan.pk]].append(scan)
    known = {release.name: _known(release, by_label.get(release.name, ()), scheme, tag_format) for release in releases}
    loose = {labels[scan.pk]: scan for scan in scans if labels[scan.pk] not in known}
    known |= {label: _known_by_scan(label, scan, scheme, tag_format) for label, scan in loose.items()}
    ranks = {release.name: release.rank for release in releases} | {label: scan.rank for label, scan in loose.items()}
    return RepositoryReleases(
        lineage=Lineage(sorted(known.values(), key=lambda one: ranks[one.label])),
        scheme=scheme,
        tag_format=tag_format,
        names=frozenset({repository.short_name, package_name(package), *(scan.package for scan in scans)} - {""}),
        scans=by_label,
        dates={release.name: release.date for release in releases},
        labels=labels,
    )


def _known(release: Release, scans: Sequence[Scan], scheme: Scheme, tag_format: str) -> KnownRelease:
    stated = release.version or release.tag or release.name
    version = read_tag(stated, scheme, tag_format) or read_tag(release.name, scheme, tag_format)
    commit = release.commit or next((scan.commit for scan in scans if scan.commit), "")
    return KnownRelease(release.name, version, commit.lower(), tuple(release.parents) or None)


def _known_by_scan(label: str, scan: Scan, scheme: Scheme, tag_format: str) -> KnownRelease:
    stated = scan.version or scan.release
    version = read_tag(stated, scheme, tag_format) if stated else None
    return KnownRelease(label, version, scan.commit.lower(), tuple(scan.follows) or None)


def _reads(scan: Scan, entry: ErrorEntry) -> bool:
    """Say whether a scan has read the part of the source that an entry is in, as far as is known."""
    paths = [path for path in (entry.path, entry.document_path) if path]
    is_inside = not paths or any(path.startswith(scan.path_prefix) for path in paths)
    return is_inside and (not entry.language or not scan.languages or entry.language in scan.languages)
