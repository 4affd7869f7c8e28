"""Search: the rows that hold some tokens, as candidates: a few, narrow, in the order of their keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from django.db import connections
from django.db.models import QuerySet

from errorkb.models import SearchRow
from errorkb.models.kept_plans import plans_kept
from errorkb.search.backends import COLUMNS, Match, Tokens, backend_of
from errorkb.search.backends.base import Backend
from errorkb.search.candidate_rows import Kind, Row, read_rows, read_rows_of
from errorkb.search.ranking import Candidate, Counts
from errorkb.search.rarest import MOST_READ, by_rarest, holding
from errorkb.search.vocabulary import Frequencies, frequencies_of

Rows = QuerySet[SearchRow]

# In a base with fewer rows the index itself is asked how many rows hold a token; else only for those that few hold.
FEW_ROWS = 2_000
MOST_COUNTED = 1_001
# Tokens of one document go together: that a row holds all of a group is likelier than by chance. The rarest counts in
# full, each other one less and less.
_BACKOFF = 0.8
# As if tokens without a figure were held by so many rows.
_RARE = 5


@dataclass(frozen=True)
class Shortlist:
    """The rows among which a query looks, and how common its tokens are."""

    rows: Rows
    frequencies: Frequencies

    def candidates(self, match: Match, most: int, *, with_other: bool = False) -> list[Candidate]:
        """Return the first rows, by their keys, that match; in one query, two where that is quicker.

        Where few rows seem to hold the rarest tokens, the others are looked for in these.
        """
        found = self._by_rarest(match)
        if found is None:
            found = read_rows(self.rows, match, most, Kind.WITH_OTHER if with_other else Kind.RANKED)
        return [_candidate(*row) for row in found[:most]]

    def keys(self, match: Match, most: int) -> list[int]:
        """Return the first primary keys of rows that match; as `candidates` does."""
        return [key for (key,) in read_rows(self.rows, match, most, Kind.KEYS)]

    def at(self, keys: Sequence[int]) -> list[Candidate]:
        """Return the candidates with these primary keys, as many as there are; one query, none without keys."""
        return self._of("pk", keys, ())

    def of_entries(self, entries: Sequence[int], excluded: tuple[Tokens, ...]) -> list[Candidate]:
        """Return those of these entries that do not hold all tokens of an excluded group; as `at` does."""
        return self._of("entry__pk", entries, excluded)

    def _of(self, column: str, keys: Sequence[int], excluded: tuple[Tokens, ...]) -> list[Candidate]:
        return [_candidate(*row) for row in read_rows_of(self.rows, column, keys, excluded)] if keys else []

    def estimate(self, match: Match) -> float:
        """Return about how many rows match; 0 where nothing is known."""
        known = self.frequencies
        held = known.documents if match.columns == COLUMNS else known.titles
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
        connection = connections[self.rows.db]
        with plans_kept(connection):
            return self._backend.document_counts(connection, tokens, MOST_COUNTED, columns)

    def _by_rarest(self, match: Match) -> Sequence[Row] | None:
        """Return all rows that match, found by their rarest tokens; None where these are not known to be few."""
        rarest = by_rarest(match, self.frequencies.documents, self.estimate)
        if rarest is None:
            return None
        rows = read_rows(self.rows, rarest, MOST_READ, Kind.WITH_OTHER)
        return holding(rows, match.any_of[0]) if len(rows) < MOST_READ else None

    @cached_property
    def _backend(self) -> Backend:
        return backend_of(connections[self.rows.db])


def shortlist(rows: Rows, tokens: Tokens) -> Shortlist:
    """Return `rows` as a shortlist for a query of these tokens; one query, none without tokens."""
    return Shortlist(rows, frequencies_of(tokens) if tokens else Frequencies())


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
