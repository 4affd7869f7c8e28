"""API: search: the results of the search page, for tools."""

from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from ninja import Query as Parameters
from ninja import Router

from errorkb.api.answers import answer, next_link
from errorkb.api.operations import READ, reading
from errorkb.api.problems import wrong_parameter
from errorkb.api.requests.cursors import list_address
from errorkb.api.requests.parameter_errors import ParameterError
from errorkb.api.requests.parameters import SearchParameters, refuse_strangers
from errorkb.api.shapes.entries import EntrySummary
from errorkb.api.shapes.searches import (
    CorrectedWord,
    EntryHit,
    Excerpt,
    ExcerptFragment,
    Facet,
    FacetValue,
    PullRequestHit,
    SearchAnswer,
)
from errorkb.api.summaries import entry_summary, pull_request_url, short_title, with_openings
from errorkb.core.problems import shown
from errorkb.core.queries import Query, is_pasted, parse_query
from errorkb.models import ErrorEntry
from errorkb.search import facets
from errorkb.search.cursors import WrongCursorError, cursor_text, read_cursor
from errorkb.search.excerpts import Fragment
from errorkb.search.facets import facets_of
from errorkb.search.searching import SearchResult, SearchResults, search
from errorkb.serving.addresses import absolute_url

ADDRESS = "/api/search"

router = Router(tags=["Search"])


@router.api_operation(
    READ,
    "/search",
    **reading(SearchAnswer, "wrong-parameters"),
    operation_id="search",
    summary="Entries and pull requests by their words",
)
def search_everything(request: HttpRequest, parameters: Parameters[SearchParameters]) -> HttpResponse:
    """What the search page shows for the same query, best first.

    The query's own language has filters (`repo:`, `type:`, `path:`, `module:`, `kind:`, `lang:`, `code:`, `symbol:`,
    `is:`, `pr:`, `release:`), `sort:`, "exact phrases", and `-` before what must not be there; what was not understood
    is said in `problems` and left out. An id, or the address of an entry on any host, is answered in `named`. Without a
    query, all entries are found.
    """
    refuse_strangers(request, SearchParameters)
    results = _results(parameters)
    cursor = cursor_text(results.query, results.next) if results.next else None
    address = _next_address(results, parameters, cursor)
    body = SearchAnswer(
        query=results.query.text,
        total=results.total,
        is_cut=results.is_cut,
        some_words=results.some_words,
        unknown=list(results.unknown),
        problems=list(results.problems),
        corrections=[CorrectedWord(typed=typed, used=used) for typed, used in results.corrections],
        match=_match_address(results.query),
        facets=[*map(_facet, facets_of(results))] if parameters.facets else None,
        named=_named(results.query),
        results=[*map(_hit, results.results)],
        page=results.page,
        pages=results.pages,
        next=address,
        next_cursor=cursor,
    )
    return answer(request, body.model_dump(mode="json"), links=next_link(address))


def _results(parameters: SearchParameters) -> SearchResults:
    """Return the results that are asked for. Raises ProblemError for a page or a cursor that there is not."""
    query, after = parse_query(parameters.q), None
    if parameters.cursor is not None:
        try:
            after = read_cursor(query, parameters.cursor)
        except WrongCursorError:
            expected = "a cursor that an answer to this query has stated as `next_cursor`"
            raise wrong_parameter(ParameterError("cursor", expected, shown(parameters.cursor))) from None
    results = search(query, page=parameters.page, per_page=parameters.limit, exact=parameters.exact, after=after)
    if after is None and parameters.page > results.pages:
        raise wrong_parameter(ParameterError("page", f"at most {results.pages}, the last page", str(parameters.page)))
    return results


def _next_address(results: SearchResults, parameters: SearchParameters, cursor: str | None) -> str | None:
    if cursor is None:
        return None
    kept = parameters.model_copy(update={"page": None})
    return list_address(ADDRESS, kept, q=results.query.text, cursor=cursor)


def _match_address(query: Query) -> str | None:
    """Return where to match a query that looks like an error, rather than to search for its words."""
    if not is_pasted(query) or query.filters:
        return None
    return absolute_url(f"/api/match?{urlencode({'q': query.text})}")


def _facet(facet: facets.Facet) -> Facet:
    values = [FacetValue(value=item.value, count=item.count) for item in facet.values]
    return Facet.model_validate({"filter": facet.name, "values": values, "others": facet.others})


def _named(query: Query) -> EntrySummary | None:
    """Return the entry whose id or alias is all that was asked for."""
    if query.identifier is None:
        return None
    entry = with_openings(ErrorEntry.objects.readable().identified(query.identifier)).first()
    return entry_summary(entry, short_title(entry)) if entry else None


def _hit(result: SearchResult) -> EntryHit | PullRequestHit:
    title, subject = _text(result.title), result.subject
    excerpt = Excerpt(
        field=result.field,
        text=_text(result.excerpt),
        fragments=[ExcerptFragment(text=piece.text, hit=piece.hit) for piece in result.excerpt],
    )
    if isinstance(subject, ErrorEntry):
        return EntryHit(type="entry", excerpt=excerpt, **dict(entry_summary(subject, title)))
    return PullRequestHit(
        type="pull_request",
        repository=subject.repository.name,
        number=subject.number,
        title=title,
        merged_at=subject.merged_at or None,
        excerpt=excerpt,
        html_url=absolute_url(subject.get_absolute_url()),
        url=pull_request_url(subject),
    )


def _text(fragments: Iterable[Fragment]) -> str:
    return "".join(fragment.text for fragment in fragments)
