"""Web pages: the page of one repository: its errors by module, and its pull requests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, QueryDict
from django.utils.safestring import SafeString

from errorkb.core.forges import web_address
from errorkb.models import ErrorEntry, PullRequest, Repository
from errorkb.models.served import absolute_url
from errorkb.web.pages.entry_records import Record
from errorkb.web.pages.facts import facts_html, facts_of
from errorkb.web.pages.links import ContentsItem, Link, host_of, outside
from errorkb.web.pages.moments import moment_in_words
from errorkb.web.pages.slices import Pager, page_number, pager
from errorkb.web.pages.texts import joined

# So many entries, and so many pull requests, stand on one page of a repository.
PAGE_SIZE = 50


@dataclass(frozen=True)
class ModuleEntries:
    """The entries of one module that stand on this page."""

    link: Link
    entries: tuple[Record, ...]


@dataclass(frozen=True)
class RepositoryPage:
    """What the template reads."""

    name: str
    module: str
    phrases: tuple[Link, ...]
    modules: tuple[ModuleEntries, ...]
    pull_requests: tuple[Record, ...]
    facts: SafeString
    pager: Pager
    canonical: str

    @property
    def errors_title(self) -> str:
        return f"Errors in {self.module}" if self.module else "Errors by module"

    @property
    def contents(self) -> tuple[ContentsItem, ...]:
        pulls = [ContentsItem("pull-requests", "Pull requests")] if self.pull_requests else []
        facts = [ContentsItem("facts", "Facts")] if self.facts else []
        return (ContentsItem("errors", self.errors_title), *pulls, *facts)


def repository_page(repository: Repository, parameters: QueryDict) -> RepositoryPage:
    """Return a page of a repository that was loaded with its counts; `module` and `page` say what it shows.

    Raises Http404 where there is no such page.
    """
    number, module = page_number(parameters), parameters.get("module", "").strip("/")
    entries = _entries(repository, module)
    pulls = repository.pull_requests.order_by("-number")
    totals = (entries.count(), 0 if module else pulls.count())
    count = max(1, *(ceil(total / PAGE_SIZE) for total in totals))
    if number > count:
        raise Http404("no such page")
    address, cut = repository.get_absolute_url(), slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE)
    links = pager(address, _known(parameters), number, count)
    return RepositoryPage(
        name=repository.name,
        module=module,
        phrases=tuple(_phrases(repository, totals[1])),
        modules=tuple(_modules(address, entries[cut])),
        pull_requests=() if module else tuple(map(_pull_request_record, pulls.defer("document")[cut])),
        facts=facts_html(facts_of(repository.as_document())) if number == 1 and not module else SafeString(""),
        pager=links,
        canonical=absolute_url(links.here),
    )


def _entries(repository: Repository, module: str) -> QuerySet[ErrorEntry]:
    """Return the public entries of a repository, or of one module and what is below it, module by module."""
    entries = ErrorEntry.objects.public().filter(repository=repository)
    if module:
        entries = entries.filter(Q(module=module) | Q(module__startswith=f"{module}/"))
    return entries.defer("document").order_by("module", "path", "line", "pk")


def _known(parameters: QueryDict) -> QueryDict:
    """Return the parameters that mean something here."""
    known = QueryDict(mutable=True)
    if module := parameters.get("module", "").strip("/"):
        known["module"] = module
    return known


def _phrases(repository: Repository, pull_request_count: int) -> Iterator[Link]:
    counted: dict[str, Any] = vars(repository)
    entries, explained = counted["entry_count"], counted["explained_count"]
    yield Link(_counted(entries, "error"))
    yield Link(f"{explained} explained")
    yield Link(f"{counted['reviewed_count']} reviewed")
    yield Link(f"{entries - explained} facts only")
    if pull_request_count:
        yield Link(_counted(pull_request_count, "pull request"), "#pull-requests")
    links = repository.links()
    address = web_address(repository.url) or (links.base if links else None)
    if address:
        yield outside(f"View on {host_of(address)}", address)


def _modules(address: str, entries: Sequence[ErrorEntry] | QuerySet[ErrorEntry]) -> Iterator[ModuleEntries]:
    for module, group in groupby(entries, key=lambda entry: entry.module):
        parameters = QueryDict(mutable=True)
        parameters["module"] = module
        link = Link(module, f"{address}?{parameters.urlencode(safe='/')}") if module else Link("module not stated")
        yield ModuleEntries(link, tuple(map(_entry_record, group)))


def _entry_record(entry: ErrorEntry) -> Record:
    place = joined((entry.path, str(entry.line) if entry.line else ""), ":")
    standing = "reviewed" if entry.reviewed else "explained" if entry.explained else "facts only"
    return Record(Link(entry.title, entry.get_absolute_url()), joined((place, standing)))


def _pull_request_record(row: PullRequest) -> Record:
    merged = f"merged {moment_in_words(row.merged_at)}" if row.merged_at else ""
    return Record(Link(f"#{row.number} {row.title or 'title not given'}", row.get_absolute_url()), merged)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
