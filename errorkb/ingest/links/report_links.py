"""Ingest: which reports speak of which entries, whichever came first, and what they show that their pull requests did.

It follows from documents, sightings and what git has told. Every write of any of these calls `sync_report_links` or
`sync_links_of_reports` in its own transaction.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter

from django.db.models import Q, QuerySet

from errorkb.core.documents import PullRequestDocument, validate_document
from errorkb.core.report_evidence import (
    Quote,
    ReportedSite,
    ReportLink,
    ReportText,
    judge_report,
    report_text,
    settle,
)
from errorkb.ingest.links.quoted_messages import quote_of
from errorkb.ingest.repositories import touch
from errorkb.models import (
    EntryPullRequest,
    ErrorEntry,
    FoundPullRequest,
    PullRequest,
    QuotedMessage,
    Sighting,
    Wording,
)
from errorkb.models.chunks import in_chunks

CHUNK = 200
# So many reports are held against one entry, those with the lowest numbers first.
MOST_REPORTS = 200
# Documents may have eight megabytes: so many are in memory at a time.
_DOCUMENTS = 20

_REPORT = FoundPullRequest.Origin.REPORT
_values = attrgetter("repository_id", "number", "role", "evidence")


@dataclass
class _Site:
    """What is gathered of an entry."""

    repository: int
    exception_type: str
    templates: list[str] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)
    symbols: set[str] = field(default_factory=set)

    def as_reported(self) -> ReportedSite:
        symbols = frozenset(symbol.rpartition(".")[2] for symbol in self.symbols if symbol)
        paths = frozenset(filter(None, self.paths))
        return ReportedSite(self.exception_type, tuple(dict.fromkeys(self.templates)), paths, symbols)


@dataclass(frozen=True)
class _Report:
    """A report, read: what stands in it."""

    number: int
    repository: int
    merged_at: str
    text: ReportText
    quotes: tuple[Quote, ...]


def sync_report_links(
    entries: Iterable[int], now: datetime | None = None, *, repositories: Collection[int] = ()
) -> int:
    """Make the links from reports to entries, given by primary key, follow; return how many entries changed.

    They count as changed at `now`, where that is given. `repositories` are all that the entries are of, where they are
    known: one query then tells that there is nothing to do. The others grow with the number of entries by chunks only.
    """
    wanted = list(entries)
    if not wanted or not _may_have_links(repositories):
        return 0
    return sum(_sync(chunk, now) for chunk in in_chunks(wanted, CHUNK))


def _may_have_links(repositories: Collection[int]) -> bool:
    """Say whether there are reports, of these repositories if they are known: without one there is no link either."""
    reports = PullRequest.objects.order_by()
    return (reports.filter(repository__in=repositories) if repositories else reports).exists()


def sync_links_of_reports(reports: Iterable[int], now: datetime | None = None) -> int:
    """Make the links of all entries follow that reports, given by primary key, speak of or spoke of."""
    entries = {entry for chunk in in_chunks(reports, CHUNK) for entry in _entries_of(chunk)}
    return sync_report_links(sorted(entries), now)


def stray_links(entries: Sequence[int]) -> set[int]:
    """Return those of the entries whose stored links do not follow."""
    stored, wanted = _by_entry(_stored_of(entries)), _wanted(entries)
    return {entry for entry in entries if _differ(stored.get(entry, []), wanted.get(entry, []))}


def _entries_of(reports: Sequence[int]) -> Iterator[int]:
    """Yield the entries that have a wording with a quote's key in the report's repository, and those linked so far."""
    quotes = QuotedMessage.objects.filter(pull_request__in=reports)
    repositories: dict[str, set[int]] = defaultdict(set)
    for repository, *keys in quotes.values_list("pull_request__repository", "key", "plain_key"):
        for key in filter(None, keys):
            repositories[key].add(repository)
    for chunk in in_chunks(repositories):
        found = Wording.objects.filter(key__in=chunk).values_list("entry", "entry__repository", "key").order_by()
        yield from (entry for entry, repository, key in found if repository in repositories[key])
    rows = PullRequest.objects.filter(pk__in=reports).values_list("repository", "number")
    numbers: dict[int, set[int]] = defaultdict(set)
    for repository, number in rows:
        numbers[repository].add(number)
    for repository, told in numbers.items():
        linked = FoundPullRequest.objects.filter(origin=_REPORT, repository=repository, number__in=told)
        yield from linked.values_list("entry", flat=True).order_by()


def _sync(entries: Sequence[int], now: datetime | None) -> int:
    stored, wanted = _by_entry(_stored_of(entries)), _wanted(entries)
    changed = [entry for entry in entries if _differ(stored.get(entry, []), wanted.get(entry, []))]
    if not changed:
        return 0
    _stored_of(changed).delete()
    FoundPullRequest.objects.bulk_create(row for entry in changed for row in wanted.get(entry, []))
    if now is not None:
        rows = ErrorEntry.objects.filter(pk__in=changed)
        rows.update(modified_at=now)
        touch(rows.values_list("repository", flat=True), now)
    return len(changed)


def _stored_of(entries: Sequence[int]) -> QuerySet[FoundPullRequest]:
    return FoundPullRequest.objects.filter(entry__in=entries, origin=_REPORT).order_by("entry", "pk")


def _by_entry(rows: Iterable[FoundPullRequest]) -> dict[int, list[FoundPullRequest]]:
    found: dict[int, list[FoundPullRequest]] = defaultdict(list)
    for row in rows:
        found[row.entry_id].append(row)
    return found


def _differ(stored: Sequence[FoundPullRequest], wanted: Sequence[FoundPullRequest]) -> bool:
    return list(map(_values, stored)) != list(map(_values, wanted))


def _wanted(entries: Sequence[int]) -> dict[int, list[FoundPullRequest]]:
    """Return the links that entries should have, those of lower numbers first."""
    pairs = _pairs(entries)
    if not pairs:
        return {}
    sites, introducers = _sites(list(pairs)), _introducers(list(pairs))
    reports = _reports({report for found in pairs.values() for report in found})
    return {
        entry: list(_links(entry, sites[entry], [reports[pk] for pk in found if pk in reports], introducers.get(entry)))
        for entry, found in pairs.items()
    }


def _pairs(entries: Sequence[int]) -> dict[int, list[int]]:
    """Return for entries the reports of their repositories that quote a text with the key of one of their wordings."""
    keyed: dict[str, set[tuple[int, int]]] = defaultdict(set)
    wordings = Wording.objects.filter(entry__in=entries).exclude(key="").order_by()
    for entry, repository, key in wordings.values_list("entry", "entry__repository", "key"):
        keyed[key].add((entry, repository))
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for chunk in in_chunks(keyed, 400):
        quotes = QuotedMessage.objects.filter(Q(key__in=chunk) | Q(plain_key__in=chunk)).order_by()
        columns = ("pull_request", "pull_request__repository", "pull_request__number", "key", "plain_key")
        for report, home, number, *keys in quotes.values_list(*columns):
            for entry in (entry for key in keys for entry, repository in keyed.get(key, ()) if repository == home):
                found[entry][report] = number
    return {entry: sorted(told, key=lambda pk: told[pk])[:MOST_REPORTS] for entry, told in found.items()}


def _sites(entries: Sequence[int]) -> dict[int, _Site]:
    sites: dict[int, _Site] = {}
    columns = ("pk", "repository", "exception_type", "path", "document_path", "symbol")
    for pk, repository, exception_type, path, stated, symbol in ErrorEntry.objects.filter(pk__in=entries).values_list(
        *columns
    ):
        sites[pk] = _Site(repository, exception_type, paths={path, stated}, symbols={symbol})
    for entry, template in (
        Wording.objects.filter(entry__in=entries).order_by("entry", "position").values_list("entry", "template")
    ):
        sites[entry].templates.append(template)
    seen = Sighting.objects.filter(entry__in=entries).exclude(path="").order_by()
    for entry, path, symbol in seen.values_list("entry", "path", "symbol").distinct():
        sites[entry].paths.add(path)
        sites[entry].symbols.add(symbol)
    return sites


def _introducers(entries: Sequence[int]) -> dict[int, int]:
    """Return the pull request that introduced an entry, where its document names it or git has told."""
    told = FoundPullRequest.objects.filter(entry__in=entries, role="introduced", number__isnull=False).exclude(
        origin=_REPORT
    )
    found = {entry: number or 0 for entry, number in told.values_list("entry", "number").order_by("-pk")}
    named = EntryPullRequest.objects.filter(entry__in=entries, role="introduced").order_by("-position")
    return found | dict(named.values_list("entry", "number"))


def _reports(keys: Iterable[int]) -> dict[int, _Report]:
    found: dict[int, _Report] = {}
    for chunk in in_chunks(sorted(keys), _DOCUMENTS):
        quotes: dict[int, list[Quote]] = defaultdict(list)
        for quote in QuotedMessage.objects.filter(pull_request__in=chunk).order_by("pull_request", "position"):
            quotes[quote.pull_request_id].append(quote_of(quote))
        for row in PullRequest.objects.filter(pk__in=chunk):
            text = report_text(validate_document(PullRequestDocument, row.as_document()))
            found[row.pk] = _Report(row.number, row.repository_id, row.merged_at, text, tuple(quotes[row.pk]))
    return found


def _links(entry: int, site: _Site, reports: Sequence[_Report], introducer: int | None) -> Iterator[FoundPullRequest]:
    reported = site.as_reported()
    judged = [(report, judge_report(reported, report.text, report.quotes)) for report in reports]
    told = [(report, link) for report, link in judged if link is not None]
    settled = settle([(report.merged_at, report.number, link) for report, link in told], introducer)
    for (report, _), link in zip(told, settled, strict=True):
        yield _row(entry, report, link)


def _row(entry: int, report: _Report, link: ReportLink) -> FoundPullRequest:
    return FoundPullRequest(
        entry_id=entry,
        repository_id=report.repository,
        number=report.number,
        role=link.role,
        origin=_REPORT,
        evidence=[{"kind": kind, "text": text} for kind, text in link.evidence],
    )
