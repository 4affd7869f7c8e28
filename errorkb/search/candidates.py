"""Search: which rows may be results: asked of the database by tokens and filters, a thousand at most, then ranked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connections
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Coalesce, Concat, Substr

from errorkb.core.queries import Query
from errorkb.models import SearchRow
from errorkb.search.backends import COLUMNS, Match, Tokens, backend_of
from errorkb.search.groups import likely_groups
from errorkb.search.phrases import sort_by_phrases
from errorkb.search.ranking import HEADING_LENGTH, Candidate, ranked, ranked_by_likeness
from errorkb.search.terms import Terms

Rows = QuerySet[SearchRow]

# So many candidates are ranked, and results counted exactly.
MOST_CANDIDATES = 1000
# Of rows that hold only some of the words, so many are looked at.
MOST_ALIKE = 300
ENOUGH_ALIKE = 50
# Of each token column, so much is read for ranking.
RANKED_LENGTH = 2000
LIKENESS_LENGTH = 8000

_HEADING = Coalesce("entry__message_key", Substr("pull_request__title", 1, HEADING_LENGTH))
_STANDING = ("entry__reviewed", "entry__explained", "entry__removed")


@dataclass(frozen=True, slots=True)
class Found:
    """Ranked candidates, and the tokens that they were found by.

    `is_cut`: there are more than were looked at; `some_words`: they hold some of what was asked for, none has all;
    `unknown` are the tokens that no row holds, where that is why.
    """

    candidates: Sequence[Candidate]
    tokens: Tokens
    is_cut: bool = False
    some_words: bool = False
    unknown: Tokens = ()


def find_candidates(rows: Rows, query: Query, terms: Terms) -> Found:
    """Return what `query` finds among `rows`, best first. The number of database queries does not depend on the data.

    These are the rows that hold every word and phrase; where there are none, those that hold the words by the parts of
    their names; where there are none either, those that hold some of the words.
    """
    full, is_cut = _holding_all(rows, terms, terms.required)
    kept, near = sort_by_phrases(full, terms)
    if kept or not terms.required:
        return Found(_ranked(kept, query, terms), terms.required, is_cut)
    if near:
        return Found(_ranked(near, query, terms), terms.required, is_cut, some_words=True)
    by_parts = replace(terms, required=terms.by_parts)
    if by_parts != terms and not terms.phrases:
        full, is_cut = _holding_all(rows, by_parts, by_parts.required)
        kept, _ = sort_by_phrases(full, by_parts)
        if kept:
            return Found(_ranked(kept, query, by_parts), by_parts.required, is_cut)
    return _holding_some(rows, terms)


def _ranked(candidates: Iterable[Candidate], query: Query, terms: Terms) -> list[Candidate]:
    return ranked(candidates, query.text, terms.required, terms.whole)


def _holding_all(rows: Rows, terms: Terms, tokens: Tokens) -> tuple[list[Candidate], bool]:
    """Return the candidates that hold all tokens, and whether there are more of them.

    The database gives them in the order of their keys. Where there are too many, those that hold the tokens in the
    title or in the names are fetched for themselves, lest the best are among those left out.
    """
    found = _candidates(rows, _match(tokens, terms), MOST_CANDIDATES + 1)
    if len(found) <= MOST_CANDIDATES or not tokens:
        return found[:MOST_CANDIDATES], len(found) > MOST_CANDIDATES
    best: dict[int, Candidate] = {}
    places = ((terms.whole, ("title",)), (tokens, ("title",)), (tokens, ("title", "names")))
    for wanted, columns in dict.fromkeys(places):
        better = _candidates(rows, _match(wanted, terms, columns), MOST_CANDIDATES)
        best.update((candidate.pk, candidate) for candidate in better)
        if len(best) >= MOST_CANDIDATES:
            break
    best.update((candidate.pk, candidate) for candidate in found)
    return [*best.values()][:MOST_CANDIDATES], True


def _holding_some(rows: Rows, terms: Terms) -> Found:
    connection, limit = connections[rows.db], MOST_CANDIDATES + 1
    tokens = tuple(dict.fromkeys(terms.required + terms.by_parts))
    counts = dict(zip(tokens, backend_of(connection).document_counts(connection, tokens, limit), strict=True))
    unknown = tuple(token for token in terms.required if not counts[token])
    alike: dict[int, Candidate] = {}
    for groups in likely_groups(terms.required, terms.by_parts, counts, enough=MOST_ALIKE // 2):
        wanted = Match(tuple(group + terms.narrowing for group in groups), terms.excluded)
        found = _candidates(rows, wanted, MOST_ALIKE, with_other=True)
        alike.update((candidate.pk, candidate) for candidate in found)
        if len(alike) >= ENOUGH_ALIKE:
            break
    kept, _ = sort_by_phrases([*alike.values()], replace(terms, phrases=()))
    best = ranked_by_likeness(kept, tokens, counts, limit)
    return Found(best, tokens, len(best) >= MOST_ALIKE, some_words=bool(best), unknown=unknown)


def _match(tokens: Tokens, terms: Terms, columns: tuple[str, ...] = COLUMNS) -> Match:
    wanted = tokens + terms.narrowing if columns == COLUMNS else tokens
    return Match((wanted,) if wanted else (), terms.excluded, columns)


def _candidates(rows: Rows, match: Match, most: int, *, with_other: bool = False) -> list[Candidate]:
    matching = backend_of(connections[rows.db]).matching(rows, match)
    if not match.any_of:
        matching = matching.order_by("pk")
    length = LIKENESS_LENGTH if with_other else 0
    other = Concat(Substr("parts", 1, length), Value(" "), Substr("prose", 1, length))
    columns: tuple[Any, ...] = (
        _HEADING,
        F("entry__exception_type"),
        Substr("title", 1, RANKED_LENGTH),
        Substr("names", 1, RANKED_LENGTH),
        other,
    )
    return [_candidate(*values) for values in matching.values_list("pk", *columns, *_STANDING)[:most]]


def _candidate(
    pk: int,
    heading: str,
    exception_type: str | None,
    title: str,
    names: str,
    other: str,
    reviewed: bool | None,
    explained: bool | None,
    removed: bool | None,
) -> Candidate:
    """Make a candidate of a row's columns; those of entries are null for a pull request, whose report explains it."""
    return Candidate(
        pk,
        heading,
        exception_type or "",
        title,
        names,
        reviewed=bool(reviewed),
        explained=explained is not False,
        removed=bool(removed),
        other=other,
    )
