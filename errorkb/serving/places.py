"""Serving: where an error is thrown, with the address of that line at its pin."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from errorkb.models import ErrorEntry


@dataclass(frozen=True)
class PinnedPlace:
    """Where the error is thrown, and the address of that line at the pin; empty where nothing is known."""

    path: str
    line: int | None
    end_line: int | None
    symbol: str
    pin: str
    url: str


def stated_place(entry: ErrorEntry, document: Mapping[str, Any]) -> PinnedPlace:
    """Return the throw site that the document states, with its link at the pin and the line."""
    source = document.get("source") or {}
    pin = source.get("commit") or source.get("release") or ""
    place = (source.get("path") or "", source.get("line"), source.get("end_line"), source.get("symbol") or "")
    return pinned(entry, *place, pin)


def pinned_place(entry: ErrorEntry, document: Mapping[str, Any]) -> PinnedPlace:
    """Return the throw site as it was seen last: by the newest scan, else as the document states it."""
    seen = entry.newest
    if seen is None:
        return stated_place(entry, document)
    return pinned(entry, seen.path, seen.line, seen.end_line, seen.symbol, seen.scan.pin)


def pinned(entry: ErrorEntry, path: str, line: int | None, end_line: int | None, symbol: str, pin: str) -> PinnedPlace:
    """Return a place with the address of its line at a pin."""
    links = entry.repository.links()
    url = links.blob(path, pin, line=line, end_line=end_line) if links and path and pin else ""
    return PinnedPlace(path, line, end_line, symbol, pin, url)
