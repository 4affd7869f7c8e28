"""Core: what a search query is, once it is read."""

import re
from dataclasses import dataclass, field, replace

from errorkb.core.queries.places import without_line

# In every base, a number has 31 bits.
_MOST_NUMBER = 2**31 - 1
_PULL_REQUEST = re.compile(
    r"(?:(?:https?://)?(?:github\.com/)?(?P<repository>[^\s#]+?)(?:#|/pull/|/-/merge_requests/)|#)?(?P<number>\d{1,10})"
)


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on the results: `name` is one of FILTERS, `value` is never empty."""

    name: str
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a query as it was typed, and the filter that it is, if it is one that is used."""

    text: str
    filter: Filter | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    `text` is what was typed, cut where it was too long. `words` and `phrases` must occur, `excluded_words` and
    `excluded_phrases` must not; each holds something to search for. `problems` says in sentences what was not
    understood. `identifier` is set where the query is nothing but the id or the address of an entry. `order` is one of
    SORTS, empty where none was asked for. `pieces` are all of the query as it was typed.
    """

    text: str
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded_words: tuple[str, ...] = ()
    excluded_phrases: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    problems: tuple[str, ...] = ()
    identifier: str | None = None
    order: str = ""
    pieces: tuple[Piece, ...] = field(default=(), compare=False, repr=False)

    def values_of(self, name: str, *, negated: bool = False) -> tuple[str, ...]:
        """Return the values that are wanted by the filter of this name, or those that it keeps out."""
        return tuple(item.value for item in self.filters if item.name == name and item.negated == negated)

    @property
    def unfiltered(self) -> str:
        """Return what was typed without the filters that are used, as it was typed: what may be a pasted message."""
        if not (self.filters or self.order):
            return self.text
        return " ".join(piece.text for piece in self.pieces if piece.filter is None)

    def without_lines(self) -> "Query":
        """Return the same query with files in place of lines of them: `conn.py` for `conn.py:136`."""
        return replace(self, words=tuple(dict.fromkeys(map(without_line, self.words))))

    @property
    def has_texts(self) -> bool:
        """Return whether words or phrases are looked for, or kept out."""
        return bool(self.words or self.phrases or self.excluded_words or self.excluded_phrases)

    @property
    def says_nothing(self) -> bool:
        """Return whether something was typed in which there is nothing to look for."""
        return bool(self.text) and not (self.has_texts or self.filters or self.order)


@dataclass(frozen=True, slots=True)
class PullRequestName:
    """The number of a pull request, and the name of its repository where it is stated."""

    number: int
    repository: str = ""


def pull_request_name(value: str) -> PullRequestName | None:
    """Return the pull request that a text names: `123`, `#123`, `owner/name#123` or its address; else None."""
    found = _PULL_REQUEST.fullmatch(value)
    if found is None or int(found["number"]) > _MOST_NUMBER:
        return None
    return PullRequestName(int(found["number"]), (found["repository"] or "").strip("/"))


def has_wildcard(value: str) -> bool:
    """Return whether a filter's value is a pattern, in which * stands for anything and ? for one character."""
    return "*" in value or "?" in value
