"""Search: lists that filters narrow, looked up in the index of words where that finds few, lest all rows are read."""

from django.db import connections

from errorkb.models import SearchRow
from errorkb.models.entries import ErrorEntryQuerySet
from errorkb.search.backends import Match, backend_of
from errorkb.search.filters import entry_condition
from errorkb.search.terms import implied_tokens
from errorkb.search.vocabulary import frequencies_of

# What more rows hold is found soon enough by reading them in their order.
_MOST_HELD = 5_000


def entries_with(entries: ErrorEntryQuerySet, name: str, value: str) -> ErrorEntryQuerySet:
    """Return those of `entries` that a filter of their own columns lets pass, as `entry_condition` has it."""
    found = entries.filter(entry_condition(name, value))
    tokens = implied_tokens(name, value)
    if not tokens:
        return found
    held = frequencies_of(tokens).documents
    if min(held.get(token, 0) for token in tokens) > _MOST_HELD:
        return found
    rows = SearchRow.objects.all()
    holding = backend_of(connections[rows.db]).matching(rows, Match((tokens,)))
    keys = list(holding.values_list("entry", flat=True)[: _MOST_HELD + 1])
    return found if len(keys) > _MOST_HELD else found.filter(pk__among=filter(None, keys))
