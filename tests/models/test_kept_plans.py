"""Models: PostgreSQL keeps the plans of what is asked within a block, and of nothing else."""

import pytest
from django.db import connection

from errorkb.models.kept_plans import plans_kept
from tests.search.statements import run

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def kept_of(name: str) -> list[str]:
    """Return the statements whose plans are kept that hold a name."""
    return [statement for (statement,) in run("SELECT statement FROM pg_prepared_statements") if name in statement]


def test_a_plan_is_kept_of_what_is_asked_within() -> None:
    with plans_kept(connection), connection.cursor() as cursor:
        for value in (3, 4):
            cursor.execute("SELECT %s::integer AS asked_within", [value])
            assert cursor.fetchall() == [(value,)]
    assert kept_of("asked_within") == ["SELECT $1::integer AS asked_within"]


def test_no_plan_is_kept_of_what_is_asked_behind_it() -> None:
    with plans_kept(connection):
        pass
    for _ in range(7):
        run("SELECT 1 AS asked_behind")
    assert kept_of("asked_behind") == []


def test_no_plan_is_kept_behind_a_pooler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    with plans_kept(connection):
        run("SELECT 1 AS asked_of_a_pooler")
    assert kept_of("asked_of_a_pooler") == []
