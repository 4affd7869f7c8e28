"""Search: the order of results, worked out in Python from a few columns, so that it is the same on every database."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log

from errorkb.core.tokens import comparable
from errorkb.search.backends.base import Tokens

TITLE_WEIGHT = 4.0
NAMES_WEIGHT = 2.0
PROSE_WEIGHT = 1.0
HEADING_LENGTH = 200
# What is so much less like the query than the best is not worth showing.
LEAST_LIKENESS = 0.2


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

    @cached_property
    def title_tokens(self) -> frozenset[str]:
        return frozenset(self.title.split())

    @cached_property
    def names_tokens(self) -> frozenset[str]:
        return frozenset(self.names.split())

    @property
    def standing(self) -> tuple[bool, bool, bool]:
        """Return what puts one of two equally good results behind the other: removed, unreviewed, unexplained."""
        return self.removed, not self.reviewed, not self.explained

    def is_headed(self, pasted: str) -> bool:
        """Return whether a comparable text is the heading, with or without the exception's type before it."""
        heading = comparable(self.heading)
        if len(self.heading) >= HEADING_LENGTH:
            pasted = pasted[: len(heading)] if pasted.startswith(heading) else pasted
        return pasted in (heading, f"{comparable(self.exception_type)}: {heading}")


def ranked(candidates: Iterable[Candidate], text: str, required: Tokens, whole: Tokens) -> list[Candidate]:
    """Sort candidates that all hold every required token, best first.

    First the entry whose title was pasted; then the words side by side in the title, all in the title, all in title and
    names, and the rest. Among equals the current, reviewed and explained come first, then those where more of the title
    was asked for.

    `text` is the query, `required` its tokens, `whole` the same with joined names left whole.
    """
    pasted = comparable(text)
    side_by_side = f" {' '.join(whole)} "
    wanted = frozenset(required)

    def key(candidate: Candidate) -> tuple[object, ...]:
        in_title = len(wanted & candidate.title_tokens)
        place = _place(candidate, wanted, side_by_side, pasted)
        coverage = in_title / (len(candidate.title_tokens) or 1)
        return place, -in_title, *candidate.standing, -coverage, candidate.pk

    return sorted(candidates, key=key)


def _place(candidate: Candidate, wanted: frozenset[str], side_by_side: str, pasted: str) -> int:
    if not wanted:
        return 0
    if not wanted <= candidate.title_tokens:
        return 3 if wanted <= candidate.title_tokens | candidate.names_tokens else 4
    if candidate.is_headed(pasted):
        return 0
    return 1 if side_by_side in f" {candidate.title} " else 2


def ranked_by_likeness(
    candidates: Iterable[Candidate], required: Tokens, counts: Mapping[str, int], limit: int
) -> list[Candidate]:
    """Sort candidates that hold some of the required tokens, best first, and leave out those that hold too few.

    Rare words count more than common ones, in the title more than elsewhere, and a title all of whose words were asked
    for most: a message with values in it has all words of its template.

    `counts` says how many rows hold each token, counted no further than `limit`.
    """
    weights = {token: log(1 + limit / count) for token in required if (count := counts.get(token, 0))}
    scored = [(_likeness(candidate, weights), candidate) for candidate in candidates]
    least = max((score for score, _ in scored), default=0) * LEAST_LIKENESS
    enough = [(score, candidate) for score, candidate in scored if score > least]
    return [candidate for _, candidate in sorted(enough, key=lambda item: (-item[0], *item[1].standing, item[1].pk))]


def _likeness(candidate: Candidate, weights: Mapping[str, float]) -> float:
    """Return how much a candidate is like what was asked for; 0 where it holds too little of it to be shown."""
    wanted = frozenset(weights)
    in_title = wanted & candidate.title_tokens
    in_names = (wanted & candidate.names_tokens) - in_title
    elsewhere = (wanted & frozenset(candidate.other.split())) - in_title - in_names
    coverage = sum(map(len, in_title)) / (sum(map(len, candidate.title_tokens)) or 1)
    found = len(in_title) + len(in_names) + len(elsewhere)
    if found * 4 < len(weights) and (coverage < 0.5 or found < 2):
        return 0.0
    places = ((TITLE_WEIGHT, in_title), (NAMES_WEIGHT, in_names), (PROSE_WEIGHT, elsewhere))
    return (1 + coverage) * sum(weight * weights[token] for weight, tokens in places for token in tokens)
