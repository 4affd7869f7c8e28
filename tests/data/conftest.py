"""Tests of the shipped data: the stage on which errors are provoked."""

from pathlib import Path

import pytest

from tests.data.sightings import Stage


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    return Stage(tmp_path, monkeypatch)
