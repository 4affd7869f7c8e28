"""Search: the order of results, worked out in Python from a few columns, so that it is the same on every database."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from math import log

from errorkb.core.tokens import comparable
from errorkb.search.templates import LiteralParts, Pasted, last_name, split_title
from errorkb.search.terms import Terms

TITLE_WEIGHT = 4.0
NAMES_WEIGHT = 2.0
PROSE_WEIGHT = 1.0
PART_WEIGHT = 0.5
HEADING_LENGTH = 200
# What is so much less like the query than the best, or holds so little of it, is not worth showing.
LEAST_LIKENESS = 0.2
LEAST_SHARE = 0.4
# A token that so many of the rows hold says nothing by itself.
_COMMON = 0.25
_FEW_ROWS = 20
# As if a base had so many rows at least: in a small one, rare words are no accident.
_LEAST_ROWS = 100


@dataclass(frozen=True)
class Candidate:
    """A row that may be a result: what ranking needs to know of it. Token columns may be cut at their ends.

    `heading` is the beginning of the message or title, HEADING_LENGTH characters; `other` holds the parts and prose
    where they are needed.
    """

    pk: int
    heading: str
    exception_type: str
    title: str
    names: str
    reviewed: bool
    explained: bool
    removed: bool
    other: str = ""
    is_entry: bool = True

    @cached_property
    def title_and_templates(self) -> tuple[str, tuple[LiteralParts, ...]]:
        return split_title(self.title)

    @cached_property
    def title_tokens(self) -> frozenset[str]:
        return frozenset(self.title_and_templates[0].split())

    @cached_property
    def names_tokens(self) -> frozenset[str]:
        return frozenset(self.names.split())

    @property
    def standing(self) -> tuple[bool, bool, bool]:
        """Return what puts one of two equally good results behind the other: removed, unreviewed, unexplained."""
        return self.removed, not self.reviewed, not self.explained

    def fit(self, pasted: Pasted) -> int:
        """Return how many words of a template of the entry a text has that holds all of them; 0 for others."""
        return pasted.fit(self.exception_type, self.title_and_templates[1])

    def is_called(self, wanted: frozenset[str]) -> bool:
        """Return whether tokens name the type of an entry that has no message to be known by."""
        return not self.title_and_templates[1] and last_name(self.exception_type) in wanted

    def is_headed(self, pasted: str) -> bool:
        """Return whether a comparable text is the heading, with or without the exception's type before it."""
        heading = comparable(self.heading)
        if len(self.heading) >= HEADING_LENGTH:
            pasted = pasted[: len(heading)] if pasted.startswith(heading) else pasted
        return pasted in (heading, f"{comparable(self.exception_type)}: {heading}")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked for, in the forms in which it is looked for in candidates."""

    text: str
    wanted: frozenset[str]
    side_by_side: str
    pasted: Pasted


class Place(IntEnum):
    """Where a candidate has what was asked for, best first."""

    HEADED = 0
    SIDE_BY_SIDE = 1
    FITTING = 2
    IN_TITLE = 3
    IN_NAMES = 4
    ELSEWHERE = 5


def ranked(candidates: Iterable[Candidate], text: str, terms: Terms) -> list[Candidate]:
    """Sort candidates that hold every required token, or whose template the text fits, best first.

    First the entry whose title was pasted; then the words side by side in the title; the template that the text fits,
    the longer one first; the words in the title, in title and names, and the rest. Among equals entries come before
    pull requests; then the current, reviewed and explained, then those where more of the title was asked for.

    `text` is the query, `terms` are its tokens.
    """
    asked = _Asked(comparable(text), frozenset(terms.required), f" {' '.join(terms.whole)} ", terms.pasted)

    def key(candidate: Candidate) -> tuple[object, ...]:
        in_title = len(asked.wanted & candidate.title_tokens)
        place = _place(candidate, asked)
        fit = candidate.fit(asked.pasted) if place is Place.FITTING else 0
        coverage = in_title / (len(candidate.title_tokens) or 1)
        return place, -fit, not candidate.is_entry, -in_title, *candidate.standing, -coverage, candidate.pk

    return sorted(candidates, key=key)


def is_known(candidates: Iterable[Candidate], text: str, terms: Terms) -> bool:
    """Return whether one of the candidates has all of the text in its title, as it was asked for."""
    asked = _Asked(comparable(text), frozenset(terms.required), f" {' '.join(terms.whole)} ", terms.pasted)
    return any(_place(candidate, asked) <= Place.SIDE_BY_SIDE for candidate in candidates)


def _place(candidate: Candidate, asked: _Asked) -> Place:
    wanted = asked.wanted
    if not wanted:
        return Place.HEADED
    if wanted <= candidate.title_tokens:
        return _place_in_title(candidate, asked)
    if candidate.fit(asked.pasted):
        return Place.FITTING
    in_names = candidate.is_entry and wanted <= candidate.title_tokens | candidate.names_tokens
    return Place.IN_NAMES if in_names else Place.ELSEWHERE


def _place_in_title(candidate: Candidate, asked: _Asked) -> Place:
    if candidate.is_headed(asked.text):
        return Place.HEADED
    if asked.side_by_side in f" {candidate.title_and_templates[0]} ":
        return Place.SIDE_BY_SIDE
    return Place.FITTING if candidate.fit(asked.pasted) else Place.IN_TITLE


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows hold each token, and how many rows there are, both counted no further than `limit`."""

    tokens: Mapping[str, int]
    rows: int
    limit: int

    def weight(self, token: str) -> float:
        """Return what it says that a row holds a token: the rarer, the more; nothing where it is a common one."""
        count = self.tokens.get(token, 0)
        return 0.0 if self.is_common(token) else log(1 + max(self.rows, _LEAST_ROWS) / max(count, 1))

    def is_common(self, token: str) -> bool:
        count = self.tokens.get(token, 0)
        return count >= self.limit or (self.rows < self.limit and count >= max(_FEW_ROWS, self.rows * _COMMON))


