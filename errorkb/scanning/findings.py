"""Scanning: what the files of a tree come to: found by workers file by file, linked, and kept for an unchanged tree."""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache as once
from pathlib import Path

from errorkb.core import message_templates
from errorkb.scanning.cache import FactsCache
from errorkb.scanning.extraction import Extracted, Job, pack, unpack
from errorkb.scanning.languages import LANGUAGES, language_of
from errorkb.scanning.listing import Listing, key_of
from errorkb.scanning.sites import FileFacts, ScanProblem, ThrowSite
from errorkb.scanning.trees import Tree, passed_over
from errorkb.scanning.workers import extract_all

Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Findings:
    """All sites of a tree, in order of path and line; counts of files and lines that were read, of files that turned
    out to be generated and are left out, of files that were known; and what went wrong with files.

    `lasting` says that looking again would find the same: no worker died, no file went away in between.
    """

    sites: tuple[ThrowSite, ...]
    files: int
    lines: int
    generated: int
    known: int
    problems: tuple[ScanProblem, ...]
    lasting: bool


class KnownFacts:
    """Facts of files that a scan need not read: those that are kept on disk, and those of the last tree, unpacked."""

    def __init__(self, cache: FactsCache, *, remembering: bool = False) -> None:
        self._cache = cache
        self._remembering = remembering
        self._memory: dict[str, Extracted] = {}

    def get(self, key: str) -> Extracted | None:
        """Return what is known of a file's content."""
        found = self._memory.get(key) or unpack(self._cache.get(key) or b"", Extracted)
        if found is not None and self._remembering:
            self._memory[key] = found
        return found

    def put(self, key: str, packed: bytes) -> None:
        self._cache.put(key, packed)

    def forget_others(self, keys: Collection[str]) -> None:
        """Hold no more in memory than what a tree has."""
        self._memory = {key: found for key, found in self._memory.items() if key in keys}


def read_ahead(trees: Iterable[tuple[Tree, Listing]], known: KnownFacts, *, workers: int | None = None) -> None:
    """Look into the files of several trees that nobody has looked into, each content once, and keep what they hold.

    What goes wrong with a file is told when its tree is scanned.
    """
    for job, packed in extract_all(_unknown(trees, known), workers=workers or _processors()):
        if isinstance(packed, bytes):
            known.put(job.key, packed)


def _unknown(trees: Iterable[tuple[Tree, Listing]], known: KnownFacts) -> Iterator[Job]:
    asked: set[str] = set()
    for tree, listing in trees:
        for blob in listing.blobs:
            key = key_of(blob)
            if key in asked:
                continue
            asked.add(key)
            content = None if known.get(key) else tree.read(blob)
            if isinstance(content, bytes):
                yield Job(key, blob.path, content)


def find_sites(
    tree: Tree, listing: Listing, known: KnownFacts, *, workers: int | None = None, progress: Progress | None = None
) -> Findings:
    """Read the listed files, those whose facts are not in the cache by worker processes, and link what they say."""
    reading = _Reading(tree, listing, known, progress)
    reading.read_all(workers or _processors())
    sites = sorted(_link(reading.facts), key=lambda site: (site.path, site.line, site.end_line))
    return Findings(
        sites=tuple(sites),
        files=len(reading.facts),
        lines=sum(facts.lines for facts in reading.facts),
        generated=reading.generated,
        known=reading.known,
        problems=tuple(reading.problems),
        lasting=reading.lasting,
    )


def kept_findings(cache: FactsCache, listing: Listing) -> Findings | None:
    """Return what the last scan of this tree found, if no file has changed since; None for anything else."""
    kept = cache.get(_place(listing)) or b""
    state = _state(listing)
    found = unpack(kept[len(state) :], Findings) if kept.startswith(state) else None
    return None if found is None else replace(found, known=len(listing.blobs))


def keep_findings(cache: FactsCache, listing: Listing, findings: Findings) -> None:
    """Keep findings in the place of those of the tree's last state."""
    if findings.lasting:
        cache.put(_place(listing), _state(listing) + pack(findings))


@dataclass
class _Reading:
    """One reading on its way: facts of the files so far, and what is counted beside them."""

    tree: Tree
    listing: Listing
    facts_known: KnownFacts
    progress: Progress | None
    facts: list[FileFacts] = field(default_factory=list)
    problems: list[ScanProblem] = field(default_factory=list)
    waiting: dict[str, list[str]] = field(default_factory=dict)
    generated: int = 0
    known: int = 0
    done: int = 0
    lasting: bool = True

    def read_all(self, workers: int) -> None:
        for job, packed in extract_all(self._jobs(), workers=workers):
            extracted = packed if isinstance(packed, str) else unpack(packed, Extracted)
            if isinstance(packed, bytes) and isinstance(extracted, Extracted):
                self.facts_known.put(job.key, packed)
            for path in self.waiting.pop(job.key):
                self._take(path, extracted)

    def _jobs(self) -> Iterator[Job]:
        """Yield the files that no earlier scan has seen, each content once; take what is known from the cache."""
        for blob in self.listing.take():
            key = key_of(blob)
            if key in self.waiting:
                self.waiting[key].append(blob.path)
                continue
            known = self.facts_known.get(key)
            if known is not None:
                self.known += 1
                self._take(blob.path, known)
                continue
            content = self.tree.read(blob)
            if isinstance(content, ScanProblem):
                self.lasting = False
                self.problems.append(content)
                continue
            self.waiting[key] = [blob.path]
            yield Job(key, blob.path, content)

    def _take(self, path: str, extracted: Extracted | str | None) -> None:
        self.done += 1
        if self.progress is not None:
            self.progress(self.done)
        if not isinstance(extracted, Extracted):
            self.lasting = False
            self.problems.append(passed_over(path, extracted or "what was found in it cannot be read"))
        elif extracted.generated and "generated" not in self.listing.include:
            self.generated += 1
        else:
            self._keep(extracted.facts.at(path))

    def _keep(self, facts: FileFacts) -> None:
        self.facts.append(facts)
        if facts.problem is not None:
            self.problems.append(facts.problem)


def _link(facts: list[FileFacts]) -> Iterator[ThrowSite]:
    by_language: dict[str, list[FileFacts]] = {language.name: [] for language in LANGUAGES}
    for file in sorted(facts, key=lambda file: file.path):
        language = language_of(file.path)
        if language is not None:
            by_language[language.name].append(file)
    for language in LANGUAGES:
        yield from language.link(by_language[language.name])


def _place(listing: Listing) -> str:
    return f"tree {','.join(sorted(listing.include))} {listing.place}"


def _state(listing: Listing) -> bytes:
    """Return what stands for the files as they are, and for the program as it is: linking has no version of its own."""
    return f"{listing.state} {_program()}\n".encode()


def _processors() -> int:
    """Return how many processors this process may use, where the system says so."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@once
def _program() -> str:
    """Return a digest of the code that findings come from."""
    places = sorted(Path(__file__).parent.rglob("*.py"))
    digest = hashlib.sha256()
    for place in (*places, Path(message_templates.__file__)):
        digest.update(place.read_bytes())
    return digest.hexdigest()
