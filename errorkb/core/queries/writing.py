"""Core: a query written anew with a filter more or less, as the links of a results page need it."""

import re
from collections.abc import Iterable

from errorkb.core.queries.shapes import Filter, Piece, Query

# What can stand behind the colon as it is.
_PLAIN = re.compile(r"[^\s\"\u201c-\u201f\uff02/\\:][^\s\"\u201c-\u201f\uff02]*")


def written_filter(name: str, value: str, *, negated: bool = False) -> str:
    """Return a filter as one types it; a value that cannot stand alone in quotation marks.

    >>> written_filter("path", "my files/a.py")
    'path:"my files/a.py"'
    """
    quoted = value if _PLAIN.fullmatch(value) else '"{}"'.format(value.replace('"', " "))
    return f"{'-' * negated}{name}:{quoted}"


def query_with(query: Query, name: str, value: str) -> str:
    """Return the text of a query with one filter more."""
    added = Filter(name, value)
    if added in query.filters:
        return query.text
    return f"{query.text} {written_filter(name, value)}".strip()


def query_without(query: Query, removed: Filter) -> str:
    """Return the text of a query without one of its filters."""
    return _joined(piece for piece in query.pieces if piece.filter != removed)


def sorted_query(query: Query, order: str) -> str:
    """Return the text of a query whose results are sorted by another of SORTS; nothing is said of relevance."""
    kept = _joined(piece for piece in query.pieces if piece.filter is None or piece.filter.name != "sort")
    return kept if order == "relevance" else f"{kept} sort:{order}".strip()


def _joined(pieces: Iterable[Piece]) -> str:
    return " ".join(piece.text for piece in pieces)
