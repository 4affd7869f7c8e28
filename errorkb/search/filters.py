"""Search: the filters of a query as conditions on the rows of entries and pull requests."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.db.models import Exists, Field, Lookup, OuterRef, Q, QuerySet, Subquery

from errorkb.core.queries import Query, has_wildcard, pull_request_name
from errorkb.core.tokens import whole_tokens
from errorkb.models import (
    EntryPullRequest,
    ErrorEntry,
    FoundPullRequest,
    PullRequest,
    PullRequestJudgement,
    Repository,
    Scan,
    SearchRow,
    Sighting,
)

Rows = QuerySet[SearchRow]
Condition = Callable[[str], Q]


# The search rows of all public entries, and of all pull requests: never asked itself, but filtered or cut.
IS_PUBLIC = Q(pull_request__isnull=False) | Q(entry__state="published")
PUBLIC_ROWS: Rows = SearchRow.objects.filter(IS_PUBLIC)


def visible_rows(entries: QuerySet[ErrorEntry]) -> Rows:
    """Return the search rows of these entries, and of all pull requests.

    An entry is looked up for each row by itself: of EXISTS, PostgreSQL makes a hash of all entries.
    """
    shown = entries.filter(pk=OuterRef("entry_id")).order_by().values("pk")[:1]
    rows = SearchRow.objects.alias(shown=Subquery(shown))
    return rows.filter(Q(pull_request__isnull=False) | Q(shown__isnull=False))


def filtered(rows: Rows, query: Query) -> Rows:
    """Filter rows by the query's filters: values of one filter are alternatives, but `is:` adds up.

    Where no words lead to a few rows, filters that few rows pass are put so that an index of theirs does.
    """
    standing = _standing if query.has_texts else _listed_standing
    for name, condition in _CONDITIONS.items():
        if wanted := query.values_of(name):
            rows = rows.filter(*map(standing, wanted)) if name == "is" else rows.filter(condition(wanted))
        if unwanted := query.values_of(name, negated=True):
            rows = rows.exclude(condition(unwanted))
    return rows


def entry_condition(name: str, value: str, *, of: str = "") -> Q:
    """Return the condition that an entry has a value of a filter of its own columns, as `type` or `path` are.

    `of` leads from the rows to their entry, as `entry__` does.
    """
    return _OF_ENTRIES[name](of, value)


def repository_tokens(query: Query) -> tuple[str, ...]:
    """Return tokens that every row of the wanted repository holds; none where there are several, or former names.

    A document may state any name that the repository has had.
    """
    wanted = query.values_of("repo")
    if len(wanted) != 1:
        return ()
    named = Repository.objects.filter(_repository(wanted[0].lower())).order_by()
    found = list(named.values_list("key", "aliases__key")[:2])
    return whole_tokens(found[0][0]) if len(found) == 1 and found[0][1] is None else ()


def _any(conditions: list[Q]) -> Q:
    found = conditions[0]
    for condition in conditions[1:]:
        found |= condition
    return found


def _each(condition: Condition) -> Callable[[Sequence[str]], Q]:
    """Return the condition that one of several values fulfils."""
    return lambda values: _any([condition(value) for value in values])


def _repositories(values: Sequence[str]) -> Q:
    """Match what is of one of the repositories; they are looked up, for where there is none no row is to be read."""
    named = list(_named_repositories(values).values_list("pk", flat=True))
    return Q(entry__repository__in=named) | Q(pull_request__repository__in=named)


def _named_repositories(values: Sequence[str]) -> QuerySet[Repository, Any]:
    return Repository.objects.filter(_any([_repository(value.lower()) for value in values])).values("pk")


def _repository(key: str) -> Q:
    found = Q(key=key) | Q(aliases__key=key)
    return found if "/" in key else found | Q(key__endswith=f"/{key}") | Q(key__startswith=f"{key}/")


def _exception_type(of: str, value: str) -> Q:
    return _named(f"{of}exception_type", value, joints=(".", "::"))


def _symbol(of: str, value: str) -> Q:
    return _named(f"{of}symbol", value, joints=(".", "::", "#"))


def _path(of: str, value: str) -> Q:
    """Match a path as a whole; without wildcards also a folder or a file by any end or beginning of its path."""
    if has_wildcard(value):
        return Q(**{f"{of}path__like": _pattern(value)})
    middle = value.strip("/")
    ways = {"iexact": middle, "istartswith": f"{middle}/", "iendswith": f"/{middle}", "icontains": f"/{middle}/"}
    return _any([Q(**{f"{of}path__{way}": text}) for way, text in ways.items()])


def _named(field: str, value: str, *, joints: tuple[str, ...]) -> Q:
    """Match a dotted name as a whole or by its last parts; with wildcards as a whole."""
    if has_wildcard(value):
        return Q(**{f"{field}__like": _pattern(value)})
    return _any([Q(**{f"{field}__iexact": value}), *(Q(**{f"{field}__iendswith": joint + value}) for joint in joints)])


def _module(of: str, value: str) -> Q:
    return Q(**{f"{of}module__iexact": value}) | Q(**{f"{of}module__istartswith": f"{value}/"})


def _pull_request(value: str) -> Q:
    """Match the report on a pull request, and the entries that name it or for which it was found."""
    named = pull_request_name(value)
    if named is None:
        return Q(pk__in=[])
    wanted: dict[str, Any] = {"number": named.number}
    if named.repository:
        wanted["repository__in"] = _named_repositories([named.repository])
    subjects = (
        ("entry", EntryPullRequest.objects.filter(**wanted).order_by().values("entry")),
        ("entry", _found(wanted)),
        ("pull_request", PullRequest.objects.filter(**wanted).order_by().values("pk")),
    )
    rows = [_keys_of(**{f"{name}__in": keys}) for name, keys in subjects]
    # One list of keys, for an index each: of OR, a database reads all rows.
    return Q(pk__in=rows[0].union(*rows[1:]))


def _found(wanted: dict[str, Any]) -> QuerySet[FoundPullRequest, Any]:
    """Return the entries for which the product has found a pull request, and nobody has rejected it."""
    judged = PullRequestJudgement.objects.filter(
        entry=OuterRef("entry"),
        repository=OuterRef("repository"),
        number=OuterRef("number"),
        verdict=PullRequestJudgement.Verdict.REJECTED,
    )
    return FoundPullRequest.objects.filter(~Exists(judged), **wanted).order_by().values("entry")


def _keys_of(**condition: Any) -> QuerySet[SearchRow, Any]:
    """Return the primary keys of the search rows that fulfil a condition."""
    return SearchRow.objects.filter(**condition).order_by().values("pk")


def _release(value: str) -> Q:
    """Match the entries that a scan of a release has seen; `v` before a version does not count."""
    bare = value.removeprefix("v").removeprefix("V")
    names = [value, bare, f"v{bare}"]
    scans = Scan.objects.filter(Q(release__in=names) | Q(version__in=names)).order_by().values("pk")
    return Q(entry__in=Sighting.objects.filter(scan__in=scans).order_by().values("entry"))


def _kind(value: str) -> Q:
    if value != "pull_request":
        return Q(entry__kind=value)
    # Said twice, for PostgreSQL has an index of what is not null, and SQLite uses one for a list alone.
    return Q(pk__in=_keys_of(pull_request__isnull=False, pull_request__in=PullRequest.objects.order_by()))


def _standing(value: str) -> Q:
    return Q(**{f"entry__{name}": wanted for name, wanted in _STANDINGS[value].items()})


def _listed_standing(value: str) -> Q:
    """Match a standing; one that few entries have by the keys of its rows, which stand in an index."""
    if value not in _RARE_STANDINGS:
        return _standing(value)
    entries = ErrorEntry.objects.filter(**_STANDINGS[value]).order_by().values("pk")
    return Q(pk__in=_keys_of(entry__in=entries))


def _pattern(glob: str) -> str:
    """Return a glob as the pattern of SQL's LIKE, with the backslash as its escape."""
    return glob.translate(_GLOB_TO_LIKE)


