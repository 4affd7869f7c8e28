"""What all tests share."""

from pathlib import Path

import pytest

from tests.loader import Loader


@pytest.fixture
def loader(tmp_path: Path, db: None) -> Loader:
    """Return a loader on the test database."""
    return Loader(tmp_path)
