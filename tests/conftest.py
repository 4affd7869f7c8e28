"""What all tests share."""

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
def loader(tmp_path: Path, db: None) -> Loader:
    """Return a loader on the test database."""
    return Loader(tmp_path)
