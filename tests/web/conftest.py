"""What the tests of pages share: documents loaded through the one write path, and a visitor who reads pages."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from errorkb.ingest.loading import LoadOptions, load
from tests.web.reading import Page

SAMPLES = Path(__file__).parent.parent / "samples" / "documents"
LOADED_AT = datetime(2026, 9, 1, 12, tzinfo=UTC)


@pytest.fixture
def put(tmp_path, db) -> Callable[..., None]:
    """Return a function that loads documents of one kind, all of which must be taken."""

    def put_documents(*documents: dict, kind: str = "entries") -> None:
        path = tmp_path / f"{kind}.json"
        path.write_text(json.dumps(list(documents)))
        outcomes = []
        load(kind, [str(path)], LoadOptions(), clock=lambda: LOADED_AT, report=outcomes.append)
        refused = [outcome for outcome in outcomes if outcome.status.value not in ("created", "updated", "unchanged")]
        assert not refused, refused

    return put_documents


@pytest.fixture
def read(client) -> Callable[[str], Page]:
    """Return a function that reads the page at an address, which must be there and well-formed."""

    def read_page(address: str) -> Page:
        response = client.get(address)
        assert response.status_code == 200, response.status_code
        page = Page(response.content.decode())
        assert page.broken == []
        return page

    return read_page


def sample(name: str) -> dict:
    """Return one of the sample documents."""
    loaded: dict = json.loads((SAMPLES / name).read_text())
    return loaded


@pytest.fixture
def seed(put) -> dict:
    """Load the sample entry and the pull request behind it; return the entry's document."""
    document = sample("error-0a4a184d34e9a38f.json")
    put(document)
    put(sample("pull-request-33523.json"), kind="pull_requests")
    return document
