"""Search: the rows that hold some tokens, as candidates: a few, narrow, in the order of their keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connections
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Coalesce, Concat, Substr

from errorkb.models import SearchRow
from errorkb.search.backends import COLUMNS, Match, Tokens, backend_of
from errorkb.search.backends.base import Backend
from errorkb.search.ranking import HEADING_LENGTH, Candidate, Counts
from errorkb.search.vocabulary import Frequencies, frequencies_of

Rows = QuerySet[SearchRow]

# Of each token column, so much is read for ranking.
RANKED_LENGTH = 2000
TITLE_LENGTH = 8000
LIKENESS_LENGTH = 8000
# In a base with fewer rows the index itself is asked how many rows hold a token; else only for those that few hold.
FEW_ROWS = 2_000
MOST_COUNTED = 1_001
# Tokens of one document go together: that a row holds all of a group is likelier than by chance. The rarest counts in
# full, each other one less and less.
_BACKOFF = 0.5
# As if tokens without a figure were held by so many rows.
_RARE = 5
# So many times as many keys are looked at as seem to be enough; of more than a share of all keys, all are.
_SLACK = 1.5
_WORTHWHILE = 0.5

_HEADING = Coalesce("entry__message_key", Substr("pull_request__title", 1, HEADING_LENGTH))
_COLUMNS: tuple[Any, ...] = (
    _HEADING,
    F("entry__exception_type"),
    Substr("title", 1, TITLE_LENGTH),
    Substr("names", 1, RANKED_LENGTH),
)
_NOTHING = Value("")
_OTHER = Concat(Substr("parts", 1, LIKENESS_LENGTH), Value(" "), Substr("prose", 1, LIKENESS_LENGTH))
_STANDING = ("entry__reviewed", "entry__explained", "entry__removed")


@dataclass(frozen=True)
class Shortlist:
    """The rows among which a query looks, and how common its tokens are."""

    rows: Rows
    frequencies: Frequencies
    are_filtered: bool = False

    def candidates(self, match: Match, most: int, *, with_other: bool = False) -> list[Candidate]:
        """Return the first rows, by their keys, that match; in one query, two where that is quicker.

        A database that cannot stop at the limit is first asked about as many keys as seem to be enough.
        """
        columns = (*_COLUMNS, _OTHER if with_other else _NOTHING, *_STANDING)
        return [_candidate(*row) for row in self._first(match, most, columns)]

    def keys(self, match: Match, most: int) -> list[int]:
        """Return the first primary keys of rows that match; as `candidates` does."""
        return [key for (key,) in self._first(match, most, ())]

    def at(self, keys: Sequence[int]) -> list[Candidate]:
        """Return the candidates with these primary keys, as many as there are; one query."""
        return self.of(self.rows.filter(pk__in=keys), Match(), len(keys))

    def of(self, rows: Rows, match: Match, most: int) -> list[Candidate]:
        """Return the first of `rows` that match; one query."""
        return [_candidate(*row) for row in self._read(rows, match, most, (*_COLUMNS, _NOTHING, *_STANDING))]

    def estimate(self, match: Match) -> float:
        """Return about how many rows match; 0 where nothing is known."""
        known = self.frequencies
        held = known.titles if match.columns == ("title",) else known.documents
        return min(sum(_together(group, held, known.rows) for group in match.any_of), known.rows)

    def counts(self, tokens: Tokens, columns: tuple[str, ...] = COLUMNS) -> Counts:
        """Return how many rows hold each token, or have it in the title; one query at most."""
        known = self.frequencies
        held = known.titles if columns == ("title",) else known.documents
        if known.rows < FEW_ROWS:
            *counted, total = self._counted(tokens, columns)
            return Counts(dict(zip(tokens, counted, strict=True)), total, MOST_COUNTED)
        rare = tuple(token for token in tokens if token not in held)
        *counted, _ = self._counted(rare, columns) if rare else (0,)
        counts = {**held, **dict(zip(rare, counted, strict=True))}
        return Counts({token: counts[token] for token in tokens}, known.rows, known.rows + 1)

    def _counted(self, tokens: Tokens, columns: tuple[str, ...]) -> Sequence[int]:
        return self._backend.document_counts(connections[self.rows.db], tokens, MOST_COUNTED, columns)

    def _up_to(self, match: Match, most: int) -> int | None:
        """Return the primary key up to which about `most` rows match; None where all rows must be looked at."""
        if self._backend.stops_at_limit or self.are_filtered or match.last_is_prefix:
            return None
        expected = self.estimate(match)
        if expected * _WORTHWHILE <= most * _SLACK:
            return None
        return int(self.frequencies.last * most * _SLACK / expected)

    def _first(self, match: Match, most: int, columns: tuple[Any, ...]) -> Sequence[tuple[Any, ...]]:
        up_to = self._up_to(match, most)
        if up_to is not None:
            found = self._read(self.rows, replace(match, up_to=up_to), most, columns)
            if len(found) == most:
                return found
        return self._read(self.rows, match, most, columns)

    def _read(self, rows: Rows, match: Match, most: int, columns: tuple[Any, ...]) -> Sequence[tuple[Any, ...]]:
        matching = self._backend.matching(rows, match)
        if not match.any_of:
            matching = matching.order_by("pk")
        return _rows(matching.values_list("pk", *columns)[:most])

    @cached_property
    def _backend(self) -> Backend:
        return backend_of(connections[self.rows.db])


def shortlist(rows: Rows, tokens: Tokens, *, are_filtered: bool) -> Shortlist:
    """Return `rows` as a shortlist for a query of these tokens; one query, none without tokens.

    `are_filtered`: they are far fewer than all rows.
    """
    return Shortlist(rows, frequencies_of(tokens) if tokens else Frequencies(), are_filtered)


def _rows(asked: QuerySet[SearchRow, tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    """Return the rows of a query as the database has them: to convert a thousand takes as long as to read them."""
    try:
        sql, values = asked.query.get_compiler(asked.db).as_sql()
    except EmptyResultSet:
        return []
    with connections[asked.db].cursor() as cursor:
        cursor.execute(sql, values)
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _together(tokens: Tokens, held: Mapping[str, int], rows: int) -> float:
    shares = sorted(held.get(token, _RARE) / max(rows, 1) for token in tokens)
    return rows * prod(min(share, 1.0) ** (_BACKOFF**n) for n, share in enumerate(shares))


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
        bool(reviewed),
        explained is None or bool(explained),
        bool(removed),
        other,
        removed is not None,
    )
