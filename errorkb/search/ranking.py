"""Search: the order of results, worked out in Python from a few columns, so that it is the same on every database."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from math import log
from typing import Any, NamedTuple

from errorkb.core.tokens import comparable
from errorkb.search.templates import TEMPLATE_SIGN, Pasted, last_name, split_title
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
# So many tokens are sooner looked for in a text one by one than by a set of all its words.
_FEW_TOKENS = 12
_FIRST_LETTERS = 3
# How much of a title was asked for is told in so many parts.
_PARTS_OF_TITLE = 4
_JOINTS = re.compile(r"[./]")


class Candidate(NamedTuple):
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

    @classmethod
    def unread(cls, pk: int) -> "Candidate":
        """Return a candidate of which nothing but its key is known: it comes behind all others."""
        return cls(pk, "", "", "", "", reviewed=False, explained=False, removed=False, is_entry=False)

    @property
    def is_unread(self) -> bool:
        return not (self.is_entry or self.heading or self.title or self.names)

    @property
    def title_tokens(self) -> frozenset[str]:
        return frozenset(self.title.partition(TEMPLATE_SIGN)[0].split())

    @property
    def standing(self) -> tuple[bool, bool, bool]:
        """Return what puts one of two equally good results behind the other: removed, unreviewed, unexplained."""
        return self.removed, not self.reviewed, not self.explained

    def fit(self, pasted: Pasted) -> int:
        """Return how many words of a template of the entry a text has that holds all of them; 0 for others."""
        return pasted.fit(self.exception_type, split_title(self.title)[1])

    def is_called(self, wanted: frozenset[str]) -> bool:
        """Return whether tokens name the type of an entry that has no message to be known by."""
        return TEMPLATE_SIGN not in self.title and last_name(self.exception_type) in wanted

    def is_headed(self, pasted: str) -> bool:
        """Return whether a comparable text is the heading, with or without the exception's type before it."""
        if not _may_be(pasted, self.heading, self.exception_type):
            return False
        heading = comparable(self.heading)
        if len(self.heading) >= HEADING_LENGTH:
            pasted = pasted[: len(heading)] if pasted.startswith(heading) else pasted
        return pasted in (heading, f"{comparable(self.exception_type)}: {heading}")


def _may_be(pasted: str, heading: str, exception_type: str) -> bool:
    """Return whether a comparable text may be a heading, by first letters alone where these are not changed by folding.

    Most headings are told apart so, for less than it takes to fold them.
    """
    first = heading[:_FIRST_LETTERS]
    if not (heading.isascii() and exception_type.isascii() and first.isalnum()):
        return True
    return pasted.startswith((first.lower(), f"{exception_type.lower()}:"))


class Place(IntEnum):
    """Where a candidate has what was asked for, best first."""

    HEADED = 0
    NAMED = 1
    SIDE_BY_SIDE = 2
    FITTING = 3
    IN_TITLE = 4
    IN_NAMES = 5
    ELSEWHERE = 6


# The order of a candidate among others; the least is the best.
Rank = tuple[Any, ...]
# Of those that were not read, in place of all but the primary key.
_BEHIND_ALL: Rank = (Place.ELSEWHERE, 0, True, 0, (), 0, True, True, True, 0.0)