_GLOB_TO_LIKE = str.maketrans({"*": "%", "?": "_", "%": "\\%", "_": "\\_", "\\": "\\\\"})

_STANDINGS = {
    "reviewed": {"reviewed": True},
    "unreviewed": {"reviewed": False},
    "explained": {"explained": True},
    "facts-only": {"explained": False},
    "removed": {"removed": True},
    "current": {"removed": False},
    "stale": {"stale": True},
}
_RARE_STANDINGS = ("reviewed", "removed", "stale")
_OF_ENTRIES: dict[str, Callable[[str, str], Q]] = {
    "type": _exception_type,
    "path": _path,
    "lang": lambda of, value: Q(**{f"{of}language__iexact": value}),
    "code": lambda of, value: Q(**{f"{of}code__iexact": value}),
    "symbol": _symbol,
    "module": _module,
}
_CONDITIONS: dict[str, Callable[[Sequence[str]], Q]] = {
    "repo": _repositories,
    **{name: _each(partial(entry_condition, name, of="entry__")) for name in _OF_ENTRIES},
    "kind": _each(_kind),
    "is": _each(_standing),
    "pr": _each(_pull_request),
    "release": _each(_release),
}


@Field.register_lookup
class Like(Lookup):
    """`column LIKE pattern`, in any letter case, with the backslash as the escape."""

    lookup_name = "like"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        return self._sql(compiler, connection, "LIKE")

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        return self._sql(compiler, connection, "ILIKE")

    def _sql(self, compiler: Any, connection: Any, operator: str) -> tuple[str, tuple[Any, ...]]:
        left, left_params = self.process_lhs(compiler, connection)
        right, right_params = self.process_rhs(compiler, connection)
        return f"{left} {operator} {right} ESCAPE '\\'", (*left_params, *right_params)
