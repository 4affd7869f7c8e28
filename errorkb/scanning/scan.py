"""Scanning: from a tree of files to all its throw sites, in order of path and line, and a summary of the work."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from errorkb.scanning.cache import FactsCache
from errorkb.scanning.classifying import Category, classify_path
from errorkb.scanning.extraction import Extracted, Job, unpack
from errorkb.scanning.languages import LANGUAGES, language_of
from errorkb.scanning.sites import FileFacts, ScanProblem, ThrowSite
from errorkb.scanning.trees import Blob, Tree, passed_over
from errorkb.scanning.workers import extract_all


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
    """What a scan did: counts of files and lines that were read, of files left out, of sites; what was passed over."""

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
    reading = _Reading(tree, options or ScanOptions())
    with tree:
        reading.read_all()
    sites = tuple(sorted(_link(reading.facts), key=lambda site: (site.path, site.line, site.end_line)))
    return ScanResult(sites, reading.summary(sites, clock() - started))


@dataclass
class _Reading:
    """One scan on its way: facts of the files so far, and what is counted beside them."""

    tree: Tree
    options: ScanOptions
    facts: list[FileFacts] = field(default_factory=list)
    problems: list[ScanProblem] = field(default_factory=list)
    left_out: Counter[Category] = field(default_factory=Counter)
    waiting: dict[str, list[str]] = field(default_factory=dict)
    done: int = 0
    files_known: int = 0

    def read_all(self) -> None:
        workers = self.options.workers or len(os.sched_getaffinity(0))
        with FactsCache(self.options.cache_folder) as cache:
            for job, packed in extract_all(self._jobs(cache), workers=workers):
                extracted = packed if isinstance(packed, str) else unpack(packed)
                if isinstance(packed, bytes) and isinstance(extracted, Extracted):
                    cache.put(job.key, packed)
                for path in self.waiting.pop(job.key):
                    self._take(path, extracted)

    def summary(self, sites: tuple[ThrowSite, ...], seconds: float) -> ScanSummary:
        return ScanSummary(
            files=len(self.facts),
            lines=sum(facts.lines for facts in self.facts),
            left_out=dict(self.left_out),
            kinds=dict(Counter(site.kind for site in sites)),
            texts=dict(Counter(site.text for site in sites)),
            files_known=self.files_known,
            seconds=seconds,
            problems=tuple(sorted(self.problems, key=lambda problem: (problem.path, problem.line))),
        )

    def _jobs(self, cache: FactsCache) -> Iterator[Job]:
        """Yield the files that no earlier scan has seen, each content once; take what is known from the cache."""
        for blob in self.tree.blobs(self._is_wanted):
            if isinstance(blob, ScanProblem):
                self.problems.append(blob)
                continue
            key = _key(blob)
            if key in self.waiting:
                self.waiting[key].append(blob.path)
                continue
            known = unpack(cache.get(key) or b"")
            if known is not None:
                self.files_known += 1
                self._take(blob.path, known)
                continue
            content = self.tree.read(blob)
            if isinstance(content, ScanProblem):
                self.problems.append(content)
                continue
            self.waiting[key] = [blob.path]
            yield Job(key, blob.path, content)

    def _is_wanted(self, path: str) -> bool:
        """Tell whether a file is read: it has a language, and is not left out by its path."""
        if language_of(path) is None:
            return False
        category = classify_path(path)
        if category == "own" or category in self.options.include:
            return True
        self.left_out[category] += 1
        return False

    def _take(self, path: str, extracted: Extracted | str | None) -> None:
        self.done += 1
        if self.options.progress is not None:
            self.options.progress(self.done)
        if not isinstance(extracted, Extracted):
            self.problems.append(passed_over(path, extracted or "what was found in it cannot be read"))
        elif extracted.generated and "generated" not in self.options.include:
            self.left_out["generated"] += 1
        else:
            self._keep(extracted.facts.at(path))

    def _keep(self, facts: FileFacts) -> None:
        self.facts.append(facts)
        if facts.problem is not None:
            self.problems.append(facts.problem)


def _key(blob: Blob) -> str:
    """Return what stands for a file's facts: its content, its language, and how that language is read."""
    language = language_of(blob.path)
    return f"{blob.id} {language.name} {language.version}" if language else blob.id


def _link(facts: list[FileFacts]) -> Iterator[ThrowSite]:
    by_language: dict[str, list[FileFacts]] = {language.name: [] for language in LANGUAGES}
    for file in sorted(facts, key=lambda file: file.path):
        language = language_of(file.path)
        if language is not None:
            by_language[language.name].append(file)
    for language in LANGUAGES:
        yield from language.link(by_language[language.name])
