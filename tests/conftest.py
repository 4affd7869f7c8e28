"""What all tests share."""

import io
import logging
import logging.config
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from tests.databases import Filling
from tests.loader import Loader

# How long an example takes to make depends on what else the machine does.
settings.register_profile("busy machines", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machines")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about another database than DATABASE_URL's; on PostgreSQL also what touches none.

    Tests in a browser, those that make a site of their own and those marked `once` are the same on both. What a
    module's tests share is made by one process, which gets all of them.
    """
    wanted: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        wanted[_is_wanted(item)].append(item)
    for item in wanted[True]:
        if "module_base" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    config.hook.pytest_deselected(items=wanted[False])
    items[:] = wanted[True]


def _is_wanted(item: pytest.Item) -> bool:
    databases = {name for name in ("sqlite", "postgresql") if item.get_closest_marker(name)}
    if databases:
        return connection.vendor in databases
    touches_base = item.get_closest_marker("django_db") is not None or "db" in getattr(item, "fixturenames", ())
    is_the_same = any(map(item.get_closest_marker, ("browser", "once")))
    return connection.vendor == "sqlite" or (touches_base and not is_the_same)


@pytest.fixture(scope="module")
def module_base(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Filling]:
    """Return a context in which a fixture of the module's scope puts into the base what all tests begin with.

    Each test's own changes are rolled back to that, and that is rolled back behind the module's last test.
    """

    @contextmanager
    def filling() -> Iterator[None]:
        yield
        connection.check_constraints()  # what still waits to be checked would be checked by each test anew

    with django_db_blocker.unblock(), transaction.atomic():
        yield filling
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def plain_static_files(settings: Settings) -> None:
    """Serve static files by their own names: nothing is collected in tests."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}


@pytest.fixture
def site_log(settings: Settings) -> Iterator[io.StringIO]:
    """Return what the site's log gets, everything that is logged at all, as its settings write it."""
    written, root = io.StringIO(), logging.getLogger()
    logging.config.dictConfig(settings.LOGGING)
    handler = next(handler for handler in root.handlers if type(handler) is logging.StreamHandler)
    handler.setStream(written)
    level = root.level
    root.setLevel(logging.DEBUG)
    yield written
    root.setLevel(level)
    handler.setStream(sys.stderr)


@pytest.fixture
def loader(tmp_path: Path, db: None) -> Loader:
    """Return a loader on the test database."""
    return Loader(tmp_path)
