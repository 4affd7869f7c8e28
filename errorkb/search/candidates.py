"""Search: which rows may be results: asked of the database by tokens and filters, a thousand at most, then ranked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connections
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Coalesce, Concat, Substr

from errorkb.core.queries import Query
from errorkb.models import SearchRow
from errorkb.search.backends import COLUMNS, Match, Tokens, backend_of
from errorkb.search.groups import likely_groups, title_groups
from errorkb.search.phrases import sort_by_phrases
from errorkb.search.ranking import HEADING_LENGTH, Candidate, Counts, is_known, ranked, ranked_by_likeness
from errorkb.search.terms import MAX_TERMS, Terms

Rows = QuerySet[SearchRow]

# So many candidates are ranked, and results counted exactly.
MOST_CANDIDATES = 1000
# Of rows that hold only some of the words, so many are looked at.
MOST_ALIKE = 300
ENOUGH_ALIKE = 50
# So many of them are shown.
MOST_NEAR = 5
# Shorter texts are no message with a value in it.
LEAST_PASTED = 3
# Shorter beginnings of words are those of too many.
LEAST_PREFIX = 3
# Of each token column, so much is read for ranking.
RANKED_LENGTH = 2000
TITLE_LENGTH = 8000
LIKENESS_LENGTH = 8000

_HEADING = Coalesce("entry__message_key", Substr("pull_request__title", 1, HEADING_LENGTH))
_STANDING = ("entry__reviewed", "entry__explained", "entry__removed")


@dataclass(frozen=True, slots=True)
class Found:
    """Ranked candidates, and the tokens that they were found by.

    `is_cut`: there are more than were looked at; `some_words`: they hold some of what was asked for, none has all;
    `unknown` are the tokens that no row holds, where that is why. `prefix` is a token of which they hold a longer one.
    """

    candidates: Sequence[Candidate]
    tokens: Tokens
    is_cut: bool = False
    some_words: bool = False
    unknown: Tokens = ()
    prefix: str = ""
    corrections: tuple[tuple[str, str], ...] = ()


def find_candidates(rows: Rows, query: Query, terms: Terms, *, exact: bool = False) -> Found:
    """Return what `query` finds among `rows`, best first. The number of database queries does not depend on the data.

    These are the rows that hold every word and phrase, and the messages that the query is, values and all. Where there
    are none, those that hold the words by the parts of their names, a single name by the beginning of its last part
    too; where there are none either, those that hold some of the words.
    """
    full, is_cut = _holding_all(rows, terms, terms.required)
    kept, near = sort_by_phrases(full, terms)
    fitting = _fitting(rows, query, terms, kept)
    if kept or fitting or not terms.required:
        found = {candidate.pk: candidate for candidate in (*kept, *fitting)}
        return Found(ranked(found.values(), query.text, terms), terms.required, is_cut)
    if near:
        return Found(ranked(near, query.text, terms), terms.required, is_cut, some_words=True)
    return _holding_parts(rows, query, terms) or _holding_some(rows, terms)


def _fitting(rows: Rows, query: Query, terms: Terms, kept: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates whose template's literal words the query has in their order, the best of them.

    They are looked for by words of their titles: rare ones, and neighbours.
    """
    if len(terms.pasted.words) < LEAST_PASTED or (terms.phrases and kept) or is_known(kept, query.text, terms):
        return []
    words = terms.pasted.distinct[:MAX_TERMS]
    counts = _counts(rows, words, ("title",))
    for groups in title_groups(words, counts.tokens, enough=MOST_ALIKE // 2):
        found = _candidates(rows, Match(groups, terms.excluded, ("title",)), MOST_ALIKE)
        fits = {candidate.pk: candidate.fit(terms.pasted) for candidate in found}
        most = max(fits.values(), default=0)
        if most:
            best = [candidate for candidate in found if fits[candidate.pk] * 2 > most]
            return sort_by_phrases(best, replace(terms, phrases=()))[0]
    return []


def _holding_parts(rows: Rows, query: Query, terms: Terms) -> Found | None:
    """Return what holds the words by the parts of their names, if anything does."""
    by_parts = replace(terms, required=terms.by_parts)
    if terms.phrases:
        return None
    if by_parts != terms:
        full, is_cut = _holding_all(rows, by_parts, by_parts.required)
        kept, _ = sort_by_phrases(full, by_parts)
        if kept:
            return Found(ranked(kept, query.text, by_parts), by_parts.required, is_cut)
    if len(query.words) > 1 or len(by_parts.required[-1]) < LEAST_PREFIX:
        return None
    beginning = Match((terms.narrowing + by_parts.required,), terms.excluded, last_is_prefix=True)
    kept, _ = sort_by_phrases(_candidates(rows, beginning, MOST_CANDIDATES), by_parts)
    prefix = by_parts.required[-1]
    return Found(ranked(kept, query.text, by_parts), by_parts.required, prefix=prefix) if kept else None


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
    tokens = tuple(dict.fromkeys(terms.required + terms.by_parts))
    counts = _counts(rows, tokens, COLUMNS)
    unknown = tuple(token for token in terms.required if not counts.tokens[token])
    alike: dict[int, Candidate] = {}
    for groups in likely_groups(terms.required, terms.by_parts, counts.tokens, enough=MOST_ALIKE // 2):
        wanted = Match(tuple(group + terms.narrowing for group in groups), terms.excluded)
        found = _candidates(rows, wanted, MOST_ALIKE, with_other=True)
        alike.update((candidate.pk, candidate) for candidate in found)
        if len(alike) >= ENOUGH_ALIKE:
            break
    kept, _ = sort_by_phrases([*alike.values()], replace(terms, phrases=()))
    best = ranked_by_likeness(kept, terms, counts)[:MOST_NEAR]
    return Found(best, tokens, some_words=bool(best), unknown=unknown)


def _counts(rows: Rows, tokens: Tokens, columns: tuple[str, ...]) -> Counts:
    connection, limit = connections[rows.db], MOST_CANDIDATES + 1
    *held, total = backend_of(connection).document_counts(connection, tokens, limit, columns)
    return Counts(dict(zip(tokens, held, strict=True)), total, limit)


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
        Substr("title", 1, TITLE_LENGTH),
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
        is_entry=removed is not None,
    )
