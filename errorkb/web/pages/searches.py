"""Web pages: what a search found, or that it found nothing, and what to try then."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, QueryDict
from django.urls import reverse

from errorkb.core.moments import moment_in_words
from errorkb.core.queries import FILTERS, Query, parse_query
from errorkb.models import ErrorEntry, PullRequest, Repository
from errorkb.search.excerpts import Fragment
from errorkb.search.searching import SearchResult, SearchResults, search
from errorkb.serving.addresses import absolute_url
from errorkb.web.pages.kinds import KINDS_ON_REQUEST, listed_entries
from errorkb.web.pages.links import Link
from errorkb.web.pages.slices import Pager, list_address, page_number, pager
from errorkb.web.pages.texts import joined, shortened

TITLE_LENGTH = 100
# So many repositories are named where nothing was found.
NAMED_REPOSITORIES = 50
# A query of so many words is an error that was pasted.
PASTED_WORDS = 5
_ERROR_TYPE = re.compile(r"[a-z](?:Error|Exception|Warning)\b|\w:$")

_EXAMPLES = {
    "repo": "repo:django",
    "type": "type:ImproperlyConfigured",
    "path": "path:db/models/*",
    "kind": "kind:pull_request",
    "lang": "lang:python",
    "code": "code:E0277",
    "symbol": "symbol:Options.contribute_to_class",
    "is": "is:reviewed",
    "module": "module:django/db",
    "pr": "pr:33523",
    "release": "release:v0.5.18",
}


@dataclass(frozen=True)
class Hit:
    """One entry or pull request that was found, with the words that were found marked."""

    url: str
    title: tuple[Fragment, ...]
    where: tuple[str, ...]
    field: str
    excerpt: tuple[Fragment, ...]


@dataclass(frozen=True)
class FilterHelp:
    """A filter as one types it, and what it takes."""

    example: str
    meaning: str


@dataclass(frozen=True)
class SearchPage:
    """What the template reads."""

    query: str
    heading: str
    notes: tuple[str, ...]
    hits: tuple[Hit, ...]
    first: int
    near: str
    advice: tuple[Link, ...]
    repositories: tuple[Link, ...]
    kinds: tuple[Link, ...]
    pager: Pager
    canonical: str
    match: Link | None = None

    @property
    def head_title(self) -> str:
        return f"{shortened(self.query, TITLE_LENGTH)} · search" if self.query else "Errors"

    @property
    def filters(self) -> tuple[FilterHelp, ...]:
        described = tuple(FilterHelp(_EXAMPLES.get(name, f"{name}:…"), meaning) for name, meaning in FILTERS.items())
        return (*described, FilterHelp('"does not support"', "these words, in this order"))


def entry_named_by(query: Query) -> ErrorEntry | None:
    """Return the entry whose id or alias is all that was asked for."""
    if not query.identifier:
        return None
    return ErrorEntry.objects.readable().identified(query.identifier).first()


def search_page(query: Query, parameters: QueryDict) -> SearchPage:
    """Return a page of what `query` finds; without a query, of entries but for the kinds that are listed on request.

    Raises Http404 past the last page.
    """
    number = page_number(parameters)
    results = search(query, page=number, entries=None if query.text else listed_entries())
    if number > results.pages:
        raise Http404("no such page")
    links = pager(reverse("entry-list"), _known(query), number, results.pages)
    return SearchPage(
        query=query.text,
        heading=_heading(results),
        notes=tuple(_notes(results)),
        hits=tuple(map(_hit, results.results)),
        first=results.first,
        near="These share only some of the words" if results.some_words and results.results else "",
        advice=() if results.results else tuple(_advice(query)),
        repositories=() if results.results else tuple(_repositories()),
        kinds=() if query.text else tuple(_kinds()),
        pager=links,
        canonical=absolute_url(links.here),
        match=_match(query),
    )


def read_query(parameters: QueryDict) -> Query:
    """Return the query of an address."""
    return parse_query(parameters.get("q", ""))


def is_pasted(query: Query) -> bool:
    """Return whether a query looks like a line of an error rather than a few words: `KeyError: x`, or a sentence."""
    return len(query.words) >= PASTED_WORDS or any(map(_ERROR_TYPE.search, query.words))


def _known(query: Query) -> QueryDict:
    known = QueryDict(mutable=True)
    if query.text:
        known["q"] = query.text
    return known


def _match(query: Query) -> Link | None:
    """Return the way to match a query that looks like an error, rather than to search for its words."""
    if not is_pasted(query) or query.filters:
        return None
    return Link("Match it", f"{reverse('match')}?{urlencode({'q': query.text})}")


def _kinds() -> Iterator[Link]:
    """Yield the searches for the kinds that the list of everything leaves out, where there are any."""
    for kind, noun in KINDS_ON_REQUEST.items():
        if ErrorEntry.objects.public().filter(kind=kind).exists():
            parameters = QueryDict(mutable=True)
            parameters["q"] = f"kind:{kind}"
            yield Link(f"{noun}s", list_address(reverse("entry-list"), parameters, 1))


def _heading(results: SearchResults) -> str:
    if not results.query.text:
        return "Errors"
    if (results.some_words or not results.results) and is_pasted(results.query):
        return "We don\u2019t know this error"
    if not results.results:
        return "Nothing was found"
    if results.some_words:
        return "Nothing here has all of these words"
    return f"{results.total_text} result" if results.total == 1 else f"{results.total_text} results"


def _notes(results: SearchResults) -> Iterator[str]:
    yield from results.problems
    if results.unknown:
        yield f"Not found anywhere here: {', '.join(results.unknown)}."


def _in_words(field: str) -> str:
    """Return a field's dotted name as people say it: `report.risk_flags` is "risk flags"."""
    return field.removeprefix("report.").removeprefix("source.").replace(".", " ").replace("_", " ")


def _hit(result: SearchResult) -> Hit:
    subject = result.subject
    where = _where_entry(subject) if isinstance(subject, ErrorEntry) else _where_pull_request(subject)
    return Hit(
        url=subject.get_absolute_url(),
        title=result.title,
        where=tuple(part for part in where if part),
        field=_in_words(result.field),
        excerpt=result.excerpt,
    )


def _where_entry(entry: ErrorEntry) -> tuple[str, ...]:
    place = joined((entry.path, str(entry.line) if entry.line else ""), ":")
    standing = "reviewed" if entry.reviewed else "explained, not reviewed" if entry.explained else "facts only"
    stale = "the code has changed since" if entry.stale else ""
    return entry.repository.name, place, standing, stale, "removed" if entry.removed else ""


def _where_pull_request(row: PullRequest) -> tuple[str, ...]:
    merged = f"merged {moment_in_words(row.merged_at)}" if row.merged_at else ""
    return f"pull request {row.repository.name} #{row.number}", merged


def _advice(query: Query) -> Iterator[Link]:
    """Yield what to try where nothing was found."""
    words = " ".join((*query.words, *(f'"{phrase}"' for phrase in query.phrases)))
    if query.filters and words:
        parameters = QueryDict(mutable=True)
        parameters["q"] = words
        yield Link("Search without the filters", list_address(reverse("entry-list"), parameters, 1))
    yield Link("Leave out what is particular to you: names, numbers, paths.")
    yield Link("Try the exception type alone, or a few rare words of the message.")


def _repositories() -> Iterator[Link]:
    for row in Repository.objects.order_by("key").defer("document")[:NAMED_REPOSITORIES]:
        yield Link(row.name, row.get_absolute_url())
