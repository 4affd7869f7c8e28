"""Core: what is typed into the search box, as words, phrases and filters; docs/search.md describes the language."""

import re
from dataclasses import dataclass, field

from errorkb.core.queries.filters import MAX_FILTERS, filter_name, is_known, is_sort, read_value, refusal
from errorkb.core.queries.places import place_of
from errorkb.core.queries.shapes import Filter, Piece, Query
from errorkb.core.tokens import query_tokens

# Longer texts are for /match/, not for search.
MAX_QUERY_LENGTH = 2000

_TOO_LONG = (
    f"Only the first {MAX_QUERY_LENGTH:,} characters were searched for. A log or traceback can be matched instead."
)
_NO_OPPOSITE = "sort: has no opposite."
_TOO_MANY = f"Only the first {MAX_FILTERS} filters were used."

_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0\ud800-\udfff\s]+")
# One character for one, so that an item's place in the translated query is its place in the query.
_PLAIN_SIGNS = str.maketrans(
    dict.fromkeys("\u201c\u201d\u201e\u201f\uff02", '"')
    | dict.fromkeys("\u2010\u2011\u2212\uff0d", "-")
    | dict.fromkeys("\uff1a", ":")
)
# An id alone, or the address of an entry on any host, its JSON's as well.
_IDENTIFIER = re.compile(r"(?:[^\s?#]*/errors/)?(?P<id>[0-9A-Fa-f]{16})(?:/?(?:[?#]\S*)?)")
# A minus before one letter or a digit is none: `-m` is an option, `-1` a number; nor are two: `--flag`.
_ITEM = re.compile(
    r"""
    (?P<minus>(?<!\S)-(?=[^\W\d]\w|[^\W\x00-\x7f]|"))?
    (?P<head>(?P<name>[A-Za-z][A-Za-z_-]{1,19}):)?
    (?:"(?P<quoted>[^"]*)"|(?P<bare>\S+))
    """,
    re.VERBOSE,
)


def parse_query(text: str) -> Query:
    """Read a search query. Every text is one: nothing is raised, what is not understood is said in `problems`.

    >>> parse_query('repo:sglang "does not support" HiSparse -mooncake')
    ... # doctest: +NORMALIZE_WHITESPACE
    Query(text='repo:sglang "does not support" HiSparse -mooncake',
        words=('HiSparse',), phrases=('does not support',), excluded_words=('mooncake',), excluded_phrases=(),
        filters=(Filter(name='repo', value='sglang', negated=False),), problems=(), identifier=None, order='')
    """
    reading = _Reading(_cut(text))
    if len(reading.text) < len(text.strip()) and len(text.strip()) > MAX_QUERY_LENGTH:
        reading.problems.append(_TOO_LONG)
    for match in _ITEM.finditer(reading.text.translate(_PLAIN_SIGNS)):
        reading.take(match)
    return reading.query()


def _cut(text: str) -> str:
    """Return the text on one line, free of control characters, and at most so long, cut between words."""
    tidy = _BLANKS.sub(" ", text.strip()[: MAX_QUERY_LENGTH * 2]).strip()
    if len(tidy) <= MAX_QUERY_LENGTH:
        return tidy
    head, space, _ = tidy[: MAX_QUERY_LENGTH + 1].rpartition(" ")
    return head if space else tidy[:MAX_QUERY_LENGTH]


@dataclass(slots=True)
class _Reading:
    """A query while it is read: what was found so far."""

    text: str
    words: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    excluded_words: list[str] = field(default_factory=list)
    excluded_phrases: list[str] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    order: str = ""

    def take(self, match: re.Match[str]) -> None:
        """Sort one item of the query in: a filter, a phrase or a word."""
        negated, item = match["minus"] is not None, self.text[match.start() : match.end()]
        name = self._filter_name(match)
        if name:
            self.pieces.append(Piece(item, self._take_filter(name, self._value(match), negated=negated, item=item)))
            return
        self.pieces.append(Piece(item))
        if match["quoted"] is None:
            self._take_word(self.text[match.start() + negated : match.end()], negated=negated)
        else:
            self._take_word((match["head"] or "").rstrip(":"), negated=negated)
            self._take_phrase(self._value(match), negated=negated)

    def query(self) -> Query:
        found = (self.words, self.phrases, self.excluded_words, self.excluded_phrases)
        words, phrases, excluded_words, excluded_phrases = (tuple(dict.fromkeys(items)) for items in found)
        filters, problems = tuple(dict.fromkeys(self.filters)), list(dict.fromkeys(self.problems))
        if self.text and not (any(found) or filters or problems or self.order):
            problems.append("There is no word in the query to search for.")
        return Query(
            self.text,
            words,
            phrases,
            excluded_words,
            excluded_phrases,
            filters,
            tuple(problems),
            _identifier(self.text),
            self.order,
            tuple(self.pieces),
        )

    def _value(self, match: re.Match[str]) -> str:
        start, end = match.span("bare" if match["quoted"] is None else "quoted")
        return self.text[start:end].strip()

    def _filter_name(self, match: re.Match[str]) -> str:
        """Return the name of the filter that an item is, as far as it looks like one; empty for a word."""
        name, bare = match["name"], match["bare"]
        if name is None or (bare is not None and bare.startswith(("/", "\\", ":"))):
            return ""
        return filter_name(name, looks_like_one=bare is None or (bare[0].isascii() and bare[0].isalpha()))

    def _take_filter(self, name: str, value: str, *, negated: bool, item: str) -> Filter | None:
        """Return the filter that an item is, once it is taken; None where it was left out, which is said."""
        reason = refusal(name, value) or (_NO_OPPOSITE if is_sort(name) and negated else "")
        if reason:
            self.problems.append(f"\u201c{_shortened(item)}\u201d was left out: {reason}")
            return None
        found = Filter(name, read_value(name, value), negated)
        if is_sort(name):
            self.order = found.value
        elif len(self.filters) >= MAX_FILTERS:
            self.problems.append(_TOO_MANY)
            return None
        else:
            self.filters.append(found)
        return found

    def _take_word(self, word: str, *, negated: bool) -> None:
        if word.endswith((":", "\uff1a")) and is_known(word[:-1]):
            hint = f"{word[:-1]}:\u2026"
            self.problems.append(f"\u201c{word}\u201d was searched for as a word; as a filter it needs a value, {hint}")
        word = place_of(word)
        if query_tokens(word):
            (self.excluded_words if negated else self.words).append(word)

    def _take_phrase(self, phrase: str, *, negated: bool) -> None:
        if query_tokens(phrase):
            (self.excluded_phrases if negated else self.phrases).append(phrase)
        elif phrase:
            self.problems.append(f"\u201c{_shortened(phrase)}\u201d was left out: there is no word in it.")


def _identifier(text: str) -> str | None:
    """Return the id that a query is nothing but, or that the address of an entry ends with, in its one form."""
    found = _IDENTIFIER.fullmatch(text)
    return found["id"].lower() if found else None


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "\u2026"
