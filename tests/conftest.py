"""What all tests share."""

import io
import logging
import logging.config
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from tests.loader import Loader


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
