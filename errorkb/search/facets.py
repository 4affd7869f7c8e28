"""Search: which values results have, with how many of them have each, as filters that would narrow them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from errorkb.models import SearchRow
from errorkb.models.chunks import in_chunks
from errorkb.search.searching import SearchResults

# So many values of each are named, the most frequent ones.
MOST_VALUES = 8

_COLUMNS = (
    *("entry__repository__name", "pull_request__repository__name", "entry__exception_type", "entry__kind"),
    *("entry__language", "entry__module", "entry__explained", "entry__reviewed", "entry__stale", "entry__removed"),
)
_JOINTS = re.compile(r"\.|::")


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value that a filter takes, and how many results have it; there may be more where results were cut."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    """A filter, one of FILTERS, and the values of it that results have, the most frequent first.

    `others` is the number of values that are not named. A value that all results have would narrow nothing, and is
    left out.
    """

    name: str
    values: tuple[FacetValue, ...]
    others: int = 0


class _Row(NamedTuple):
    """What facets need to know of a result; all but the repository is None for a pull request."""

    of_entry: str | None
    of_pull_request: str | None
    exception_type: str | None
    kind: str | None
    language: str | None
    module: str | None
    explained: bool | None
    reviewed: bool | None
    stale: bool | None
    removed: bool | None


def facets_of(results: SearchResults) -> tuple[Facet, ...]:
    """Return the facets of all results of a query, whatever page of them is shown; a query for 900 of them.

    Where results were cut, the counts are those of the results that were looked at.
    """
    rows = [
        _Row(*values)
        for keys in in_chunks(results.keys)
        for values in SearchRow.objects.filter(pk__in=keys).values_list(*_COLUMNS)
    ]
    facets = (_facet(name, rows) for name in _VALUES)
    return tuple(facet for facet in facets if facet.values)


def _facet(name: str, rows: Sequence[_Row]) -> Facet:
    counts: Counter[str] = Counter()
    spellings: dict[str, str] = {}
    for row in rows:
        for value in _VALUES[name](row):
            key = value.lower()
            spellings.setdefault(key, value)
            counts[key] += 1
    telling = {key: count for key, count in counts.items() if count < len(rows)}
    if name == "module":
        telling = _forking(telling)
    best = sorted(telling, key=lambda key: (-telling[key], key))
    named = tuple(FacetValue(spellings[key], telling[key]) for key in best[:MOST_VALUES])
    return Facet(name, named, len(best) - len(named))


def _forking(counts: dict[str, int]) -> dict[str, int]:
    """Leave out the folders in which there is nothing but one folder."""
    below = {(module.rpartition("/")[0], count) for module, count in counts.items()}
    return {module: count for module, count in counts.items() if (module, count) not in below}


def _repository(row: _Row) -> Iterable[str]:
    name = row.of_entry or row.of_pull_request
    return (name,) if name else ()


def _exception_type(row: _Row) -> Iterable[str]:
    """Return the last name of a type, by which the filter finds it in any module."""
    return (_JOINTS.split(row.exception_type)[-1],) if row.exception_type else ()


def _kind(row: _Row) -> Iterable[str]:
    return (row.kind or "pull_request",)


def _language(row: _Row) -> Iterable[str]:
    return (row.language.lower(),) if row.language else ()


def _modules(row: _Row) -> Iterator[str]:
    """Yield a module and those that it is in, for the filter finds what is below them too."""
    module = row.module
    while module:
        yield module
        module = module.rpartition("/")[0]


def _standings(row: _Row) -> Iterator[str]:
    if row.explained is None:
        return
    yield "explained" if row.explained else "facts-only"
    yield from (name for name in ("reviewed", "stale", "removed") if getattr(row, name))


_VALUES = {
    "repo": _repository,
    "type": _exception_type,
    "kind": _kind,
    "lang": _language,
    "module": _modules,
    "is": _standings,
}
