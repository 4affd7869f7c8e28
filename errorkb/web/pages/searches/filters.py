"""Web pages: what narrows search results: the filters in use, the values to filter by, and the orders to sort by."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from errorkb.core.queries import SORTS, Query, query_with, query_without, sorted_query, written_filter
from errorkb.search.facets import Facet, facets_of
from errorkb.search.searching import SearchResults
from errorkb.web.pages.links import Link

_TITLES = {
    "repo": "Repository",
    "type": "Type",
    "kind": "Kind",
    "lang": "Language",
    "module": "Module",
    "is": "Standing",
}
_KINDS = {
    "error": "error",
    "assertion": "assertion",
    "warning": "warning",
    "log": "logged message",
    "pull_request": "pull request",
}
_STANDINGS = {"facts-only": "facts only", "stale": "the code has changed since"}
_IN_WORDS = {"kind": _KINDS, "is": _STANDINGS}


@dataclass(frozen=True)
class Chip:
    """A filter in use, as one types it, and the address of the results without it."""

    text: str
    url: str


@dataclass(frozen=True)
class Choice:
    """A value to filter by: how many results have it, and the address of those."""

    link: Link
    count: str


@dataclass(frozen=True)
class Narrowing:
    """A filter, and the values to choose from."""

    title: str
    choices: tuple[Choice, ...]
    others: int


@dataclass(frozen=True)
class Order:
    """An order to sort results by."""

    link: Link
    is_current: bool


def chips_of(query: Query) -> tuple[Chip, ...]:
    """Return the filters of a query, each to be taken away."""
    return tuple(
        Chip(
            written_filter(item.name, item.value, negated=item.negated),
            results_address(query_without(query, item)),
        )
        for item in query.filters
    )


def narrowings_of(results: SearchResults) -> tuple[Narrowing, ...]:
    """Return what results can be narrowed by."""
    return tuple(_narrowing(results, facet) for facet in facets_of(results))


def orders_of(query: Query) -> tuple[Order, ...]:
    """Return the orders that results can be sorted by."""
    current = query.order or "relevance"
    return tuple(Order(Link(order, results_address(sorted_query(query, order))), order == current) for order in SORTS)


def results_address(text: str) -> str:
    """Return the address of the results of a query."""
    known = QueryDict(mutable=True)
    if text:
        known["q"] = text
    return f"{reverse('entry-list')}?{known.urlencode()}" if known else reverse("entry-list")


def _narrowing(results: SearchResults, facet: Facet) -> Narrowing:
    return Narrowing(_TITLES[facet.name], tuple(_choices(results, facet)), facet.others)


def _choices(results: SearchResults, facet: Facet) -> Iterator[Choice]:
    in_words = _IN_WORDS.get(facet.name, {})
    for item in facet.values:
        address = results_address(query_with(results.query, facet.name, item.value))
        yield Choice(Link(in_words.get(item.value, item.value), address), f"{item.count:,}" + "+" * results.is_cut)
