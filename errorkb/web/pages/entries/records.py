"""Web pages: what is on record about an entry: wordings, pull requests, related errors, references."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.utils.safestring import SafeString

from errorkb.core.documents import EntryDocument, Wording
from errorkb.core.moments import moment_in_words
from errorkb.models import ErrorEntry
from errorkb.serving.pull_requests import PullRequestLinked
from errorkb.serving.related import RelatedFound, RelatedLink, related_found, related_links
from errorkb.web.pages.entries.sightings import COMMIT_DIGITS, EntrySightings, Seen, entry_sightings, pin_in_words
from errorkb.web.pages.entries.standings import provenance_of
from errorkb.web.pages.facts import SHOWN_ITEMS, Fact, facts_html, facts_of
from errorkb.web.pages.fragments import Fragments, Written
from errorkb.web.pages.links import Link, outside
from errorkb.web.pages.messages import seen_html, wording_html
from errorkb.web.pages.texts import joined

# The leaves that the sections show word for word; every other leaf is among the facts.
PLACED = (
    *(
        "message",
        "exception_type",
        "code",
        "meaning",
        "trigger",
        "common_situations",
        "conditions[]",
        "tags[]",
        "cause",
    ),
    *("solutions[]", "solutions[].text", "solutions[].code", "solutions[].evidence[].url"),
    *("examples[].code", "examples[].purpose", "examples[].caption", "examples[].language", "source.snippet.code"),
    *("slots[].name", "slots[].kind", "slots[].meaning", "wordings[].message", "wordings[].from", "wordings[].until"),
    *("pull_requests[].number", "pull_requests[].role", "related[].title", "related[].id", "related[].repository"),
    *("references[].url", "references[].type", "withdrawn.reason"),
)

# So many wordings of an entry are looked at.
MOST_READ = 200

_REASONS = {
    "same_function": "same function",
    "near_message": "same type, near message",
    "same_pull_request": "same pull request",
    "same_file": "same file",
}
_RELATIONS = {"same_site": "same site", "same_cause": "same cause", "see_also": "see also"}


@dataclass(frozen=True)
class Record:
    """One line of a list: a link, a tag before it, a note below it, and what speaks for it."""

    link: Link
    note: str = ""
    tag: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownWording:
    """A wording, and the releases that have it."""

    html: SafeString
    note: str


@dataclass(frozen=True)
class EntryRecords:
    """Everything of a page below the examples."""

    wordings: tuple[ShownWording, ...]
    old_wordings: tuple[ShownWording, ...]
    sightings: EntrySightings
    pull_requests: tuple[Record, ...]
    related: tuple[Record, ...]
    related_found: tuple[Record, ...]
    references: tuple[Record, ...]
    facts: SafeString
    as_written: tuple[Fact, ...]
    provenance: str

    @property
    def has_history(self) -> bool:
        return bool(self.wordings or self.old_wordings or self.sightings.rows or self.pull_requests)

    @property
    def has_related(self) -> bool:
        return bool(self.related or self.related_found)


def entry_records(
    entry: ErrorEntry,
    raw: dict[str, Any],
    document: EntryDocument,
    written: Written,
    seen: Seen | None,
    fragments: Fragments,
    pulls: Sequence[PullRequestLinked],
) -> EntryRecords:
    """Return what is on record about an entry, and every leaf of its document, `raw`, that no section shows."""
    identifiers = (item.id for item in document.related or [])
    links = related_links(entry, raw)
    return EntryRecords(
        wordings=wordings_of(document),
        old_wordings=old_wordings_of(entry, document),
        sightings=entry_sightings(entry, document, seen),
        pull_requests=tuple(map(pull_request_record, pulls[:SHOWN_ITEMS])),
        related=tuple(map(related_record, links[:SHOWN_ITEMS], identifiers)),
        related_found=tuple(found_record(found, entry) for found in related_found(entry, links, pulls)),
        references=references_of(document),
        facts=facts_html(facts_of(raw, placed=PLACED)),
        as_written=tuple(Fact(name, text) for name, text in written.texts() if name in fragments.unlike),
        provenance=provenance_of(document),
    )


def wordings_of(document: EntryDocument) -> tuple[ShownWording, ...]:
    """Return the wordings that a document lists, in order."""
    return tuple(
        ShownWording(wording_html(wording, document), _wording_note(wording))
        for wording in (document.wordings or [])[:SHOWN_ITEMS]
    )


def old_wordings_of(entry: ErrorEntry, document: EntryDocument) -> tuple[ShownWording, ...]:
    """Return the wordings that the error no longer has, without those that the document lists."""
    listed = {text for wording in document.wordings or [] for text in (wording.message, wording.template)} - {None}
    old = (row for row in entry.wordings.all()[:MOST_READ] if not row.is_current)
    shown = (row for row in old if not {row.message, row.template} & listed)
    return tuple(
        ShownWording(seen_html(row.message or row.template, row.template), _old_wording_note(row.last))
        for row in islice(shown, SHOWN_ITEMS)
    )


def pull_request_record(linked: PullRequestLinked) -> Record:
    """Return a pull request with its role: a link to our report where one is loaded, else to the forge."""
    evidence = tuple(piece.text for piece in linked.evidence)
    note = joined((_report_note(linked), _finder(linked), _commit_note(linked)))
    return Record(_pull_request_link(linked), note, linked.role, evidence)


def _pull_request_link(linked: PullRequestLinked) -> Link:
    row = linked.pull_request
    if row is not None:
        return Link(f"#{linked.number} {row.title or 'title not given'}", row.get_absolute_url())
    if linked.number is None:
        return outside(f"commit {linked.commit[:COMMIT_DIGITS]}", linked.forge_url)
    return outside(f"{linked.repository.name} #{linked.number}", linked.forge_url)


def _report_note(linked: PullRequestLinked) -> str:
    row = linked.pull_request
    if row is None:
        return "no report on it is loaded here" if linked.number else "its pull request is not known"
    return f"merged {moment_in_words(row.merged_at)}" if row.merged_at else "date of merging not stated"


def _finder(linked: PullRequestLinked) -> str:
    """Say that nobody but the product names a pull request, and whether a person agrees."""
    if linked.named_by == "document":
        return ""
    return "found by us, confirmed by a person" if linked.is_confirmed else "found by us"


def _commit_note(linked: PullRequestLinked) -> str:
    """Return the commit that did it, its date, and the releases that it lies between."""
    commit = f"commit {linked.commit[:COMMIT_DIGITS]}" if linked.commit and linked.number else ""
    date = linked.committed_at[:10] if linked.commit else ""
    between = f"between {linked.since} and {linked.until}" if linked.since and linked.until else ""
    return joined((commit, date, between), ", ")


def found_record(found: RelatedFound, entry: ErrorEntry) -> Record:
    """Return a related entry that the product has found: why, and where it is if not beside the entry."""
    elsewhere = found.entry.repository.name if found.entry.repository_id != entry.repository_id else ""
    note = joined((", ".join(_REASONS[reason] for reason in found.reasons), elsewhere))
    return Record(Link(found.title, found.entry.get_absolute_url()), note)


def related_record(related: RelatedLink, identifier: str | None) -> Record:
    """Return a related error that the document names: a link where its entry is loaded, else a text that says so."""
    named = "named by its author"
    relation = _RELATIONS.get(related.relation)
    if related.entry is None:
        note = joined((related.repository, named, relation, identifier, "not loaded here"))
        return Record(Link(related.title), note)
    title = related.entry.title
    other_name = f"as “{related.title}”" if related.title not in title else ""
    note = joined((related.repository, joined((named, other_name), " "), relation, identifier))
    return Record(Link(title, related.entry.get_absolute_url()), note)


def references_of(document: EntryDocument) -> tuple[Record, ...]:
    """Return the references of a document, linked where a browser may follow them."""
    return tuple(
        Record(outside(reference.url, reference.url), tag=reference.type or "")
        for reference in (document.references or [])[:SHOWN_ITEMS]
    )


def _old_wording_note(last: str) -> str:
    return f"Until {pin_in_words(last)} it read:" if last else "Before, it read:"


def _wording_note(wording: Wording) -> str:
    first = f"from {wording.from_}" if wording.from_ else ""
    last = f"until {wording.until}" if wording.until else ""
    return joined((first, last), " ") or "releases not stated"
