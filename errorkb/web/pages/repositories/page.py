"""Web pages: the page of one repository: its errors by module, and its pull requests."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, F, Q, QuerySet
from django.http import Http404, QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString

from errorkb.core.forges import web_address
from errorkb.core.moments import moment_in_words
from errorkb.models import ErrorEntry, PullRequest, Repository
from errorkb.serving.addresses import absolute_url
from errorkb.web.pages.entries.records import Record
from errorkb.web.pages.facts import facts_html, facts_of
from errorkb.web.pages.kinds import KINDS_ON_REQUEST, LISTED_KINDS
from errorkb.web.pages.links import ContentsItem, Link, host_of, outside
from errorkb.web.pages.repositories.bars import Bars
from errorkb.web.pages.repositories.modules import inside
from errorkb.web.pages.repositories.plots import repository_plots
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
class KindCount:
    """How many entries there are of one kind: in the repository, stale, gone, in the module that is shown."""

    total: int
    stale: int
    removed: int
    shown: int


@dataclass(frozen=True)
class RepositoryPage:
    """What the template reads; `kinds` lead to the entries that the list leaves out."""

    name: str
    module: str
    kind: str
    phrases: tuple[Link, ...]
    kinds: tuple[Link, ...]
    plots: tuple[Bars, ...]
    modules: tuple[ModuleEntries, ...]
    pull_requests: tuple[Record, ...]
    facts: SafeString
    pager: Pager
    canonical: str

    @property
    def errors_title(self) -> str:
        what = f"{KINDS_ON_REQUEST.get(self.kind, 'error')}s".capitalize()
        return f"{what} in {self.module}" if self.module else f"{what} by module"

    @property
    def contents(self) -> tuple[ContentsItem, ...]:
        pulls = [ContentsItem("pull-requests", "Pull requests")] if self.pull_requests else []
        facts = [ContentsItem("facts", "Facts")] if self.facts else []
        plots = [ContentsItem("overview", "At a glance")] if self.plots else []
        return (*plots, ContentsItem("errors", self.errors_title), *pulls, *facts)


def repository_page(repository: Repository, parameters: QueryDict) -> RepositoryPage:
    """Return a page of a repository loaded with its counts; `module`, `kind` and `page` say what it shows.

    Raises Http404 where there is no such page.
    """
    number, known = page_number(parameters), _known(parameters)
    module, kind = known.get("module", ""), known.get("kind", "")
    counts = _kind_counts(repository, module)
    pulls = repository.pull_requests.order_by("-number")
    is_start = not (module or kind)
    totals = (_shown(counts, kind), pulls.count() if is_start else 0)
    count = max(1, *(ceil(total / PAGE_SIZE) for total in totals))
    if number > count:
        raise Http404("no such page")
    address, cut = repository.get_absolute_url(), slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE)
    links = pager(address, known, number, count)
    return RepositoryPage(
        name=repository.name,
        module=module,
        kind=kind,
        phrases=tuple(_phrases(repository, counts, totals[1])),
        kinds=tuple(_kind_links(address, known, counts)),
        plots=_plots(repository, counts, module) if number == 1 and not kind else (),
        modules=tuple(_modules(address, known, _entries(repository, module, kind)[cut])),
        pull_requests=tuple(map(_pull_request_record, pulls.defer("document")[cut])) if is_start else (),
        facts=_facts(repository) if number == 1 and is_start else SafeString(""),
        pager=links,
        canonical=absolute_url(links.here),
    )


def _plots(repository: Repository, counts: Mapping[str, KindCount], module: str) -> tuple[Bars, ...]:
    counted: dict[str, int] = vars(repository)
    standings = {
        "explained": counted["explained_count"],
        "reviewed": counted["reviewed_count"],
        "facts-only": counted["entry_count"] - counted["explained_count"],
        "stale": sum(each.stale for each in counts.values()),
        "removed": sum(each.removed for each in counts.values()),
    }
    return repository_plots(repository, standings, module=module)


def _facts(repository: Repository) -> SafeString:
    """Return what the repository's own document says; nothing where none was loaded."""
    document = repository.as_document()
    return facts_html(facts_of(document)) if document else SafeString("")


def _entries(repository: Repository, module: str, kind: str) -> QuerySet[ErrorEntry]:
    """Return the public entries of a kind, or of those that are listed, module by module."""
    kinds = (kind,) if kind else LISTED_KINDS
    entries = ErrorEntry.objects.public().filter(inside(module), repository=repository, kind__in=kinds)
    return entries.defer("document").order_by("module", "path", F("line").asc(nulls_first=True), "pk")


