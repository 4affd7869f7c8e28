"""Search: the results that are looked at together, a thousand at most, in the order that was asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connections
from django.db.models import QuerySet

from errorkb.core.queries import Query
from errorkb.models import SearchRow
from errorkb.search.backends import Match, backend_of
from errorkb.search.candidates import MOST_CANDIDATES, Found, find_candidates
from errorkb.search.orders import as_json, first_values, from_json, is_sorted, sorted_keys
from errorkb.search.terms import Terms

_SORTED_IN_PART = f"There are more: only the best {MOST_CANDIDATES:,} are sorted."


@dataclass(frozen=True, slots=True)
class Window:
    """What was found, the keys of its rows in order, and what the next window comes behind; None where there is none.

    Lists without words go on behind their first thousand; of words, the best thousand are all that is shown.
    """

    found: Found
    keys: Sequence[int]
    boundary: tuple[Any, ...] | None = None
    problems: tuple[str, ...] = ()


def window_of(
    rows: QuerySet[SearchRow], query: Query, terms: Terms, *, exact: bool, behind: tuple[Any, ...] | None
) -> Window:
    """Return the window of what a query finds that comes behind `behind`; the first one where that is None."""
    if query.says_nothing:
        return Window(Found((), ()), ())
    if terms.are_none and is_sorted(query.order):
        narrowed = backend_of(connections[rows.db]).matching(rows, Match((terms.narrowing,) if terms.narrowing else ()))
        return _sorted_window(narrowed, query.order, behind)
    if behind is not None:
        rows = rows.filter(pk__gt=behind[0])
    found = find_candidates(rows, query, terms, exact=exact)
    keys = [candidate.pk for candidate in found.candidates]
    boundary = (max(keys),) if found.is_cut and terms.are_none else None
    problems = (_SORTED_IN_PART,) if found.is_cut and is_sorted(query.order) else ()
    return Window(found, sorted_keys(keys, query.order), boundary, problems)


def _sorted_window(rows: QuerySet[SearchRow], order: str, behind: tuple[Any, ...] | None) -> Window:
    start = None if behind is None else from_json(behind, order)
    values = first_values(rows, order, MOST_CANDIDATES + 1, behind=start)
    is_cut = len(values) > MOST_CANDIDATES
    values = values[:MOST_CANDIDATES]
    boundary = tuple(as_json(values[-1])) if is_cut else None
    return Window(Found((), (), is_cut), [value[-1] for value in values], boundary)
