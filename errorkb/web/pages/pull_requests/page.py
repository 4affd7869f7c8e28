"""Web pages: the page of one pull request: its report, and the entries that it touched."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString

from errorkb.core.documents import FixedError, PullRequestDocument, validate_document
from errorkb.core.forges import web_address
from errorkb.core.moments import moment_in_words
from errorkb.models import PullRequest, PullRequestMention, QuotedMessage
from errorkb.serving.addresses import absolute_url
from errorkb.serving.known_pull_requests import TouchedEntry, fixed_errors, introducing, touched_entries
from errorkb.web.pages.entries.records import Record
from errorkb.web.pages.facts import SHOWN_ITEMS, Fact, facts_html, facts_of
from errorkb.web.pages.fragments import Fragments, render_fragments
from errorkb.web.pages.links import ContentsItem, Link, host_of, outside
from errorkb.web.pages.pull_requests.report_blocks import Section
from errorkb.web.pages.pull_requests.report_links import PullRequestIndex, file_pin
from errorkb.web.pages.pull_requests.report_sections import ReportReader
from errorkb.web.pages.pull_requests.report_texts import written_in_report
from errorkb.web.pages.renderings import kept_or_made
from errorkb.web.pages.texts import description, joined, language_tag, shortened

TITLE_LENGTH = 300

# The leaves that the sections show word for word; every other leaf is among the facts.
PLACED = (
    *("title", "number", "labels[]", "fixes[].exception_type", "fixes[].message"),
    *("report.summary", "report.recommendation", "report.motivation", "report.implementation[]"),
    *("report.key_files[].path", "report.key_files[].module", "report.key_files[].category"),
    *("report.key_files[].type", "report.key_files[].symbols[]", "report.key_files[].note", "report.key_symbols[]"),
    *("report.snippets[].path", "report.snippets[].language", "report.snippets[].note", "report.snippets[].code"),
    *("report.discussion.summary", "report.discussion.topics[].title"),
    *("report.discussion.topics[].kind", "report.discussion.topics[].note"),
    *("report.risk", "report.impact", "report.risk_flags[]", "report.sections[].heading", "report.sections[].body"),
    *("related[].number", "related[].repository", "related[].title", "related[].note"),
)


@dataclass(frozen=True)
class PullRequestPage:
    """What the template reads; `language` is the report's, the rest of the page is in English."""

    pull_request: PullRequest
    crumbs: tuple[Link, ...]
    title: str
    standing: tuple[Link, ...]
    labels: tuple[str, ...]
    entries: tuple[Record, ...]
    fixes: tuple[str, ...]
    found_fixes: tuple[str, ...]
    introducers: tuple[Record, ...]
    language: str
    sections: tuple[Section, ...]
    facts: SafeString
    as_written: tuple[Fact, ...]
    description: str

    @property
    def head_title(self) -> str:
        return shortened(self.title, TITLE_LENGTH)

    @property
    def canonical(self) -> str:
        return absolute_url(self.pull_request.get_absolute_url())

    @property
    def has_errors(self) -> bool:
        return bool(self.entries or self.fixes or self.found_fixes or self.introducers)

    @property
    def contents(self) -> tuple[ContentsItem, ...]:
        errors = [ContentsItem("errors", "Errors it touched")] if self.has_errors else []
        sections = [ContentsItem(section.anchor, section.title) for section in self.sections]
        return (*sections, *errors, ContentsItem("facts", "Facts"))


def pull_request_page(row: PullRequest) -> PullRequestPage:
    """Return the page of a pull request whose repository is loaded with it."""
    raw = row.as_document()
    document = validate_document(PullRequestDocument, raw)
    report = document.report
    written = written_in_report(document)
    fragments = kept_or_made(row.content_hash, Fragments, lambda: render_fragments(written))
    touched = touched_entries(row.repository_id, row.number)[:SHOWN_ITEMS]
    index = PullRequestIndex(row, _named(document))
    reader = ReportReader(row, document, fragments, file_pin(row, document, touched), index)
    return PullRequestPage(
        pull_request=row,
        crumbs=(Link(row.repository.short_name, row.repository.get_absolute_url()), Link("pull requests")),
        title=document.title or "Title not given",
        standing=tuple(_standing(row, document)),
        labels=tuple((document.labels or [])[:SHOWN_ITEMS]),
        entries=tuple(map(entry_record, touched)),
        fixes=tuple(map(_fixed, (document.fixes or [])[:SHOWN_ITEMS])),
        found_fixes=tuple(_found_fixes(row)),
        introducers=tuple(map(_introducer, introducing(row)[:SHOWN_ITEMS])),
        language=language_tag(report.language if report else None) or "en",
        sections=reader.sections(),
        facts=facts_html(facts_of(raw, placed=PLACED)),
        as_written=tuple(Fact(name, text) for name, text in written.texts() if name in fragments.unlike),
        description=description(report.summary if report else None, document.title or str(row)),
    )


def _named(document: PullRequestDocument) -> list[tuple[str | None, int]]:
    """Return repository and number of every pull request that a document names."""
    named = [(item.repository, item.number) for item in (document.related or [])[:SHOWN_ITEMS]]
    if document.introduced_by:
        named.append((document.introduced_by.repository, document.introduced_by.number))
    return named


def _standing(row: PullRequest, document: PullRequestDocument) -> Iterator[Link]:
    if document.merged_at:
        yield Link(f"merged {moment_in_words(document.merged_at)}")
    if document.author:
        yield Link(f"by {document.author}")
    if document.merged_by:
        yield Link(f"merged by {document.merged_by}")
    if document.merge_commit:
        links = row.repository.links()
        yield outside(f"merge commit {document.merge_commit}", links.commit(document.merge_commit) if links else None)
    if address := web_address(document.url) or row.forge_url():
        yield outside(f"View on {host_of(address)}", address)
    if document.report and document.report.source_url:
        yield outside("Source of this report", document.report.source_url)


def entry_record(touched: TouchedEntry) -> Record:
    """Return an entry that a pull request touched: where it is thrown, the role, and what speaks for it."""
    entry = touched.entry
    place = joined((entry.path, str(entry.line) if entry.line else ""), ":")
    found = "found by us" if touched.named_by == "product" else ""
    confirmed = "confirmed by a person" if touched.is_confirmed else ""
    note = joined((place, joined((found, confirmed), ", ")))
    evidence = tuple(piece.text for piece in touched.evidence)
    return Record(Link(entry.title, entry.get_absolute_url()), note, touched.role, evidence)


def _found_fixes(row: PullRequest) -> Iterator[str]:
    """Yield the errors that the report's text says it fixes, without those that the document states."""
    for quote in fixed_errors(row)[:SHOWN_ITEMS]:
        if quote.kind == QuotedMessage.Kind.FIXED:
            yield joined((quote.exception_type, quote.message), ": ")


def _introducer(mention: PullRequestMention) -> Record:
    repository, number = mention.repository, mention.number
    address = f"{repository.get_absolute_url()}pulls/{number}/"
    return Record(Link(f"{repository.name} #{number}", address), mention.text, "introduced")


def _fixed(error: FixedError) -> str:
    return joined((error.exception_type, error.message), ": ")
