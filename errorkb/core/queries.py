"""What is typed into the search box, as words, phrases and filters; docs/search.md describes the language."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches

from errorkb.core.tokens import fold

# Longer texts are for /match/, not for search.
MAX_QUERY_LENGTH = 2000
MAX_FILTERS = 20
MAX_FILTER_VALUE_LENGTH = 300
MAX_WILDCARDS = 8


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on the results: `name` is a key of FILTER_NAMES, `value` is never empty."""

    name: str
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    `text` is what was typed, at most MAX_QUERY_LENGTH characters of it. `words` and `phrases` must occur,
    `excluded_words` and `excluded_phrases` must not. `problems` says in sentences what was not understood and left out.
    `identifier` is set where the query is nothing but the id of an entry, in its one form.
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
        """Return the values given for the filter `name`, wanted ones or unwanted ones."""
        return tuple(item.value for item in self.filters if item.name == name and item.negated == negated)


def parse_query(text: str) -> Query:
    """Read a search query; every text is one, so nothing is raised.

    >>> parse_query('repo:sglang "does not support" HiSparse -mooncake').words
    ('HiSparse',)
    """
    found = _Found()
    kept = _cut(_without_controls(text[: MAX_QUERY_LENGTH * 2]).strip(), found)
    if len(text) > MAX_QUERY_LENGTH * 2 and not found.problems:
        found.problems.append(_TOO_LONG)
    for match in _ITEM.finditer(kept.translate(_PLAIN_SIGNS)):
        _read_item(match, kept, found)
    identifier = kept.lower() if _IDENTIFIER.fullmatch(kept) else None
    return found.query(kept, identifier)


FILTER_NAMES = {
    "repo": "a repository, owner/name or name",
    "type": "an exception type",
    "path": "a path in the source, with * and ? as wildcards",
    "kind": "error, assertion, warning, log or pull_request",
    "lang": "a programming language",
    "code": "an error code",
    "symbol": "a function or method",
    "is": "reviewed, unreviewed, explained, facts-only, removed or current",
}
_SYNONYMS = {"repository": "repo", "language": "lang", "file": "path", "exception": "type", "function": "symbol"}

_KINDS = {name: name for name in ("error", "assertion", "warning", "log", "pull_request")} | {
    "errors": "error",
    "assertions": "assertion",
    "warnings": "warning",
    "logs": "log",
    "pr": "pull_request",
    "pull": "pull_request",
    "pull-request": "pull_request",
    "pull_requests": "pull_request",
}
_STANDINGS = {name: name for name in ("reviewed", "unreviewed", "explained", "facts-only", "removed", "current")} | {
    "facts_only": "facts-only",
    "facts": "facts-only",
    "unexplained": "facts-only",
}
_LANGUAGES = {"py": "python", "js": "javascript", "ts": "typescript", "rs": "rust", "golang": "go", "c++": "cpp"}
_CHOICES = {"kind": _KINDS, "is": _STANDINGS}

# Where a colon follows these, it is a piece of an address or a name, not somebody's filter.
_SCHEMES = frozenset(
    "arn data docker file ftp git http https jdbc mailto mysql node npm oci pkg postgres redis s3 sha sqlite ssh std tcp "
    "udp unix urn ws wss xml xs".split(" ")
)

_TOO_LONG = (
    f"The query was cut at {MAX_QUERY_LENGTH:,} characters. To look up a whole log or traceback, paste it on the match page."
)

# One character for one, so that an item's place in the folded query is its place in the query.
_PLAIN_SIGNS = str.maketrans(
    dict.fromkeys("\u201c\u201d\u201e\u201f\uff02", '"') | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\s\ud800-\udfff]+")
_IDENTIFIER = re.compile(r"[0-9A-Fa-f]{16}")
_ITEM = re.compile(
    r"""
    (?P<minus>-(?=[^\W\d_]|"|_))?            # -1 is a number, --flag a flag
    (?:(?P<name>[A-Za-z][A-Za-z_-]{1,19}+):)?+
    (?:"(?P<quoted>[^"]*)"(?=\s|$)|(?P<bare>\S+))
    |(?P<lone>\S+)
    """,
    re.VERBOSE,
)


@dataclass(slots=True)
class _Found:
    """What has been read so far."""

    words: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    excluded_words: list[str] = field(default_factory=list)
    excluded_phrases: list[str] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def query(self, text: str, identifier: str | None) -> Query:
        lists = (self.words, self.phrases, self.excluded_words, self.excluded_phrases, self.filters, self.problems)
        return Query(text, *(tuple(dict.fromkeys(items)) for items in lists), identifier=identifier)  # type: ignore[arg-type]


def _without_controls(text: str) -> str:
    return _CONTROLS.sub(" ", text)


def _cut(text: str, found: _Found) -> str:
    if len(text) <= MAX_QUERY_LENGTH:
        return text
    found.problems.append(_TOO_LONG)
    kept = text[:MAX_QUERY_LENGTH]
    head, space, _ = kept.rpartition(" ")
    return head if space else kept
