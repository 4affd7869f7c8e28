"""Matching: what differs between databases, behind one small interface; a module for each database."""

from django.db import NotSupportedError
from django.db.backends.base.base import BaseDatabaseWrapper

from errorkb.matching.backends import postgresql, sqlite
from errorkb.matching.backends.base import Index, KeyedWordings, WordingRow

_INDEXES = {"sqlite": Index(sqlite.DIALECT), "postgresql": Index(postgresql.DIALECT)}


def index_of(connection: BaseDatabaseWrapper) -> Index:
    """Return the index of match of a connection's database. Raises NotSupportedError for one that has none."""
    try:
        return _INDEXES[connection.vendor]
    except KeyError:
        raise NotSupportedError(f"match does not work on {connection.vendor}") from None


__all__ = ["Index", "KeyedWordings", "WordingRow", "index_of"]
