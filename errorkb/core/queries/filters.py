"""Core: the filters of the query language: their names, and which values they take."""

from collections.abc import Callable
from difflib import get_close_matches

from errorkb.core.queries.places import file_of
from errorkb.core.queries.shapes import pull_request_name
from errorkb.core.tokens import fold

MAX_FILTERS = 20
MAX_VALUE_LENGTH = 300
MAX_WILDCARDS = 8

# The filters, each with what its value is, in words.
FILTERS = {
    "repo": "a repository: owner/name, or the name alone",
    "type": "an exception type",
    "path": "a path in the source, in which * stands for anything and ? for one character",
    "module": "a directory of the source, with all below it",
    "kind": "error, assertion, warning, log or pull_request",
    "lang": "the programming language of the source",
    "code": "an error code, such as E0277",
    "symbol": "a function or method",
    "is": "reviewed, unreviewed, explained, facts-only, removed, current or stale",
    "pr": "a pull request: its number, or owner/name#number",
    "release": "a release that has the error, such as v0.5.18",
}
# How results can be sorted, each in words.
SORTS = {
    "relevance": "the best first",
    "newest": "what was changed last first",
    "oldest": "what was changed first first",
    "path": "by their place in the source",
}
_SORT = "sort"
_SORT_MEANING = "relevance, newest, oldest or path"
_SYNONYMS = {
    "repository": "repo",
    "exception": "type",
    "file": "path",
    "language": "lang",
    "function": "symbol",
    "pull": "pr",
    "version": "release",
    "order": _SORT,
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
_SCHEME_NAMES = (
    "arn blob data docker ftp git http https jdbc localhost mailto mongodb mysql node npm oci pkg postgres redis "
    "sha sqlite ssh ssl std tcp tls udp unix urn ws wss xml xmlns xs xsd xsi"
)
_SCHEMES = frozenset(_SCHEME_NAMES.split())


def filter_name(name: str, *, looks_like_one: bool) -> str:
    """Return the one name of a filter; of what is no filter its own where it looks like one, else nothing."""
    known = _SYNONYMS.get(name.lower(), name.lower())
    if known in FILTERS or known == _SORT:
        return known
    return name if name.islower() and looks_like_one and name not in _SCHEMES else ""


def is_sort(name: str) -> bool:
    """Return whether the filter of this name is none but the order of results."""
    return name == _SORT


def is_known(name: str) -> bool:
    """Return whether a word before a colon is the name of a filter."""
    return name.lower() in FILTERS or is_sort(name.lower())


def refusal(name: str, value: str) -> str:
    """Return why a filter cannot be used, in words; empty where it can."""
    if name not in FILTERS and not is_sort(name):
        return _unknown_filter(name)
    if not value:
        return f"{name}: needs {_meaning(name)}."
    if len(value) > MAX_VALUE_LENGTH:
        return f"its value is longer than {MAX_VALUE_LENGTH} characters."
    if name == "path" and sum(map(value.count, "*?")) > MAX_WILDCARDS:
        return f"path: takes at most {MAX_WILDCARDS} wildcards."
    choices = _CHOICES.get(name)
    if (choices and fold(value) not in choices) or (name == "pr" and pull_request_name(value) is None):
        return f"{name}: takes {_meaning(name)}."
    return ""


def read_value(name: str, value: str) -> str:
    """Return the value of a filter in its one form."""
    return _READ_VALUE.get(name, _as_given)(value)


def _meaning(name: str) -> str:
    return _SORT_MEANING if is_sort(name) else FILTERS[name]


def _unknown_filter(name: str) -> str:
    near = get_close_matches(name, [*FILTERS, _SORT, *_SYNONYMS], n=1)
    known = f"did you mean {near[0]}:?" if near else f"the filters are {', '.join(f'{known}:' for known in FILTERS)}."
    return f"{name}: is no filter; {known} Put it in quotes to search for it."


def _as_given(value: str) -> str:
    return value


def _repository(value: str) -> str:
    return value.removeprefix("https://").removeprefix("github.com/").strip("/ ") or value


def _language(value: str) -> str:
    return _LANGUAGES.get(value.lower(), value.lower())


def _pull_request(value: str) -> str:
    named = pull_request_name(value)
    return f"{named.repository}#{named.number}".removeprefix("#") if named else value


_CHOICES = {"kind": _KINDS, "is": _STANDINGS, _SORT: {order: order for order in SORTS}}
_READ_VALUE: dict[str, Callable[[str], str]] = {
    "repo": _repository,
    "lang": _language,
    "path": file_of,
    "module": lambda value: value.strip("/ ") or value,
    "kind": lambda value: _KINDS[fold(value)],
    "is": lambda value: _STANDINGS[fold(value)],
    "pr": _pull_request,
    _SORT: fold,
}
