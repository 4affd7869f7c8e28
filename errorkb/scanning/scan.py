"""Scanning: from a tree of files to all its throw sites, in order of path and line, and a summary of the work."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from errorkb.scanning.cache import FactsCache
from errorkb.scanning.classifying import Category
from errorkb.scanning.findings import Findings, find_sites, keep_findings, kept_findings
from errorkb.scanning.listing import Listing, list_tree
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
            findings = find_sites(tree, listing, cache, workers=options.workers, progress=options.progress)
            keep_findings(cache, listing, findings)
    return ScanResult(findings.sites, _summary(listing, findings, clock() - started))


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