def _kind_counts(repository: Repository, module: str) -> dict[str, KindCount]:
    """Count the entries of each kind; those in a module by themselves, for indexes of their own lead to either."""
    entries = ErrorEntry.objects.public().filter(repository=repository).order_by().values_list("kind")
    stale, gone = (Count("pk", filter=Q(**{column: True})) for column in ("stale", "removed"))
    counted = list(entries.annotate(total=Count("pk"), old=stale, gone=gone))
    shown = {kind: total for kind, total, _, _ in counted}
    if module:
        # Counted here: to group them, SQLite would go through all entries of the repository.
        shown = dict.fromkeys(shown, 0) | Counter(kind for (kind,) in entries.filter(inside(module)))
    return {kind: KindCount(total, old, gone, shown[kind]) for kind, total, old, gone in counted}


def _shown(counts: Mapping[str, KindCount], kind: str) -> int:
    kinds = (kind,) if kind else LISTED_KINDS
    return sum(counts[each].shown for each in kinds if each in counts)


def _known(parameters: QueryDict) -> QueryDict:
    """Return the parameters that mean something here."""
    known = QueryDict(mutable=True)
    if module := parameters.get("module", "").strip("/"):
        known["module"] = module
    if (kind := parameters.get("kind", "")) in KINDS_ON_REQUEST:
        known["kind"] = kind
    return known


def _kind_links(address: str, known: QueryDict, counts: Mapping[str, KindCount]) -> Iterator[Link]:
    """Yield the lists of other kinds than the one that is shown, each with the number of its entries."""
    kind = known.get("kind", "")
    if kind:
        yield Link("errors and assertions", _address(address, known, kind=""))
    for name, noun in KINDS_ON_REQUEST.items():
        if name != kind and name in counts and counts[name].shown:
            yield Link(_counted(counts[name].shown, noun), _address(address, known, kind=name))


def _address(address: str, known: QueryDict, **changed: str) -> str:
    """Return the address of a list whose parameters are changed; what is empty is left out."""
    parameters = known.copy()
    for name, value in changed.items():
        parameters.pop(name, None)
        if value:
            parameters[name] = value
    return f"{address}?{parameters.urlencode(safe='/')}" if parameters else address


def _phrases(repository: Repository, counts: Mapping[str, KindCount], pull_request_count: int) -> Iterator[Link]:
    counted: dict[str, Any] = vars(repository)
    entries, explained = counted["entry_count"], counted["explained_count"]
    yield Link(_counted(entries, "error"))
    yield Link(f"{explained:,} explained")
    yield Link(f"{counted['reviewed_count']:,} reviewed")
    yield Link(f"{entries - explained:,} facts only")
    if stale := sum(each.stale for each in counts.values()):
        query = urlencode({"q": f"repo:{repository.name} is:stale"})
        yield Link(f"{stale} whose code has changed since", f"{reverse('entry-list')}?{query}")
    if removed := sum(each.removed for each in counts.values()):
        yield Link(f"{removed:,} removed")
    if pull_request_count:
        yield Link(_counted(pull_request_count, "pull request"), f"{repository.get_absolute_url()}pulls/")
    yield Link("compare releases", f"{repository.get_absolute_url()}compare/")
    links = repository.links()
    address = web_address(repository.url) or (links.base if links else None)
    if address:
        yield outside(f"View on {host_of(address)}", address)


def _modules(
    address: str, known: QueryDict, entries: Sequence[ErrorEntry] | QuerySet[ErrorEntry]
) -> Iterator[ModuleEntries]:
    for module, group in groupby(entries, key=lambda entry: entry.module):
        link = Link(module, _address(address, known, module=module)) if module else Link("module not stated")
        yield ModuleEntries(link, tuple(map(_entry_record, group)))


def _entry_record(entry: ErrorEntry) -> Record:
    place = joined((entry.path, str(entry.line) if entry.line else ""), ":")
    standing = "reviewed" if entry.reviewed else "explained" if entry.explained else "facts only"
    stale = "the code has changed since" if entry.stale else ""
    gone = "removed" if entry.removed else ""
    return Record(Link(entry.title, entry.get_absolute_url()), joined((place, standing, stale, gone)))


def _pull_request_record(row: PullRequest) -> Record:
    merged = f"merged {moment_in_words(row.merged_at)}" if row.merged_at else ""
    return Record(Link(f"#{row.number} {row.title or 'title not given'}", row.get_absolute_url()), merged)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