def ranked_by_likeness(candidates: Iterable[Candidate], terms: Terms, counts: Counts) -> list[Candidate]:
    """Sort candidates that hold some of the required tokens, best first, and leave out those that hold too few.

    Rare words count more than common ones, and very common ones not at all; in the title more than elsewhere, and most
    in a title all of whose words were asked for.
    """
    weights = {token: counts.weight(token) * PART_WEIGHT for token in terms.by_parts}
    weights |= {token: counts.weight(token) for token in terms.required}
    asked = sum(weights[token] for token in terms.required)
    scored = [(_likeness(candidate, weights, asked), candidate) for candidate in candidates]
    least = max((score for score, _ in scored), default=0) * LEAST_LIKENESS
    enough = [(score, candidate) for score, candidate in scored if score > least]
    return [candidate for _, candidate in sorted(enough, key=_by_score)]


def _by_score(scored: tuple[float, Candidate]) -> tuple[object, ...]:
    score, candidate = scored
    return -score, not candidate.is_entry, *candidate.standing, candidate.pk


def _likeness(candidate: Candidate, weights: Mapping[str, float], asked: float) -> float:
    """Return how much a candidate is like what was asked for; 0 where it holds too little of it to be shown."""
    wanted = frozenset(weights)
    in_title = wanted & candidate.title_tokens
    in_names = (wanted & candidate.names_tokens) - in_title
    elsewhere = (wanted & frozenset(candidate.other.split())) - in_title - in_names
    found = sum(weights[token] for token in sorted(in_title | in_names | elsewhere))
    if found < asked * LEAST_SHARE and not candidate.is_called(wanted):
        return 0.0
    coverage = sum(map(len, in_title)) / (sum(map(len, candidate.title_tokens)) or 1)
    places = ((TITLE_WEIGHT, in_title), (NAMES_WEIGHT, in_names), (PROSE_WEIGHT, elsewhere))
    return (1 + coverage) * sum(weight * weights[token] for weight, tokens in places for token in sorted(tokens))
