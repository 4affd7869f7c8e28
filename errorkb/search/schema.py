"""Search: the full-text index as a piece of the database schema, beside the migrations and installed after them.

Django's SQLite `AlterField` remakes a table and drops its triggers without a word; `install` runs after every migrate.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

from errorkb.search.backends import SEARCH_TABLE, backend_of


def install(connection: BaseDatabaseWrapper) -> None:
    """Create what is missing of the index; do nothing where all is in place, or no table to index yet."""
    if SEARCH_TABLE in connection.introspection.table_names():
        backend_of(connection).install(connection)


def rebuild(connection: BaseDatabaseWrapper) -> None:
    """Make the index anew from the search rows. Readers see the old one until it is done."""
    backend_of(connection).rebuild(connection)


def is_intact(connection: BaseDatabaseWrapper) -> list[str]:
    """Return what is wrong with the index, a sentence each; an empty list if it is whole and agrees with the rows."""
    return backend_of(connection).problems(connection)
