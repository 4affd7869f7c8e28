"""Scanning: the piece of source by which a throw site is followed through commits: a text on one line of its statement.

Texts stand in source as several literals, with escapes and placeholders: the longest piece is taken that stands in
source letter by letter.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

# A piece of a text, and a line of code without one, that says enough.
LEAST_TEXT = 6
LEAST_CODE = 8
MOST_LINES = 60
_MOST_LENGTH = 400

_BREAKS = re.compile(r"[\"'\\{}%\n\r\t$]+")
_SEGMENT = re.compile(r"[\"'`]([^\"'`\\{}%$]*)")
_SLOT = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class SiteSource:
    """A throw site as a scan saw it: its statement's lines, and the templates of its texts."""

    lines: tuple[str, ...]
    templates: tuple[str, ...]


@dataclass(frozen=True)
class SitePiece:
    """A piece of source; `is_text` says that it is part of the error's text, else it is a line of code."""

    text: str
    is_text: bool


def site_source(code: str, start_line: int, line: int, end_line: int, templates: Sequence[str]) -> SiteSource:
    """Return a site's own lines out of its snippet, which begins at `start_line`; lines count from 1."""
    lines = code.split("\n")[max(0, line - start_line) : max(0, end_line - start_line) + 1]
    return SiteSource(tuple(lines[:MOST_LINES]), tuple(filter(None, templates)))


def piece_of(site: SiteSource, *, unlike: SiteSource | None = None) -> SitePiece | None:
    """Return the piece of a site to look for; `unlike` is the same site earlier or later, which must not have it."""
    others = "\n".join((*unlike.lines, *unlike.templates)) if unlike else ""
    texts = [text for text in _texts(site) if text not in others]
    if texts:
        return SitePiece(max(texts, key=len)[:_MOST_LENGTH], is_text=True)
    known = {line.strip() for line in unlike.lines} if unlike else set()
    code = [line.strip() for line in site.lines if len(line.strip()) >= LEAST_CODE and line.strip() not in known]
    return (
        SitePiece(max(code, key=len)[:_MOST_LENGTH], is_text=False) if code and (unlike or not site.templates) else None
    )


def _texts(site: SiteSource) -> Iterator[str]:
    """Yield the pieces of a site's texts that stand on a line of it; of a text from elsewhere, its longest runs."""
    runs = _long(run for template in site.templates for run in _runs(template))
    segments = _long(segment for line in site.lines for segment in _SEGMENT.findall(line))
    found = [segment for segment in segments if any(segment in run for run in runs)]
    found += [run for run in runs if any(run in line for line in site.lines)]
    yield from found or runs


def _long(texts: Iterable[str]) -> list[str]:
    return [text.strip() for text in texts if len(text.strip()) >= LEAST_TEXT]


def _runs(template: str) -> Iterator[str]:
    for literal in _SLOT.split(template):
        yield from _BREAKS.split(literal)
