"""API: search: the results of the search page, for tools."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from ninja import Query as Parameters
from ninja import Router

from errorkb.api.answers import answer, next_link
from errorkb.api.cursors import list_address
from errorkb.api.operations import READ, reading
from errorkb.api.parameter_errors import ParameterError
from errorkb.api.parameters import SearchParameters, refuse_strangers
from errorkb.api.problems import wrong_parameter
from errorkb.api.shapes import EntryHit, EntrySummary, Excerpt, ExcerptFragment, PullRequestHit, SearchAnswer
from errorkb.api.summaries import entry_summary, pull_request_url, short_title, with_openings
from errorkb.core.queries import Query, parse_query
from errorkb.models import ErrorEntry
from errorkb.search.excerpts import Fragment
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

    The query's own language has filters (`repo:`, `type:`, `path:`, `kind:`, `lang:`, `code:`, `symbol:`, `is:`),
    "exact phrases", and `-` before what must not be there; what was not understood is said in `problems` and left out.
    An id, or the address of an entry on any host, is answered in `named`. Without a query, all entries are found.
    """
    refuse_strangers(request, SearchParameters)
    results = search(parse_query(parameters.q), page=parameters.page, per_page=parameters.limit)
    if parameters.page > results.pages:
        raise wrong_parameter(ParameterError("page", f"at most {results.pages}, the last page", str(parameters.page)))
    address = _next_address(results, parameters)
    body = SearchAnswer(
        query=results.query.text,
        total=results.total,
        is_cut=results.is_cut,
        some_words=results.some_words,
        unknown=list(results.unknown),
        problems=list(results.problems),
        named=_named(results.query),
        results=[*map(_hit, results.results)],
        page=results.page,
        pages=results.pages,
        next=address,
    )
    return answer(request, body.model_dump(mode="json"), links=next_link(address))


def _next_address(results: SearchResults, parameters: SearchParameters) -> str | None:
    if not results.has_next:
        return None
    return list_address(ADDRESS, parameters, q=results.query.text, page=results.page + 1)


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