class Asked:
    """What was asked for, in the forms in which it is looked for in candidates."""

    def __init__(self, text: str, terms: Terms) -> None:
        self._text = comparable(text)
        self._wanted = frozenset(terms.required)
        self._padded = [f" {token} " for token in self._wanted]
        self._side_by_side = f" {' '.join(terms.whole)} "
        self._name = terms.whole[0] if len(terms.whole) == 1 and terms.whole != terms.by_parts else ""
        self._pasted = terms.pasted
        self._words = [f" {word} " for word in terms.pasted.distinct[:_FEW_TOKENS]]

    def rank(self, candidate: Candidate) -> Rank:
        """Return the rank of a candidate that holds every required token, or whose template the text fits.

        First the entry whose title was pasted, or whose code, function or place was named; then the words side by side
        in the title; the template that most of the text fits, the longer one first; the words in the title, in title
        and names, and the rest. Among equals entries come before pull requests; then those whose titles have the common
        words too, and all in the order in which they were asked for; those where more quarters of the title were asked
        for; the current, reviewed and explained.
        """
        if candidate.is_unread:
            return (*_BEHIND_ALL, candidate.pk)
        title = f" {candidate.title.partition(TEMPLATE_SIGN)[0]} "
        in_title = self._count_in(title)
        place, fit = self._place(candidate, title, in_title)
        unlike = self._unlikeness(title) if place is Place.IN_TITLE else ()
        coverage = in_title / (title.count(" ") - 1 or 1)
        parts = int(coverage * _PARTS_OF_TITLE)
        return (
            place, -fit, not candidate.is_entry, -in_title, unlike, -parts, *candidate.standing, -coverage, candidate.pk
        )  # fmt: skip

    def _unlikeness(self, title: str) -> tuple[int, bool]:
        """Return how many words the title lacks, common ones too, and whether the others stand in another order."""
        lacking, is_mixed, last = 0, False, -1
        for word in self._words:
            place = title.find(word)
            if place < 0:
                lacking += 1
            else:
                is_mixed |= place < last
                last = place
        return lacking, is_mixed

    def _place(self, candidate: Candidate, title: str, in_title: int) -> tuple[Place, int]:
        """Return where a candidate has what was asked for, and how much of its template."""
        if not self._wanted:
            return Place.HEADED, 0
        has_all = in_title == len(self._wanted)
        if has_all and candidate.is_headed(self._text):
            return Place.HEADED, 0
        if self._name and self._is_named(candidate):
            return Place.NAMED, 0
        if has_all and self._side_by_side in title:
            return Place.SIDE_BY_SIDE, 0
        fit = candidate.fit(self._pasted) if len(self._pasted.words) > 1 else 0
        if fit * 2 > len(self._pasted.words):
            return Place.FITTING, fit
        if has_all:
            return Place.IN_TITLE, fit
        in_names = candidate.is_entry and self._is_in(title, f" {candidate.names} ")
        return Place.IN_NAMES if in_names else Place.ELSEWHERE, fit

    def _is_named(self, candidate: Candidate) -> bool:
        """Return whether the one name that was asked for, which has parts, is a code or symbol or ends one."""
        if not candidate.is_entry:
            return False
        places = [f" {candidate.names} "]
        if TEMPLATE_SIGN not in candidate.title:
            places.append(f" {candidate.title} ".removeprefix(f" {candidate.exception_type.casefold()}"))
        return any(place.startswith(f" {self._name} ") or self._ends_in(place) for place in places)

    def _ends_in(self, place: str) -> bool:
        """Return whether a joined name ends with the one that was asked for, which has joints itself."""
        name = self._name
        return bool(_JOINTS.search(name)) and any(f"{joint}{name} " in place for joint in " /.")

    def _count_in(self, title: str) -> int:
        if len(self._padded) > _FEW_TOKENS:
            return len(self._wanted.intersection(title.split()))
        return sum(token in title for token in self._padded)

    def _is_in(self, title: str, names: str) -> bool:
        if len(self._padded) > _FEW_TOKENS:
            return self._wanted.issubset([*title.split(), *names.split()])
        return all(token in names or token in title for token in self._padded)


def is_known(rank: Rank) -> bool:
    """Return whether a candidate of this rank has all of the text in its title, as it was asked for."""
    return bool(rank[0] <= Place.SIDE_BY_SIDE)


def is_fitting(rank: Rank) -> bool:
    """Return whether most of the text is what a candidate of this rank says, if not all of it."""
    return bool(rank[0] <= Place.FITTING)


def is_elsewhere(rank: Rank) -> bool:
    """Return whether a candidate of this rank has what was asked for in its prose or code alone, or in part there."""
    return bool(rank[0] is Place.ELSEWHERE)


def ranked(candidates: Iterable[Candidate], text: str, terms: Terms) -> list[Candidate]:
    """Sort candidates by their ranks, best first. `text` is the query, `terms` are its tokens."""
    return sorted(candidates, key=Asked(text, terms).rank)


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
    title_tokens = candidate.title_tokens
    in_title = wanted & title_tokens
    in_names = wanted.intersection(candidate.names.split()) - in_title
    elsewhere = wanted.intersection(candidate.other.split()) - in_title - in_names
    found = sum(weights[token] for token in sorted(in_title | in_names | elsewhere))
    if found < asked * LEAST_SHARE and not candidate.is_called(wanted):
        return 0.0
    coverage = sum(map(len, in_title)) / (sum(map(len, title_tokens)) or 1)
    places = ((TITLE_WEIGHT, in_title), (NAMES_WEIGHT, in_names), (PROSE_WEIGHT, elsewhere))
    return (1 + coverage) * sum(weight * weights[token] for weight, tokens in places for token in sorted(tokens))
