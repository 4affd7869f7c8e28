"""Web pages: what a search found, or that it found nothing, and what to try then."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, QueryDict
from django.urls import reverse

from errorkb.core.queries import Query, is_pasted, is_several_lines, parse_query
from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions, Outcome
from errorkb.models import ErrorEntry, Repository
from errorkb.search.cursors import SearchCursor, WrongCursorError, cursor_text, read_cursor
from errorkb.search.searching import SearchResults, search
from errorkb.serving.addresses import absolute_url
from errorkb.web.pages.kinds import KINDS_ON_REQUEST, listed_entries
from errorkb.web.pages.links import Link
from errorkb.web.pages.searches.filters import (
    Chip,
    Narrowing,
    Order,
    chips_of,
    narrowings_of,
    orders_of,
    results_address,
)
from errorkb.web.pages.searches.help_page import FilterHelp, filters_in_short
from errorkb.web.pages.searches.hits import Hit, hit_of
from errorkb.web.pages.slices import Pager, page_number, pager
from errorkb.web.pages.texts import shortened

TITLE_LENGTH = 100
# So many repositories are named where nothing was found.
NAMED_REPOSITORIES = 50
# What an address can take to be matched.
MAX_MATCHED = 8_000


@dataclass(frozen=True)
class Correction:
    """What was searched for in place of what was typed, and the way to what was typed."""

    used: str
    typed: Link


@dataclass(frozen=True)
class Matched:
    """The entry that a pasted line is the message of, and the way to the whole answer of match."""

    entry: Link | None
    whole: Link


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
    chips: tuple[Chip, ...]
    narrowings: tuple[Narrowing, ...]
    orders: tuple[Order, ...]
    correction: Correction | None
    matched: Matched | None

    @property
    def head_title(self) -> str:
        return f"{shortened(self.query, TITLE_LENGTH)} · search" if self.query else "Errors"

    @property
    def filters(self) -> tuple[FilterHelp, ...]:
        return filters_in_short()


def entry_named_by(query: Query) -> ErrorEntry | None:
    """Return the entry whose id or alias is all that was asked for."""
    if not query.identifier:
        return None
    return ErrorEntry.objects.readable().identified(query.identifier).first()


def match_address(text: str) -> str:
    """Return the address at which a text of several lines is matched, as no search is; empty for every other text."""
    return _matching(text[:MAX_MATCHED]) if is_several_lines(text) else ""


def read_query(parameters: QueryDict) -> Query:
    """Return the query of an address."""
    return parse_query(parameters.get("q", ""))


def search_page(query: Query, parameters: QueryDict) -> SearchPage:
    """Return a page of what `query` finds; without a query, of entries but for the kinds that are listed on request.

    Raises Http404 past the last page.
    """
    number, after = page_number(parameters), _after(query, parameters)
    exact = parameters.get("exact") == "1"
    entries = None if query.text else listed_entries()
    results = search(query, page=number, entries=entries, exact=exact, after=after)
    if after is None and number > results.pages:
        raise Http404("no such page")
    links = _pager(results, _known(query, exact=exact), after)
    return SearchPage(
        query=query.text,
        heading=_heading(results),
        notes=tuple(_notes(results)),
        hits=tuple(map(hit_of, results.results)),
        first=results.first,
        near="These share only some of the words" if results.some_words and results.results else "",
        advice=() if results.results else tuple(_advice(query)),
        repositories=() if results.results else tuple(_repositories()),
        kinds=() if query.text else tuple(_kinds()),
        pager=links,
        canonical=absolute_url(links.here),
        chips=chips_of(query),
        narrowings=() if results.some_words else narrowings_of(results),
        orders=orders_of(query) if results.total > 1 and not results.some_words else (),
        correction=_correction(results),
        matched=_matched(query),
    )


def _after(query: Query, parameters: QueryDict) -> SearchCursor | None:
    stated = parameters.get("cursor")
    if not stated:
        return None
    try:
        return read_cursor(query, stated)
    except WrongCursorError:
        raise Http404("no such page") from None


def _known(query: Query, *, exact: bool) -> QueryDict:
    """Return the parameters that mean something here, but for those that say which page."""
    known = QueryDict(mutable=True)
    if query.text:
        known["q"] = query.text
    if exact:
        known["exact"] = "1"
    return known


def _pager(results: SearchResults, known: QueryDict, after: SearchCursor | None) -> Pager:
    """Return the pager of results: by numbers up to the thousandth, by cursors behind it."""
    address = reverse("entry-list")
    links = pager(address, known, results.page if after is None else 1, results.pages)
    if results.next is None or (after is None and links.next):
        behind = links.next if after is None else ""
    else:
        known["cursor"] = cursor_text(results.query, results.next)
        behind = f"{address}?{known.urlencode()}"
    stated = f"Results {results.first:,} to {results.last:,}" if after else ""
    return Pager(links.number, links.count, links.here, "" if after else links.previous, behind, stated)


def _matched(query: Query) -> Matched | None:
    """Return what a query that looks like a pasted error is matched with, rather than to search for its words."""
    if not is_pasted(query) or query.filters:
        return None
    answer = match(query.text, MatchOptions())
    found = answer.matches[0].entry if answer.outcome is Outcome.MATCHED else None
    entry = Link(shortened(found.title, TITLE_LENGTH), found.get_absolute_url()) if found else None
    return Matched(entry, Link("Match it", _matching(query.text)))


def _matching(text: str) -> str:
    return f"{reverse('match')}?{urlencode({'q': text})}"


def _correction(results: SearchResults) -> Correction | None:
    if not results.corrections:
        return None
    text = results.query.text
    exact = f"{results_address(text)}&{urlencode({'exact': '1'})}"
    return Correction(_corrected(text, dict(results.corrections)), Link(text, exact))


def _corrected(text: str, used: Mapping[str, str]) -> str:
    """Return a query with the words in it that were taken for others replaced by these, in whatever letter case."""
    folded = {typed.casefold(): word for typed, word in used.items()}
    typed = "|".join(re.escape(word) for word in sorted(folded, key=len, reverse=True))
    return re.sub(
        rf"(?<!\w)(?:{typed})(?!\w)", lambda found: folded.get(found[0].casefold(), found[0]), text, flags=re.IGNORECASE
    )


def _kinds() -> Iterator[Link]:
    """Yield the searches for the kinds that the list of everything leaves out, where there are any."""
    for kind, noun in KINDS_ON_REQUEST.items():
        if ErrorEntry.objects.public().filter(kind=kind).exists():
            yield Link(f"{noun}s", results_address(f"kind:{kind}"))


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


def _advice(query: Query) -> Iterator[Link]:
    """Yield what to try where nothing was found."""
    words = " ".join((*query.words, *(f'"{phrase}"' for phrase in query.phrases)))
    if query.filters and words:
        yield Link("Search without the filters", results_address(words))
    yield Link("Leave out what is particular to you: names, numbers, paths.")
    yield Link("Try the exception type alone, or a few rare words of the message.")


def _repositories() -> Iterator[Link]:
    for row in Repository.objects.order_by("key").defer("document")[:NAMED_REPOSITORIES]:
        yield Link(row.name, row.get_absolute_url())
