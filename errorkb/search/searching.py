"""Search: one query in, one page of results out: the only door to search for pages, API, admin and commands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from errorkb.core.queries import Query
from errorkb.models import ErrorEntry, PullRequest, SearchRow
from errorkb.search.candidates import Found, find_candidates
from errorkb.search.cursors import SearchCursor
from errorkb.search.excerpts import Fragment, Marks, excerpt, marked_title
from errorkb.search.filters import PUBLIC_ROWS, filtered, repository_tokens, visible_rows
from errorkb.search.subjects import subjects_of
from errorkb.search.terms import Terms, terms_of
from errorkb.search.windows import Window, window_of

PER_PAGE = 20


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One entry or pull request that was found.

    `title` is its title and `excerpt` a piece of the text of `field`, the dotted name of a document's field, both with
    the words that were found marked.
    """

    subject: ErrorEntry | PullRequest
    title: tuple[Fragment, ...]
    field: str
    excerpt: tuple[Fragment, ...]

    @property
    def entry(self) -> ErrorEntry | None:
        return self.subject if isinstance(self.subject, ErrorEntry) else None

    @property
    def pull_request(self) -> PullRequest | None:
        return self.subject if isinstance(self.subject, PullRequest) else None


@dataclass(frozen=True, slots=True)
class SearchResults:
    """One page of the results of a query.

    `total` is exact unless `is_cut`: then there are more, and those are left out. `some_words` says that no document
    holds all that was asked for, and that these hold some of it; `unknown` are words that no document holds.
    `keys` are the primary keys of the search rows of all results, best first; `corrections` are words as they were
    typed, each with the one that was searched for in its place. `start` is the number of results before the first one
    here, and `next` where the next page begins, None on the last.
    """

    query: Query
    results: Sequence[SearchResult]
    total: int
    page: int
    per_page: int
    is_cut: bool = False
    some_words: bool = False
    unknown: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    keys: tuple[int, ...] = ()
    corrections: tuple[tuple[str, str], ...] = ()
    start: int = 0
    next: SearchCursor | None = None

    @property
    def total_text(self) -> str:
        """Return the number of results as it is shown: `12`, or `1,000+`."""
        return f"{self.total:,}" + "+" * self.is_cut

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.per_page))

    @property
    def first(self) -> int:
        """Return the number of the page's first result, from 1; 0 where there is none."""
        return self.start + 1 if self.results else 0

    @property
    def last(self) -> int:
        return self.first + len(self.results) - 1 if self.results else 0

    @property
    def has_previous(self) -> bool:
        return self.page > 1

    @property
    def has_next(self) -> bool:
        return self.page < self.pages


def search(
    query: Query,
    *,
    page: int = 1,
    per_page: int = PER_PAGE,
    entries: QuerySet[ErrorEntry] | None = None,
    exact: bool = False,
    after: SearchCursor | None = None,
) -> SearchResults:
    """Return a page of the entries and pull requests that `query` finds, best first, in the same order every time.

    A word that nothing holds is taken for a typing error of one that is known, unless `exact` is asked for.

    An empty query finds every entry; one in which there is nothing to look for, nothing. Only public entries are found,
    unless `entries` says among which to look. A page past the last one is the last one; `after` is where another page
    ended, and goes before `page`: rows that came or went meanwhile make nothing appear twice.
    The number of database queries does not depend on the data; see tests/search/test_searching.py.
    """
    terms = terms_of(query)
    terms = replace(terms, narrowing=terms.narrowing + repository_tokens(query))
    rows = filtered(PUBLIC_ROWS if entries is None else visible_rows(entries), query)
    if not query.text:
        rows = rows.filter(entry__isnull=False)
    window = window_of(rows, query, terms, exact=exact, behind=after.behind if after else None)
    before = after.before if after else 0
    start = _start(window.keys, page, per_page, after)
    shown = window.keys[start : start + per_page]
    return SearchResults(
        query=query,
        results=_results(shown, _marks(window.found, terms)),
        total=before + len(window.keys),
        page=(before + start) // per_page + 1,
        per_page=per_page,
        is_cut=window.found.is_cut,
        some_words=window.found.some_words,
        unknown=window.found.unknown,
        problems=query.problems + terms.problems + window.problems,
        keys=tuple(window.keys),
        corrections=window.found.corrections,
        start=before + start,
        next=_next(window, before, start + len(shown), after),
    )


def _start(keys: Sequence[int], page: int, per_page: int, after: SearchCursor | None) -> int:
    """Return the place among the keys at which a page begins."""
    if after is None:
        return (min(max(page, 1), max(1, -(-len(keys) // per_page))) - 1) * per_page
    return keys.index(after.last) + 1 if after.last in keys else after.count - after.before


def _next(window: Window, before: int, end: int, after: SearchCursor | None) -> SearchCursor | None:
    """Return where the page goes on that ends at a place among the keys of a window."""
    if 0 < end < len(window.keys):
        return SearchCursor(window.keys[end - 1], before + end, before, after.behind if after else None)
    if window.boundary is None:
        return None
    before += len(window.keys)
    return SearchCursor(0, before, before, window.boundary)


def found_entries(query: Query, entries: QuerySet[ErrorEntry]) -> QuerySet[ErrorEntry]:
    """Return those of `entries` that `query` finds, for lists that sort and page by themselves.

    By filters alone it finds all that there are; by words, MOST_CANDIDATES at most.
    """
    rows = filtered(visible_rows(entries), query).filter(entry__isnull=False)
    terms = terms_of(query)
    if terms.are_none:
        return entries.filter(pk__in=rows.values("entry"))
    found = find_candidates(rows, query, terms)
    return entries.filter(search_row__in=[candidate.pk for candidate in found.candidates])


def found_pull_requests(query: Query, pull_requests: QuerySet[PullRequest]) -> QuerySet[PullRequest]:
    """Return those of `pull_requests` that `query` finds, as `found_entries` does."""
    mine = SearchRow.objects.filter(pull_request__in=pull_requests.order_by().values("pk"))
    terms = terms_of(query)
    if query.says_nothing or terms.are_none:
        return pull_requests.none()
    found = find_candidates(filtered(mine, query), query, terms)
    return pull_requests.filter(search_row__in=[candidate.pk for candidate in found.candidates])


def _marks(found: Found, terms: Terms) -> Marks:
    return Marks(frozenset(found.tokens), frozenset(terms.whole), found.prefix)


def _results(keys: Sequence[int], marks: Marks) -> list[SearchResult]:
    if not keys:
        return []
    found = subjects_of(keys)
    return [_result(found[key], marks) for key in keys if key in found]


def _result(subject: ErrorEntry | PullRequest, marks: Marks) -> SearchResult:
    field, fragments = excerpt(subject.as_document(), marks)
    return SearchResult(subject, marked_title(subject.title, marks), field, fragments)
