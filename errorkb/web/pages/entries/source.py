"""Web pages: where an error is thrown, with the lines around it: as scans saw it last, and as its document has it."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.documents import EntryDocument, Snippet, Source
from errorkb.core.json_documents import dump_document
from errorkb.models import ErrorEntry, Scan, Sighting
from errorkb.scanning.languages import language_of
from errorkb.serving.places import PinnedPlace
from errorkb.web.pages.entries.code_changes import ShownChanges, shown_changes
from errorkb.web.pages.entries.sightings import scan_in_words
from errorkb.web.pages.excerpts import EARLIER_LINE_ANCHOR, Excerpt, render_excerpt, render_sighting
from errorkb.web.pages.fragments import Fragments, Written, render_fragments
from errorkb.web.pages.links import Link, outside
from errorkb.web.pages.texts import joined


@dataclass(frozen=True)
class ShownExcerpt:
    """The excerpt's two columns, and how many of its lines are shown before a click."""

    numbers: SafeString
    listing: SafeString
    line_count: int
    near_count: int

    @property
    def has_far_lines(self) -> bool:
        return self.near_count < self.line_count


@dataclass(frozen=True)
class WrittenFor:
    """Where a document states the error, and where scans have seen it since: `0132848349, line 136`, `line 285`."""

    stated: Link
    seen: Link


@dataclass(frozen=True)
class SourceSection:
    """Where an error is thrown, with the lines around it where they are known.

    `earlier` are the lines that the document has, where those of a newer release are shown before them.
    """

    place: str
    symbol: str
    link: Link | None
    excerpt: ShownExcerpt | None
    written_for: WrittenFor | None
    earlier: ShownExcerpt | None
    earlier_title: str
    notes: tuple[str, ...]
    changes: ShownChanges | None


def source_section(
    entry: ErrorEntry, document: EntryDocument, place: PinnedPlace, stated: PinnedPlace, fragments: Fragments
) -> SourceSection | None:
    """Return the section on an entry's source, or None where neither its document nor a scan says anything of it.

    `place` is where it was seen last, `stated` where its document has it.
    """
    if document.source is None and entry.newest is None:
        return None
    label = scan_in_words(entry.newest.scan) if entry.newest else place.pin
    return SourceSection(
        place=place_in_words(place),
        symbol=place.symbol,
        link=outside(f"View at {label}", place.url) if place.url else None,
        excerpt=_shown(fragments.excerpt),
        written_for=_written_for(entry.newest, document.source, place, stated),
        earlier=_shown(fragments.earlier),
        earlier_title=f"As it was at {stated.pin}" if stated.pin else "As the entry has it",
        notes=tuple(_notes(entry, document, place, fragments)),
        changes=shown_changes(entry),
    )


def place_in_words(place: PinnedPlace) -> str:
    """Return `path:line`, or as much of it as is known."""
    return joined((place.path, str(place.line) if place.line else ""), ":")


def rendered_entry(entry: ErrorEntry, document: EntryDocument, written: Written) -> Fragments:
    """Return an entry's fragments: its own lines are the earlier ones where a scan has kept others."""
    own = _own_snippet(entry, document)
    seen = render_sighting(entry.newest, _language(document, entry.newest)) if entry.newest else None
    if own is None or document.source is None or (seen and entry.newest and _is_same(own, entry.newest)):
        return render_fragments(written, excerpt=seen)
    if entry.newest is None:
        return render_fragments(written, excerpt=render_excerpt(document.source, own))
    earlier = render_excerpt(document.source, own, anchor=EARLIER_LINE_ANCHOR)
    return render_fragments(written, excerpt=seen, earlier=earlier)


def rendered_hash(entry: ErrorEntry) -> str:
    """Return what the fragments are kept under: the document, and the lines that the loader or a scan has found."""
    found = {"filled": entry.filled.get("snippet")}
    if entry.newest:
        seen = entry.newest
        found["seen"] = {"path": seen.path, "line": [seen.line, seen.end_line], "snippet": seen.snippet}
    if not any(found.values()):
        return entry.content_hash
    return sha256(f"{entry.content_hash} {dump_document(found)}".encode()).hexdigest()


def _own_snippet(entry: ErrorEntry, document: EntryDocument) -> Snippet | None:
    """Return the document's snippet, else the one that the loader read, which also says where from."""
    if document.source and document.source.snippet:
        return document.source.snippet
    filled = entry.filled.get("snippet")
    return Snippet(start_line=filled["start_line"], code=filled["code"]) if filled else None


def _is_same(own: Snippet, seen: Sighting) -> bool:
    return (own.start_line, own.code) == (seen.snippet["start_line"], seen.snippet["code"])


def _language(document: EntryDocument, seen: Sighting) -> str:
    stated = document.source and document.source.language
    known = language_of(seen.path)
    return stated or (known.name if known else "")


def _shown(excerpt: Excerpt | None) -> ShownExcerpt | None:
    if excerpt is None:
        return None
    return ShownExcerpt(
        numbers=mark_safe(excerpt.numbers),
        listing=mark_safe(excerpt.listing),
        line_count=excerpt.line_count,
        near_count=excerpt.near_count,
    )


def _written_for(
    seen: Sighting | None, source: Source | None, place: PinnedPlace, stated: PinnedPlace
) -> WrittenFor | None:
    """Return both places where the document states another pin or place than the one that was seen last."""
    if seen is None or source is None or not (stated.pin or stated.path or stated.line):
        return None
    is_moved = (stated.path or place.path) != place.path
    is_elsewhere = is_moved or (stated.line or place.line) != place.line
    if _is_pin_of(seen.scan, source) and not is_elsewhere:
        return None
    pin = stated.pin or "a release that is not stated"
    there = joined((pin, stated.path if is_moved else "", f"line {stated.line}" if stated.line else ""), ", ")
    line = f"line {place.line}" if is_elsewhere or not stated.line else "the same line"
    here = joined((place.path if is_moved else "", f"{line} in {scan_in_words(seen.scan)}"), ", ")
    return WrittenFor(outside(there, stated.url), outside(here, place.url))


def _is_pin_of(scan: Scan, source: Source) -> bool:
    """Say whether a scan read the release that a document was written for."""
    if source.commit and scan.commit:
        ours, theirs = source.commit.lower(), scan.commit.lower()
        return ours.startswith(theirs) or theirs.startswith(ours)
    return bool(source.release) and source.release == scan.release


def _notes(entry: ErrorEntry, document: EntryDocument, place: PinnedPlace, fragments: Fragments) -> Iterator[str]:
    if entry.newest and not place.url:
        yield "There is no link: the tag of this version is not known, or not the forge of its repository."
    if fragments.excerpt is None:
        yield "The lines around it are not recorded here."
    own = fragments.earlier if entry.newest else fragments.excerpt
    if own and not (document.source and document.source.snippet):
        which = "The earlier lines" if entry.newest else "These lines"
        yield f"{which} were read from a copy of the source when the entry was loaded."
    yield from map(str, entry.filled.get("disagreements") or ())
