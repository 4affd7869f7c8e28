"""Models: the code that an entry's words were written for, beside the code around its site as scans saw it last."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from errorkb.core.source_checks import ChangedLine, CodeAround, code_changes
from errorkb.models.entries import ErrorEntry
from errorkb.models.sightings import Scan, Sighting


@dataclass(frozen=True)
class WordsPin:
    """The commit and the release that an entry's words were written for; each may be empty.

    `has_snippet` says that the document's own lines, or those read for it, are of that pin.
    """

    commit: str
    release: str
    has_snippet: bool

    @property
    def label(self) -> str:
        return self.commit or self.release

    def is_of(self, scan: Scan) -> bool:
        """Say whether a scan read this commit, or this release where one of them names no commit."""
        if self.commit and scan.commit:
            return _is_same(self.commit, scan.commit)
        return bool(self.release) and self.release == scan.release


@dataclass(frozen=True)
class CodeChanges:
    """What differs around a site between the pin that its words were written for and the newest scan."""

    since: str
    now: str
    lines: tuple[ChangedLine, ...]


def words_pin(document: Mapping[str, Any]) -> WordsPin:
    """Return what an entry's words were written for: its analysis's commit, else what its source states."""
    source = document.get("source") or {}
    stated = source.get("commit") or ""
    analysed = (document.get("analysis") or {}).get("commit") or ""
    if stated and analysed and not _is_same(stated, analysed):
        return WordsPin(analysed, "", has_snippet=False)
    return WordsPin(analysed or stated, source.get("release") or "", has_snippet=True)


def needs_sightings(entry: ErrorEntry, document: Mapping[str, Any]) -> bool:
    """Say whether only a sighting can tell what the code was when the words were written."""
    return _own_code(entry, document) is None


def code_changes_of(
    entry: ErrorEntry, document: Mapping[str, Any], sightings: Iterable[Sighting] | None = None
) -> CodeChanges | None:
    """Return how the code around an entry's site has changed since its words were written; None where it has not.

    The entry was loaded with `newest__scan`. `sightings` are the entry's with their scans; they are asked for where
    they are needed and not given.
    """
    pin, newest = words_pin(document), entry.newest
    if newest is None or not newest.snippet or not pin.label or pin.is_of(newest.scan):
        return None
    old = _own_code(entry, document)
    if old is None:
        every = entry.sightings.select_related("scan", "same_as") if sightings is None else sightings
        old = next((_seen_code(seen) for seen in every if seen.content.snippet and pin.is_of(seen.scan)), None)
    lines = code_changes(old, _seen_code(newest)) if old else ()
    return CodeChanges(pin.label, newest.scan.label, lines) if lines else None


def _own_code(entry: ErrorEntry, document: Mapping[str, Any]) -> CodeAround | None:
    """Return the lines that the document has, else those that the loader read for it."""
    source = document.get("source") or {}
    snippet = source.get("snippet") or entry.filled.get("snippet")
    if not (snippet and source.get("line") and words_pin(document).has_snippet):
        return None
    return CodeAround(snippet["start_line"], snippet["code"], source["line"])


def _seen_code(sighting: Sighting) -> CodeAround:
    seen = sighting.content
    return CodeAround(seen.snippet["start_line"], seen.snippet["code"], seen.line)


def _is_same(one: str, other: str) -> bool:
    one, other = one.lower(), other.lower()
    return one.startswith(other) or other.startswith(one)
