"""The database that DATABASE_URL names, with what each kind of it needs."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from errorkb import settings


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch):
    """Return a function from a DATABASE_URL to Django's settings of the base."""

    def _database(url: str) -> dict:
        monkeypatch.setenv("DATABASE_URL", url)
        return settings._database()

    return _database


def test_sqlite_begins_transactions_as_a_writer_and_writes_ahead(database) -> None:
    found = database("sqlite:////srv/base.sqlite3")
    assert (found["NAME"], found["OPTIONS"]["transaction_mode"]) == ("/srv/base.sqlite3", "IMMEDIATE")
    assert "journal_mode=WAL" in found["OPTIONS"]["init_command"]


def test_postgresql_keeps_connections_and_bounds_the_wait_for_other_writers(database) -> None:
    found = database("postgres://kb:s%40cret@db.example.org:5433/errors")
    assert (found["USER"], found["PASSWORD"], found["NAME"]) == ("kb", "s@cret", "errors")
    assert (found["HOST"], found["PORT"]) == ("db.example.org", 5433)
    assert (found["CONN_MAX_AGE"], found["CONN_HEALTH_CHECKS"]) == (600, True)
    assert "lock_timeout=20s" in found["OPTIONS"]["options"]


def test_a_socket_may_stand_in_the_place_of_the_host(database) -> None:
    assert database("postgres://kb@%2Frun%2Fpostgresql/errors")["HOST"] == "/run/postgresql"
    assert database("postgres:///errors")["HOST"] == ""


def test_what_the_address_states_goes_before_our_own_options(database) -> None:
    found = database("postgres://kb@h/errors?sslmode=require&CONN_MAX_AGE=0&options=-c%20lock_timeout%3D5s")
    assert found["OPTIONS"] == {"sslmode": "require", "options": "-c lock_timeout=5s"}
    assert found["CONN_MAX_AGE"] == 0


@pytest.mark.parametrize("url", ["mysql://kb@h/errors", "oracle://kb@h/errors"])
def test_other_databases_are_refused_by_name(database, url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="expected sqlite:///… or postgres://…"):
        database(url)
