"""What tests of the write path are given: a base of their own for programs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from errorkb.ingest import loading
from tests.databases import OwnBase, own_base


@pytest.fixture
def own(tmp_path: Path) -> Iterator[OwnBase]:
    """Return a migrated base of the test's own."""
    with own_base(tmp_path) as base:
        assert base.run("migrate", "-v0") == (0, "")
        yield base


@pytest.fixture
def batches_of_five(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a load write five documents at once, so that a few of them reach its batches' edges."""
    monkeypatch.setattr(loading, "BATCH_DOCUMENTS", 5)
