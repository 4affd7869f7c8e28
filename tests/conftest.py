"""What all tests share."""

import io
import logging
import logging.config
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from tests.loader import Loader


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about another database than DATABASE_URL's; on PostgreSQL also what touches none.

    Tests in a browser and those that make a site of their own are the same on both.
    """
    wanted = [item for item in items if _is_wanted(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    items[:] = wanted


def _is_wanted(item: pytest.Item) -> bool:
    databases = {name for name in ("sqlite", "postgresql") if item.get_closest_marker(name)}
    if databases:
        return connection.vendor in databases
    touches_base = item.get_closest_marker("django_db") is not None or "db" in getattr(item, "fixturenames", ())
    return connection.vendor == "sqlite" or (touches_base and item.get_closest_marker("browser") is None)


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
