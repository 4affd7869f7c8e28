"""What the tests of the index share: SQL by hand."""

from django.db import connection


def run(statement: str) -> list[tuple]:
    """Execute a statement; return the rows that it yields."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []
