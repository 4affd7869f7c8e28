"""Ingest: from what somebody wants scanned to documents, or to sightings in the base."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from errorkb.core.documents import SCHEMA_VERSION, EntryDocument, RepositoryDocument, validate_document
from errorkb.core.problems import DocumentError
from errorkb.core.releases.tags import version_of_tag
from errorkb.core.site_matching import MatchedSite, match_sites
from errorkb.ingest.prepared import Raw, entry_site
from errorkb.ingest.readers import UnreadableError, read_documents
from errorkb.ingest.releases import FoundRelease
from errorkb.ingest.repositories import find_repositories
from errorkb.ingest.scanned import ScanFacts, ScannedSite, ScanReport, matched_site
from errorkb.ingest.scans.commit_links import link_scan
from errorkb.ingest.scans.storing import store_scan
from errorkb.ingest.states import WriteContext
from errorkb.ingest.word_checks import check_scanned
from errorkb.models import Batch
from errorkb.scanning.classifying import Category
from errorkb.scanning.documents import ScanFacts as CommonFacts
from errorkb.scanning.documents import bounded, facts_of, site_document
from errorkb.scanning.languages import LANGUAGES
from errorkb.scanning.opening import open_tree
from errorkb.scanning.packages import find_package, open_package
from errorkb.scanning.scan import ScanOptions, ScanResult, ScanSummary, scan
from errorkb.scanning.sites import ThrowSite
from errorkb.scanning.tags import Tag, TaggedRepository
from errorkb.scanning.trees import Tree, TreeError

# Documents hold so much of a release's name, and of a path (errorkb/core/fields.py) behind a prefix.
MAX_RELEASE = 300
MAX_PREFIX = 100


@dataclass(frozen=True)
class ScanRequest:
    """What to scan (a path or an installed package) and how; empty where it is to be found out.

    With `commits`, git is asked which commits made the changes since the scan before.
    """

    path: str = ""
    package: str = ""
    repository: str = ""
    release: str = ""
    path_prefix: str | None = None
    include: frozenset[Category] = frozenset()
    allow_dirty: bool = False
    workers: int | None = None
    cache_folder: Path | None = None
    reason: str = ""
    commits: bool = True


@dataclass(frozen=True)
class ScannedSource:
    """What a scan found: facts of the whole, sites with their paths in the repository, their documents."""

    facts: ScanFacts
    sites: tuple[ThrowSite, ...]
    documents: tuple[Raw, ...]
    summary: ScanSummary


@dataclass(frozen=True)
class FoundSites:
    """What a scan found, with paths as the tree has them, before documents are made of it."""

    facts: ScanFacts
    common: CommonFacts
    sites: tuple[ThrowSite, ...]
    summary: ScanSummary

    def placed(self, site: ThrowSite) -> ThrowSite:
        """Return a site with its path in the repository."""
        prefix = self.common.path_prefix
        return replace(site, path=prefix + site.path) if prefix else site

    def document(self, site: ThrowSite) -> Raw:
        """Return the document of a site of this scan."""
        return site_document(site, self.common)

    def whole(self) -> ScannedSource:
        """Return all sites in their places, and all documents."""
        documents = tuple(map(self.document, self.sites))
        return ScannedSource(self.facts, tuple(map(self.placed, self.sites)), documents, self.summary)


def scan_documents(
    request: ScanRequest, *, today: str = "", progress: Callable[[int], None] | None = None
) -> ScannedSource:
    """Scan without touching the database. Raises TreeError where the source or its repository is not known."""
    tree = _tree(request)
    return _scanned(tree, request, request.repository or tree.origin.repository, today, progress, version="")


def scan_into_base(
    request: ScanRequest,
    *,
    clock: Callable[[], datetime],
    allow_removals: bool = False,
    progress: Callable[[int], object] | None = None,
) -> tuple[ScannedSource, ScanReport]:
    """Scan, and store what was seen. Raises TreeError, and TooManyRemovedError of `store_scan`."""
    request, version = _completed(request)
    tree = _tree(request)
    repository = request.repository or tree.origin.repository
    found = _scanned(tree, request, repository, clock().date().isoformat(), None, version=version)
    found = replace(found, facts=with_history(found.facts, request.path))
    with batch_of_scans(repository, request.reason, clock) as batch:
        report = store_found(found, tree, request, batch, clock, allow_removals=allow_removals, progress=progress)
        batch.counts = dict(report.counts)
    return found, report


def with_history(facts: ScanFacts, path: str) -> ScanFacts:
    """Return a scan's facts with what git tells of the releases around it; a folder without git tells nothing."""
    if not (path and facts.commit):
        return facts
    try:
        tags, follows = TaggedRepository(path).around(facts.commit, known_tags(facts.repository))
    except TreeError:
        return facts
    return replace(facts, follows=() if facts.release else follows, releases=tuple(map(as_found, tags)))


def known_tags(repository: str) -> set[str]:
    """Return the tags of a repository that the base knows of."""
    row = find_repositories([repository]).get(repository.lower())
    return set(row.releases.exclude(tag="").values_list("name", flat=True)) if row else set()


def as_found(tag: Tag) -> FoundRelease:
    return FoundRelease(tag.name, tag.commit, tag.date, tag.parents)


