"""Search: what differs between databases, behind one small interface; a module for each database."""

from django.db import NotSupportedError
from django.db.backends.base.base import BaseDatabaseWrapper

from errorkb.search.backends.base import COLUMNS, SEARCH_TABLE, Backend, Match, Tokens
from errorkb.search.backends.postgresql import PostgreSQLBackend
from errorkb.search.backends.sqlite import SQLiteBackend

_BACKENDS: dict[str, Backend] = {"sqlite": SQLiteBackend(), "postgresql": PostgreSQLBackend()}


def backend_of(connection: BaseDatabaseWrapper) -> Backend:
    """Return the search backend of a connection. Raises NotSupportedError for a database that has none."""
    try:
        return _BACKENDS[connection.vendor]
    except KeyError:
        raise NotSupportedError(f"there is no full-text search for {connection.vendor}") from None


__all__ = ["COLUMNS", "SEARCH_TABLE", "Backend", "Match", "Tokens", "backend_of"]
