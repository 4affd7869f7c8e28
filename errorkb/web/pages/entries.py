"""Web pages: the page of one entry, from its row and document, in the order in which it is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from operator import attrgetter
from typing import Any
from urllib.parse import quote

from django.conf import settings

from errorkb.core.documents import EntryDocument, Snippet, validate_document
from errorkb.core.json_documents import dump_document
from errorkb.models import ErrorEntry
from errorkb.models.served import absolute_url, pinned_place
from errorkb.web.pages.entry_code import CodeBlock, SourceSection, example_blocks, source_section
from errorkb.web.pages.entry_heads import EntryHead, entry_head
from errorkb.web.pages.entry_records import EntryRecords, entry_records
from errorkb.web.pages.entry_texts import written_in_entry
from errorkb.web.pages.entry_words import EntryWords, entry_words
from errorkb.web.pages.excerpts import render_excerpt
from errorkb.web.pages.fragments import Fragments, Written, render_fragments
from errorkb.web.pages.links import ContentsItem
from errorkb.web.pages.renderings import kept_or_made
from errorkb.web.pages.texts import shortened

TITLE_LENGTH = 300
DESCRIPTION_LENGTH = 160

# (what must be there, anchor, heading); one heading depends on the entry.
_SECTIONS = (
    ("words.meaning", "meaning", "What it means"),
    ("words.solutions", "solutions", "{page.words.solutions_title}"),
    ("words.has_occasions", "when", "When it happens"),
    ("source", "source", "Source"),
    ("examples", "examples", "Examples"),
    ("records.has_history", "history", "History and pull requests"),
    ("records.related", "related", "Related errors"),
    ("records.references", "references", "References"),
    ("records.facts", "facts", "Facts"),
    ("records.provenance", "provenance", "Who analysed it"),
)


@dataclass(frozen=True)
class EntryPage:
    """What the entry's templates read."""

    entry: ErrorEntry
    head: EntryHead
    words: EntryWords
    source: SourceSection | None
    examples: tuple[CodeBlock, ...]
    records: EntryRecords
    title: str
    description: str

    @property
    def canonical(self) -> str:
        return absolute_url(self.entry.get_absolute_url())

    @property
    def json_path(self) -> str:
        return f"/api/errors/{self.entry.public_id}"

    @property
    def report_url(self) -> str:
        """Return the form of this site's tracker, filled in; nothing where no tracker is set."""
        filled = settings.REPORT_URL.replace("{title}", quote(self.title, safe=""))
        return filled.replace("{url}", quote(self.canonical, safe=""))

    @property
    def contents(self) -> tuple[ContentsItem, ...]:
        return tuple(
            ContentsItem(anchor, title.format(page=self))
            for attribute, anchor, title in _SECTIONS
            if attrgetter(attribute)(self)
        )


def entry_page(entry: ErrorEntry) -> EntryPage:
    """Return the page of an entry that was loaded with `for_page()`."""
    raw = entry.as_document()
    document = validate_document(EntryDocument, raw)
    written = written_in_entry(document)
    fragments = kept_or_made(_content_hash(entry), Fragments, lambda: _render(entry, document, written))
    place = pinned_place(entry, raw)
    return EntryPage(
        entry=entry,
        head=entry_head(entry, document, place, fragments),
        words=entry_words(document, fragments),
        source=source_section(document, place, fragments, entry.filled),
        examples=example_blocks(document, fragments),
        records=entry_records(entry, raw, document, written, fragments),
        title=shortened(entry.title, TITLE_LENGTH),
        description=shortened(document.meaning or entry.title, DESCRIPTION_LENGTH),
    )


def _content_hash(entry: ErrorEntry) -> str:
    """Return what the fragments are kept under: the document, and the snippet where the loader filled it in."""
    filled = entry.filled.get("snippet")
    if not filled:
        return entry.content_hash
    return sha256(f"{entry.content_hash} {dump_document(filled)}".encode()).hexdigest()


def _render(entry: ErrorEntry, document: EntryDocument, written: Written) -> Fragments:
    """Return the entry's fragments; the snippet is the document's, else the one that the loader found."""
    source = document.source
    filled = entry.filled.get("snippet")
    snippet = source and (source.snippet or (_read_snippet(filled) if filled else None))
    excerpt = render_excerpt(source, snippet) if source and snippet else None
    return render_fragments(written, excerpt=excerpt)


def _read_snippet(filled: Mapping[str, Any]) -> Snippet:
    """Return the snippet that the loader read; it also says where from."""
    return Snippet(start_line=filled["start_line"], code=filled["code"])