@contextmanager
def batch_of_scans(repository: str, reason: str, clock: Callable[[], datetime]) -> Iterator[Batch]:
    """Note when scanning a repository begins, and when it ends well."""
    batch = Batch.objects.create(started_at=clock(), writer=f"scan:{repository}", command="scan_source", reason=reason)
    yield batch
    batch.finished_at = clock()
    batch.save()


def store_found(
    found: ScannedSource,
    tree: Tree,
    request: ScanRequest,
    batch: Batch,
    clock: Callable[[], datetime],
    *,
    allow_removals: bool = False,
    progress: Callable[[int], object] | None = None,
) -> ScanReport:
    """Store what a scan found, and look up the names in entries' words. Raises TooManyRemovedError."""
    sites = [ScannedSite(site, document) for site, document in zip(found.sites, found.documents, strict=True)]
    context = WriteContext(clock=clock, batch=batch, reason=f"scan of {found.facts.release or found.facts.commit}")
    report = store_scan(found.facts, sites, context, allow_removals=allow_removals, progress=progress)
    assert report.scan is not None
    check_scanned(report.scan, tree, clock())
    if request.path and request.commits:
        report.commits = link_scan(report.scan, Path(request.path).absolute(), now=clock())
    return report


def keep_known_ids(found: ScannedSource, path: str) -> Iterator[Raw]:
    """Yield the documents of a scan, each with the id that the same site has among the documents of a file."""
    known = list(_known(path))
    new = [matched_site(n, site) for n, site in enumerate(found.sites)]
    pairs = match_sites(new, [site for site, _ in known])
    ids = {site.key: identifier for site, identifier in known}
    named = {pair.new.key: ids[pair.known.key] for pair in pairs}
    for n, document in enumerate(found.documents):
        yield document | ({"id": named[n]} if named.get(n) else {})


def _known(path: str) -> Iterator[tuple[MatchedSite, str]]:
    for n, read in enumerate(read_documents(path)):
        if read.raw is None:
            raise UnreadableError(f"{read.where}: {read.problems[0]}")
        document = validate_document(EntryDocument, read.raw)
        site, source = entry_site(document), document.source
        where = ((source and source.path) or "", (source and source.line) or 0)
        yield MatchedSite(n, site.kind, site.exception_type, site.template, site.symbol, *where), document.id or ""


def _tree(request: ScanRequest) -> Tree:
    if request.package:
        return open_package(request.package, release=request.release, path_prefix=request.path_prefix)
    return open_tree(
        request.path, release=request.release, path_prefix=request.path_prefix, allow_dirty=request.allow_dirty
    )


def _completed(request: ScanRequest) -> tuple[ScanRequest, str]:
    """Fill in a package's tag and prefix from its repository's document; return its version, too.

    Where either is not known, no link can be true, so that the version alone is kept.
    """
    package = find_package(request.package) if request.package else None
    if package is None:
        return request, ""
    name = request.repository or package.repository
    row = find_repositories([name]).get(name.lower()) if name else None
    stated: dict[str, Any] = row.as_document() if row else {}
    prefix = request.path_prefix if request.path_prefix is not None else stated.get("path_prefix")
    release = request.release or str(stated.get("tag_format") or "").replace("{version}", package.version)
    linked = bool(release) and prefix is not None
    return replace(request, path_prefix=prefix, release=release if linked else ""), package.version


def _scanned(
    tree: Tree,
    request: ScanRequest,
    repository: str,
    today: str,
    progress: Callable[[int], None] | None,
    *,
    version: str,
) -> ScannedSource:
    _check_repository(tree, repository)
    result = scan(tree, options_of(request, progress))
    return found_in(tree, result, request, repository, today, version=version).whole()


def options_of(request: ScanRequest, progress: Callable[[int], None] | None = None) -> ScanOptions:
    """Return how a request wants a tree to be scanned."""
    return ScanOptions(request.include, request.workers, request.cache_folder, progress)


def found_in(
    tree: Tree, result: ScanResult, request: ScanRequest, repository: str, today: str, *, version: str = ""
) -> FoundSites:
    """Return what was found in a tree. Raises TreeError for names that no document may hold."""
    _check_repository(tree, repository)
    common = facts_of(tree, repository=repository, date=today)
    _check_names(common)
    facts = ScanFacts(
        repository=repository,
        commit=common.commit,
        release=common.release,
        package=request.package.lower(),
        version=version or version_of_tag(common.release, ""),
        dirty=tree.pin.dirty,
        committed_at=datetime.fromisoformat(tree.pin.date) if tree.pin.date else None,
        languages=tuple(language.name for language in LANGUAGES),
        path_prefix=common.path_prefix,
    )
    return FoundSites(facts, common, tuple(map(bounded, result.sites)), result.summary)


def _check_repository(tree: Tree, repository: str) -> None:
    if not repository:
        raise TreeError(f"It is not known which repository {tree.title} is: say it with --repository owner/name.")


def _check_names(facts: CommonFacts) -> None:
    """Refuse what no document may hold, before it is in thousands of them. Raises TreeError."""
    try:
        validate_document(RepositoryDocument, {"schema_version": SCHEMA_VERSION, "name": facts.repository})
    except DocumentError as error:
        raise TreeError(f"--repository: {error.problems[0]}") from None
    for option, value, most in (
        ("release", facts.release, MAX_RELEASE),
        ("package", facts.package, MAX_RELEASE),
        ("path-prefix", facts.path_prefix, MAX_PREFIX),
    ):
        if len(value) > most:
            raise TreeError(f"--{option}: expected at most {most} characters, found {len(value)}")
