"""Tests of sources: an empty git repository in the test's own folder."""

import pytest

from tests.repositories import Repository


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "shop")
