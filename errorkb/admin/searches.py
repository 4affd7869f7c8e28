"""Admin: the lists' search box: the same search as the site's, among drafts and withdrawn entries too."""

import re
from collections.abc import Sequence
from typing import Any

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from errorkb.core.queries import parse_query
from errorkb.models import EntryIdentifier, ErrorEntry, SearchRow
from errorkb.search.candidates import find_candidates
from errorkb.search.filters import filtered
from errorkb.search.terms import terms_of

# So many of the best results stand in the search's order, the others in the list's.
MOST_RANKED = 100
_BEGINNING_OF_ID = re.compile(r"[0-9a-f]{5,16}")


def searched_entries(entries: QuerySet[ErrorEntry], text: str, *, is_ranked: bool) -> QuerySet[ErrorEntry]:
    """Return the entries that a query finds; also those whose id or message begins with it."""
    identified = text.strip().lower()
    if _BEGINNING_OF_ID.fullmatch(identified):
        named = EntryIdentifier.objects.filter(value__startswith=identified).values("entry")
        if entries.filter(pk__in=named).exists():
            return entries.filter(pk__in=named)
    found = searched(entries, "entry", text, is_ranked=is_ranked)
    titled = ErrorEntry.objects.titled(text.strip()).values("pk")
    return found if found.exists() else entries.filter(pk__in=titled)


def searched(subjects: QuerySet[Any], field: str, text: str, *, is_ranked: bool) -> QuerySet[Any]:
    """Return those of `subjects` that a query finds, best first where they are to be ranked.

    `field` is the one of SearchRow that leads to them.
    """
    query = parse_query(text)
    terms = terms_of(query)
    rows = filtered(SearchRow.objects.filter(**{f"{field}__in": subjects.order_by().values("pk")}), query)
    if query.says_nothing:
        return subjects.none()
    if terms.are_none:
        return subjects.filter(pk__in=rows.values(field))
    keys = [candidate.pk for candidate in find_candidates(rows, query, terms).candidates]
    found = subjects.filter(search_row__in=keys)
    return _best_first(found, keys[:MOST_RANKED]) if is_ranked and keys else found


def _best_first(subjects: QuerySet[Any], keys: Sequence[int]) -> QuerySet[Any]:
    places = (When(Q(search_row=key), then=Value(place)) for place, key in enumerate(keys))
    rank = Case(*places, default=Value(len(keys)), output_field=IntegerField())
    return subjects.order_by(rank, *(subjects.query.order_by or ["-pk"]))
