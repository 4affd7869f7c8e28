"""Scanning: from a tree of files to all its throw sites, in order of path and line, and a summary of the work."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from errorkb.scanning.cache import FactsCache
from errorkb.scanning.classifying import Category
from errorkb.scanning.findings import Findings, KnownFacts, find_sites, keep_findings, kept_findings, read_ahead
from errorkb.scanning.listing import Listing, key_of, list_tree
from errorkb.scanning.python.sources import collector_paused
from errorkb.scanning.sites import ScanProblem, ThrowSite
from errorkb.scanning.trees import Tree


@dataclass(frozen=True)
class ScanOptions:
    """How to scan: what is read beside a project's own code, by how many processes, and where facts are kept.

    `workers` is the number of processors where None. Without a `cache_folder` nothing is kept. `progress` is called
    with the number of files done so far.
    """

    include: frozenset[Category] = frozenset()
    workers: int | None = None
    cache_folder: Path | None = None
    progress: Callable[[int], None] | None = None


@dataclass(frozen=True)
class ScanSummary:
    """What a scan did: counts of files and lines that were read, of files left out, of sites; what was passed over.

    `files_known` are files whose facts an earlier scan had found.
    """

    files: int
    lines: int
    left_out: Mapping[Category, int]
    kinds: Mapping[str, int]
    texts: Mapping[str, int]
    files_known: int
    seconds: float
    problems: tuple[ScanProblem, ...]

    @property
    def lines_a_second(self) -> int:
        return round(self.lines / self.seconds) if self.seconds else 0


@dataclass(frozen=True)
class ScanResult:
    """The throw sites of a tree, in order of path and line, and how they were found."""

    sites: tuple[ThrowSite, ...]
    summary: ScanSummary


def scan(tree: Tree, options: ScanOptions | None = None, *, clock: Callable[[], float] = time.monotonic) -> ScanResult:
    """Find all throw sites of a tree. Raises TreeError where the tree as a whole cannot be read."""
    started = clock()
    options = options or ScanOptions()
    with collector_paused(), tree, FactsCache(options.cache_folder) as cache:
        listing = list_tree(tree, options.include)
        findings = kept_findings(cache, listing)
        if findings is None:
            findings = find_sites(tree, listing, KnownFacts(cache), workers=options.workers, progress=options.progress)
            keep_findings(cache, listing, findings)
    return ScanResult(findings.sites, _summary(listing, findings, clock() - started))


class SeriesScanner:
    """Scans trees that are much alike, one after another, each content once; use it in a `with` statement."""

    def __init__(self, options: ScanOptions, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._options = options
        self._clock = clock
        self._cache = FactsCache(options.cache_folder)
        self._known = KnownFacts(self._cache, remembering=True)
        self._listed: dict[Tree, Listing] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cache.close()

    def read_ahead(self, trees: Iterable[Tree]) -> None:
        """Look into what is new in some trees, with all workers, before each of them is scanned."""
        with collector_paused():
            self._listed = {tree: list_tree(tree, self._options.include) for tree in trees}
            read_ahead(self._listed.items(), self._known, workers=self._options.workers)

    def scan(self, tree: Tree) -> ScanResult:
        """Find all throw sites of a tree."""
        started = self._clock()
        with collector_paused(), tree:
            listing = self._listed.pop(tree, None) or list_tree(tree, self._options.include)
            findings = find_sites(tree, listing, self._known, workers=self._options.workers)
        self._known.forget_others({key_of(blob) for blob in listing.blobs})
        return ScanResult(findings.sites, _summary(listing, findings, self._clock() - started))


def _summary(listing: Listing, findings: Findings, seconds: float) -> ScanSummary:
    generated: Counter[Category] = Counter({"generated": findings.generated})
    problems = (*listing.problems, *findings.problems)
    return ScanSummary(
        files=findings.files,
        lines=findings.lines,
        left_out=dict(+(listing.left_out + generated)),
        kinds=dict(Counter(site.kind for site in findings.sites)),
        texts=dict(Counter(site.text for site in findings.sites)),
        files_known=findings.known,
        seconds=seconds,
        problems=tuple(sorted(problems, key=lambda problem: (problem.path, problem.line))),
    )
