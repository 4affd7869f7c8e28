"""Releases of one project, scanned one after another: what became of every site, and of the words of some."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from errorkb.ingest.scans.scanning import ScannedSource, ScanRequest, scan_into_base
from errorkb.models import ErrorEntry
from tests.loader import Loader

FOUND = ("new", "seen", "moved", "reworded", "returned")


@dataclass
class Project:
    """A project whose releases are scanned, and the counts that must add up after each."""

    loader: Loader
    repository: str
    alive: int = 0
    entries: int = 0

    def scan(self, place: Path, release: str) -> dict[str, int]:
        """Scan a release newer than all before it; account for each site that it has and each entry that was there."""
        found, counts = self.scan_any(place, release)
        assert sum(counts[became] for became in FOUND) == len(found.sites) == self._seen_in(found)
        self.alive += counts["new"] + counts["returned"] - counts["removed"]
        self.entries += counts["new"]
        assert self._entries().count() == self.entries
        assert self._entries().filter(removed=False).count() == self.alive == len(found.sites)
        return dict(counts)

    def scan_any(self, place: Path, release: str) -> tuple[ScannedSource, Counter[str]]:
        """Scan a release, of whatever age; return what it has, and what became of that."""
        request = ScanRequest(path=str(place), repository=self.repository, release=release, workers=1)
        found, report = scan_into_base(request, clock=self.loader.clock, allow_removals=True)
        assert report.refused == []
        return found, report.counts

    def explain(self, entries: Sequence[ErrorEntry]) -> dict[str, ErrorEntry]:
        """Load words with ids of our own for entries that a scan made; return each as it was by its new id."""
        chosen = {f"{number:016x}": row for number, row in zip(count(1), entries, strict=False)}
        documents = [_explained(row, identifier) for identifier, row in chosen.items()]
        assert self.loader.put("words.json", *documents, kind="entries") == ["updated"] * len(documents)
        return chosen

    def twins(self) -> list[list[ErrorEntry]]:
        """Return the groups of present entries of one function that have equal type and text, in source order."""
        groups: dict[tuple[str, ...], list[ErrorEntry]] = defaultdict(list)
        for row in self._entries().filter(removed=False).order_by("path", "line").select_related("newest"):
            groups[(row.path, row.symbol, row.kind, row.exception_type, row.newest.template)].append(row)
        return [group for group in groups.values() if len(group) > 1]

    def _seen_in(self, found: ScannedSource) -> int:
        """Return how many entries were seen last in this very scan, and are there."""
        of_scan = {"newest__scan__release": found.facts.release, "newest__scan__commit": found.facts.commit}
        return self._entries().filter(gone_in="", **of_scan).count()

    def _entries(self):
        return ErrorEntry.objects.filter(repository__name=self.repository)


def _explained(row: ErrorEntry, identifier: str) -> dict:
    words = {"id": identifier, "meaning": f"Words of {identifier}.", "analysis": {"method": "human"}}
    return {name: value for name, value in row.as_document().items() if name != "conditions"} | words


def ordinals(groups: Iterable[Sequence[ErrorEntry]]) -> dict[int, tuple[int, int]]:
    """Return by primary key which of its group an entry is, and of how many."""
    return {row.pk: (number, len(group)) for group in groups for number, row in enumerate(group)}
