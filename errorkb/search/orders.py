"""Search: results in another order than by relevance, and lists without words in the order of their keys.

A sort value is a tuple that ends with the primary key of the search row, so that no two are equal; they compare in
Python as the columns do in the database, where both order texts by their code points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from errorkb.models import PullRequest, SearchRow
from errorkb.models.chunks import in_chunks

Rows = QuerySet[SearchRow]
SortValue = tuple[Any, ...]


@dataclass(frozen=True)
class _Order:
    """How entries and pull requests are sorted: by these columns, all up or all down.

    The last one is their own key: an index of the columns before it has it, and gives rows in their order.
    """

    entry: tuple[str, ...]
    pull_request: tuple[str, ...]
    is_down: bool = False

    def columns(self, subject: str) -> tuple[Any, ...]:
        """Return what a subject is sorted by, as expressions."""
        names = self.entry if subject == "entry" else self.pull_request
        return tuple(_LINE if name == "line" else F(f"{subject}__{name}") for name in names)


_LINE = Coalesce("entry__line", Value(0))
_ORDERS = {
    "newest": _Order(("modified_at", "pk"), ("modified_at", "pk"), is_down=True),
    "oldest": _Order(("modified_at", "pk"), ("modified_at", "pk")),
    "path": _Order(("path", "line", "pk"), ("number", "pk")),
}
# What has no path comes behind what has one.
_APART = frozenset(["path"])
_SUBJECTS = ("entry", "pull_request")


def is_sorted(order: str) -> bool:
    """Return whether an order is another one than by relevance."""
    return order in _ORDERS


def sorted_keys(keys: Sequence[int], order: str) -> list[int]:
    """Return the keys of search rows in an order; as they are where that is by relevance. A query for 900 of them."""
    if not is_sorted(order):
        return list(keys)
    found = [
        value
        for chunk in in_chunks(keys)
        for subject in _SUBJECTS
        for value in _values(SearchRow.objects.filter(pk__in=chunk), order, subject)
    ]
    return [value[-1] for value in _in_order(found, order)]


def first_values(rows: Rows, order: str, most: int, *, behind: SortValue | None = None) -> list[SortValue]:
    """Return the sort values of the first rows in an order, so many at most: of those behind a sort value, if given.

    Entries and pull requests are asked for one after the other, each by an index of its own columns.
    """
    found: list[SortValue] = []
    for subject in _SUBJECTS:
        asked = rows if behind is None else _behind(rows, order, subject, behind)
        if asked is not None:
            found += _values(asked, order, subject, most)
    return _in_order(found, order)[:most]


def as_json(value: SortValue) -> list[Any]:
    """Return a sort value as JSON has it."""
    return [part.isoformat() if isinstance(part, datetime) else part for part in value]


def from_json(value: Sequence[Any], order: str) -> SortValue:
    """Return the sort value that `as_json` made this of."""
    is_moment = _ORDERS[order].entry[0] == "modified_at"
    return tuple(datetime.fromisoformat(part) if is_moment and isinstance(part, str) else part for part in value)


def _values(rows: Rows, order: str, subject: str, most: int | None = None) -> list[SortValue]:
    columns, first = _ORDERS[order].columns(subject), (_apart(order, subject))
    there = rows.filter(**{f"{subject}__modified_at__isnull": False})
    if subject == "pull_request":
        # They are few beside entries, and are looked up one by one.
        there = there.filter(pull_request__in=PullRequest.objects.order_by().values("pk"))
    way = "desc" if _ORDERS[order].is_down else "asc"
    asked = there.order_by(*(getattr(column, way)() for column in columns))
    return [(*first, *values) for values in asked.values_list(*columns, "pk")[:most]]


def _in_order(values: Sequence[SortValue], order: str) -> list[SortValue]:
    return sorted(values, reverse=_ORDERS[order].is_down)


def _apart(order: str, subject: str) -> tuple[int, ...]:
    return (_SUBJECTS.index(subject),) if order in _APART else ()


def _behind(rows: Rows, order: str, subject: str, value: SortValue) -> Rows | None:
    """Return the rows of a subject that come behind a sort value; None where none of them can."""
    first = _apart(order, subject)
    place = value[: len(first)]
    if first != place:
        return rows if first > place else None
    names = {f"sort_{n}": column for n, column in enumerate((*_ORDERS[order].columns(subject), F("pk")))}
    way = "lt" if _ORDERS[order].is_down else "gt"
    wanted, equal = Q(), Q()
    for name, part in zip(names, value[len(first) :], strict=True):
        wanted |= equal & Q(**{f"{name}__{way}": part})
        equal &= Q(**{name: part})
    return rows.alias(**names).filter(Q(**{f"sort_0__{way}e": value[len(first)]}) & wanted)
