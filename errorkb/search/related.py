"""Search: which entries are related to one: by place, by message, by the pull requests that touched them."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import NamedTuple

from django.db import connections
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Abs, Coalesce, Concat, Left

from errorkb.core.tokens import STOP_WORDS, query_tokens
from errorkb.models import EntryPullRequest, ErrorEntry, FoundPullRequest, SearchRow
from errorkb.search.backends import Match, Tokens, backend_of
from errorkb.search.vocabulary import frequencies_of

# So many are found altogether, and so many for each reason.
MOST_FOUND = 12
_MOST_EACH = 4
# So many of a file, of a pull request and of a message's words are looked at.
_MOST_IN_FILE = 40
_MOST_TOUCHED = 40
_MOST_ALIKE = 150
_MOST_PULL_REQUESTS = 20
# Of so much of a template the words are compared, and so many of its rarest ones asked for, two by two.
_COMPARED = 200
_RAREST = 4
# A word that more than this part of all rows have in the title is a common one.
_COMMON = 0.02
_LEAST_ROWS = 5_000
# Messages that have less of their words in common are not near.
_LEAST_LIKENESS = 0.5

_SLOT = re.compile(r"\{[^{}]*+\}")

PullRequestKey = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Relation:
    """An entry, and why it is related: reasons as codes, the strongest first."""

    key: int
    reasons: tuple[str, ...]


class _Found(NamedTuple):
    key: int
    reason: str


def relations_of(
    entry: ErrorEntry, pull_requests: Sequence[PullRequestKey], *, besides: Collection[int] = ()
) -> list[Relation]:
    """Return the public entries that are related to one, the nearest first: so many at most, by six queries at most.

    `pull_requests` are those that touched it, by the primary key of the repository and the number; `besides` are the
    keys of entries that are known to be related. Reasons are `same_function`, `same_file`, `near_message` (of the same
    type) and `same_pull_request`.
    """
    left_out = {entry.pk, *besides}
    lists = (
        list(_in_file(entry)),
        list(_near_message(entry)),
        list(_touched(entry, pull_requests[:_MOST_PULL_REQUESTS])),
    )
    reasons: dict[int, list[str]] = {}
    for found in _merged(lists):
        if found.key not in left_out:
            reasons.setdefault(found.key, []).append(found.reason)
    return [Relation(key, tuple(dict.fromkeys(why))) for key, why in reasons.items()][:MOST_FOUND]


def _merged(lists: Iterable[Sequence[_Found]]) -> Iterator[_Found]:
    """Yield what was found for the strongest reasons first, of each reason no more than its share."""
    by_reason: dict[str, list[_Found]] = {reason: [] for reason in _ORDER}
    for found in (one for several in lists for one in several):
        by_reason[found.reason].append(found)
    shares = [several[:_MOST_EACH] for several in by_reason.values()]
    first = [one for several in shares for one in several[:2]]
    rest = [one for row in zip_longest(*(several[2:] for several in shares)) for one in row if one]
    chosen = {one.key for one in (*first, *rest)}
    # Further reasons of what is chosen are told as well.
    yield from first
    yield from rest
    yield from (one for several in by_reason.values() for one in several[_MOST_EACH:] if one.key in chosen)


_ORDER = ("same_function", "near_message", "same_pull_request", "same_file")


def _others(entry: ErrorEntry) -> QuerySet[ErrorEntry]:
    return ErrorEntry.objects.public().exclude(pk=entry.pk).order_by()


def _in_file(entry: ErrorEntry) -> Iterator[_Found]:
    """Yield the entries of the same file, those of the same function first, the nearest lines first."""
    if not entry.path:
        return
    # Expressions, lest a database without statistics reads the whole repository by an index of its states.
    there = ErrorEntry.objects.exclude(pk=entry.pk).filter(path=entry.path).order_by()
    inside = there.alias(shown=Concat("state", Value("")), owner=F("repository") + 0)
    inside = inside.filter(shown="published", owner=entry.repository_id)
    far = Abs(Coalesce(F("line"), Value(0)) - Value(entry.line or 0))
    rows = list(inside.annotate(far=far).order_by("far", "pk").values_list("pk", "symbol")[:_MOST_IN_FILE])
    here = [key for key, symbol in rows if symbol and symbol == entry.symbol]
    yield from (_Found(key, "same_function") for key in here)
    yield from (_Found(key, "same_file") for key, _ in rows if key not in here)


def _touched(entry: ErrorEntry, pull_requests: Sequence[PullRequestKey]) -> Iterator[_Found]:
    if not pull_requests:
        return
    named = Q()
    for repository, number in pull_requests:
        named |= Q(number=number, repository=repository)
    links = EntryPullRequest.objects.filter(named).order_by().values("entry")
    found = FoundPullRequest.objects.filter(named).order_by().values("entry")
    both = list(links.union(found).values_list("entry", flat=True)[: _MOST_TOUCHED + 1])
    shown = _others(entry).filter(pk__in=both).order_by("pk").values_list("pk", flat=True)
    yield from (_Found(key, "same_pull_request") for key in shown)


def _near_message(entry: ErrorEntry) -> Iterator[_Found]:
    """Yield the entries of the same type whose messages have most of their words in common, the likest first.

    One word in common is never enough, nor are common words alone.
    """
    words = _words(entry.template)
    if len(words) < 2:
        return
    frequencies = frequencies_of(words)
    common_from = max(frequencies.rows, _LEAST_ROWS) * _COMMON
    by_rarity = sorted(words, key=lambda word: (frequencies.titles.get(word, 0), word))
    telling = {word for word in words if frequencies.titles.get(word, 0) < common_from}
    if not telling:
        return
    rows = SearchRow.objects.all()
    matching = backend_of(connections[rows.db]).matching(rows, Match(_groups(by_rarity, telling), columns=("title",)))
    # The index is asked first, and by itself: what it finds are few, those of a type may be many.
    asked = list(matching.values_list("entry", flat=True)[:_MOST_ALIKE])
    of_type = _others(entry).filter(pk__in=filter(None, asked), exception_type=entry.exception_type)
    texts = of_type.values_list("pk", Left("template", _COMPARED))
    alike = [(_likeness(words, _words(text), telling), key) for key, text in texts]
    near = sorted((-likeness, key) for likeness, key in alike if likeness >= _LEAST_LIKENESS)
    yield from (_Found(key, "near_message") for _, key in near)


def _groups(by_rarity: Sequence[str], telling: Collection[str]) -> tuple[Tokens, ...]:
    """Return groups of words to ask for: pairs of the rarest ones, a telling word in each."""
    pairs = combinations(by_rarity[:_RAREST], 2)
    return tuple(pair for pair in pairs if pair[0] in telling)


def _words(template: str) -> frozenset[str]:
    """Return the words of a template that say something, without those in its slots."""
    literal = _SLOT.sub(" ", template[:_COMPARED])
    return frozenset(word for word in query_tokens(literal) if word not in STOP_WORDS and not word.isdigit())


def _likeness(one: frozenset[str], other: frozenset[str], telling: Collection[str]) -> float:
    """Return which part of the words of two messages both have; 0 where that says nothing."""
    shared = one & other
    return len(shared) / len(one | other) if len(shared) > 1 and shared & set(telling) else 0.0
