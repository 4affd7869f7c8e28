"""Web pages: the page of one entry, from its row and document, in the order in which it is read."""

from dataclasses import dataclass
from operator import attrgetter
from urllib.parse import quote

from django.conf import settings

from errorkb.core.documents import EntryDocument, validate_document
from errorkb.models import ErrorEntry
from errorkb.serving.addresses import absolute_url
from errorkb.serving.places import pinned_place, stated_place
from errorkb.serving.pull_requests import linked_pull_requests
from errorkb.web.pages.entries.code import CodeBlock, example_blocks
from errorkb.web.pages.entries.heads import EntryHead, entry_head
from errorkb.web.pages.entries.records import EntryRecords, entry_records
from errorkb.web.pages.entries.sightings import seen_of
from errorkb.web.pages.entries.source import SourceSection, rendered_entry, rendered_hash, source_section
from errorkb.web.pages.entries.texts import written_in_entry
from errorkb.web.pages.entries.timelines import EntryTimeline, entry_timeline
from errorkb.web.pages.entries.word_checks import ShownCheck, shown_check, with_doubts
from errorkb.web.pages.entries.words import EntryWords, entry_words
from errorkb.web.pages.fragments import Fragments
from errorkb.web.pages.links import ContentsItem
from errorkb.web.pages.renderings import kept_or_made
from errorkb.web.pages.texts import description, shortened

TITLE_LENGTH = 300

# (what must be there, anchor, heading); one heading depends on the entry.
_SECTIONS = (
    ("words.meaning", "meaning", "What it means"),
    ("words.solutions", "solutions", "{page.words.solutions_title}"),
    ("words.has_occasions", "when", "When it happens"),
    ("source", "source", "Source"),
    ("examples", "examples", "Examples"),
    ("timeline", "versions", "Does my version have this?"),
    ("has_history", "history", "History and pull requests"),
    ("records.has_related", "related", "Related errors"),
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
    check: ShownCheck | None
    records: EntryRecords
    timeline: EntryTimeline
    title: str
    description: str

    @property
    def canonical(self) -> str:
        return absolute_url(self.entry.get_absolute_url())

    @property
    def has_history(self) -> bool:
        return bool(self.records.has_history or self.timeline.changes)

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


def entry_page(entry: ErrorEntry, release: str = "") -> EntryPage:
    """Return the page of an entry that was loaded with `for_page()`; `release` is what its reader asks about."""
    raw = entry.as_document()
    document = validate_document(EntryDocument, raw)
    written = written_in_entry(document)
    fragments = kept_or_made(rendered_hash(entry), Fragments, lambda: rendered_entry(entry, document, written))
    place, seen, check = pinned_place(entry, raw), seen_of(entry, entry.repository.links()), shown_check(entry)
    pulls = linked_pull_requests(entry)
    timeline = entry_timeline(entry, pulls, release)
    return EntryPage(
        entry=entry,
        head=entry_head(entry, document, place, seen, check, fragments, timeline.span),
        words=entry_words(entry, document, fragments),
        source=source_section(entry, document, place, stated_place(entry, raw), fragments),
        examples=with_doubts(example_blocks(document, fragments), document, check),
        check=check,
        records=entry_records(entry, raw, document, written, seen, fragments, pulls),
        timeline=timeline,
        title=shortened(entry.title, TITLE_LENGTH),
        description=description(document.meaning, entry.title),
    )
