"""Core: what is typed into the search box, as words, phrases and filters; docs/search.md describes the language."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches

from errorkb.core.tokens import fold, query_tokens

# Longer texts are for /match/, not for search.
MAX_QUERY_LENGTH = 2000
MAX_FILTERS = 20
MAX_VALUE_LENGTH = 300
MAX_WILDCARDS = 8


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on the results: `name` is one of FILTERS, `value` is never empty."""

    name: str
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    `text` is what was typed, cut where it was too long. `words` and `phrases` must occur, `excluded_words` and
    `excluded_phrases` must not; each holds something to search for. `problems` says in sentences what was not
    understood. `identifier` is set where the query is nothing but the id or the address of an entry.
    """

    text: str
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded_words: tuple[str, ...] = ()
    excluded_phrases: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    problems: tuple[str, ...] = ()
    identifier: str | None = None

    def values_of(self, name: str, *, negated: bool = False) -> tuple[str, ...]:
        """Return the values that are wanted by the filter of this name, or those that it keeps out."""
        return tuple(item.value for item in self.filters if item.name == name and item.negated == negated)

    @property
    def says_nothing(self) -> bool:
        """Return whether something was typed in which there is nothing to look for."""
        found = self.words or self.phrases or self.excluded_words or self.excluded_phrases or self.filters
        return bool(self.text) and not found


def has_wildcard(value: str) -> bool:
    """Return whether a filter's value is a pattern, in which * stands for anything and ? for one character."""
    return "*" in value or "?" in value


# The filters, each with what its value is, in words.
FILTERS = {
    "repo": "a repository: owner/name, or the name alone",
    "type": "an exception type",
    "path": "a path in the source, in which * stands for anything and ? for one character",
    "kind": "error, assertion, warning, log or pull_request",
    "lang": "the programming language of the source",
    "code": "an error code, such as E0277",
    "symbol": "a function or method",
    "is": "reviewed, unreviewed, explained, facts-only, removed, current or stale",
}
_SYNONYMS = {
    "repository": "repo",
    "exception": "type",
    "file": "path",
    "language": "lang",
    "function": "symbol",
}
_KINDS = {kind: kind for kind in ("error", "assertion", "warning", "log", "pull_request")} | {
    "pr": "pull_request",
    "pull": "pull_request",
    "pull-request": "pull_request",
}
_STANDINGS = {
    standing: standing
    for standing in ("reviewed", "unreviewed", "explained", "facts-only", "removed", "current", "stale")
}
_LANGUAGES = {"py": "python", "js": "javascript", "ts": "typescript", "rs": "rust", "golang": "go"}

# In front of a colon, these begin an address or a name, and are nobody's filter.
_SCHEMES = (
    "arn blob data docker ftp git http https jdbc localhost mailto mongodb mysql node npm oci pkg postgres redis "
    "sha sqlite ssh std tcp udp unix urn ws wss xml xmlns xs xsd xsi"
)
_TOO_LONG = (
    f"Only the first {MAX_QUERY_LENGTH:,} characters were searched for. A log or traceback can be matched instead."
)
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
        filters=(Filter(name='repo', value='sglang', negated=False),), problems=(), identifier=None)
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

    def take(self, match: re.Match[str]) -> None:
        """Sort one item of the query in: a filter, a phrase or a word."""
        negated = match["minus"] is not None
        name = self._filter_name(match)
        if name:
            self._take_filter(name, self._value(match), negated=negated, item=self._item(match))
        elif match["quoted"] is None:
            self._take_word(self.text[match.start() + negated : match.end()], negated=negated)
        else:
            self._take_word((match["head"] or "").rstrip(":"), negated=negated)
            self._take_phrase(self._value(match), negated=negated)

    def query(self) -> Query:
        found = (self.words, self.phrases, self.excluded_words, self.excluded_phrases)
        words, phrases, excluded_words, excluded_phrases = (tuple(dict.fromkeys(items)) for items in found)
        filters, problems = tuple(dict.fromkeys(self.filters)), list(dict.fromkeys(self.problems))
        if self.text and not (words or phrases or excluded_words or excluded_phrases or filters or problems):
            problems.append("There is no word in the query to search for.")
        identifier = _identifier(self.text)
        return Query(self.text, words, phrases, excluded_words, excluded_phrases, filters, tuple(problems), identifier)

    def _item(self, match: re.Match[str]) -> str:
        return self.text[match.start() : match.end()]

    def _value(self, match: re.Match[str]) -> str:
        start, end = match.span("bare" if match["quoted"] is None else "quoted")
        return self.text[start:end].strip()

    def _filter_name(self, match: re.Match[str]) -> str:
        """Return the name of the filter that an item is, as far as it looks like one; empty for a word."""
        name, bare = match["name"], match["bare"]
        if name is None or (bare is not None and bare.startswith(("/", "\\", ":"))):
            return ""
        name = _SYNONYMS.get(name.lower(), name)
        if name.lower() in FILTERS:
            return name.lower()
        looks_like_one = bare is None or (bare[0].isascii() and bare[0].isalpha())
        return name if name.islower() and looks_like_one and name not in _SCHEMES.split() else ""

    def _take_filter(self, name: str, value: str, *, negated: bool, item: str) -> None:
        reason = _refusal(name, value)
        if reason:
            self.problems.append(f"\u201c{_shortened(item)}\u201d was left out: {reason}")
        elif len(self.filters) >= MAX_FILTERS:
            self.problems.append(_TOO_MANY)
        else:
            self.filters.append(Filter(name, _READ_VALUE.get(name, _as_given)(value), negated))

    def _take_word(self, word: str, *, negated: bool) -> None:
        if word.endswith((":", "\uff1a")) and word[:-1].lower() in FILTERS:
            hint = f"{word[:-1]}:\u2026"
            self.problems.append(f"\u201c{word}\u201d was searched for as a word; as a filter it needs a value, {hint}")
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


def _refusal(name: str, value: str) -> str:
    """Return why a filter cannot be used, empty where it can."""
    if name not in FILTERS:
        return _unknown_filter(name)
    if not value:
        return f"{name}: needs {FILTERS[name]}."
    if len(value) > MAX_VALUE_LENGTH:
        return f"its value is longer than {MAX_VALUE_LENGTH} characters."
    if name == "path" and sum(map(value.count, "*?")) > MAX_WILDCARDS:
        return f"path: takes at most {MAX_WILDCARDS} wildcards."
    choices = _CHOICES.get(name)
    if choices and fold(value) not in choices:
        return f"{name}: takes {FILTERS[name]}."
    return ""


def _unknown_filter(name: str) -> str:
    near = get_close_matches(name, [*FILTERS, *_SYNONYMS], n=1)
    known = f"did you mean {near[0]}:?" if near else f"the filters are {', '.join(f'{known}:' for known in FILTERS)}."
    return f"{name}: is no filter; {known} Put it in quotes to search for it."


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "\u2026"


def _as_given(value: str) -> str:
    return value


def _repository(value: str) -> str:
    return value.removeprefix("https://").removeprefix("github.com/").strip("/") or value


def _language(value: str) -> str:
    return _LANGUAGES.get(value.lower(), value.lower())


_CHOICES = {"kind": _KINDS, "is": _STANDINGS}
_READ_VALUE: dict[str, Callable[[str], str]] = {
    "repo": _repository,
    "lang": _language,
    "kind": lambda value: _KINDS[fold(value)],
    "is": lambda value: _STANDINGS[fold(value)],
}
