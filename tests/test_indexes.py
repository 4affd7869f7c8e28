"""The indexes of an entry, which each new one pays for: no more of them than something asks for."""

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db

KEYS = {"id", "public_id"}


def test_an_entry_has_an_index_of_each_column_that_is_asked_for_and_of_no_other() -> None:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, "errorkb_errorentry").values()
    columns = {column for one in found if one["index"] and len(one["columns"]) == 1 for column in one["columns"]}
    asked = {"frame_key", "kind", "modified_at", "newest_id", "path", "repository_id", "state", "type_key"}
    # That of an expression has no column.
    assert columns - KEYS - {None} == asked


@pytest.mark.postgresql
def test_no_index_stands_beside_another_of_the_same_column_for_like() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname FROM pg_indexes WHERE tablename LIKE 'errorkb%%' AND indexname LIKE '%%like'")
        assert cursor.fetchall() == []
