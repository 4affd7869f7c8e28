"""What the tests of the API share: documents loaded through the one write path, and problems read and checked."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.http import HttpResponse

from errorkb.ingest.loading import LoadOptions, load

SAMPLES = Path(__file__).parent.parent / "samples" / "documents"
LOADED_AT = datetime(2026, 9, 1, 12, tzinfo=UTC)
ENTRY = "0a4a184d34e9a38f"


@pytest.fixture(autouse=True)
def site(settings) -> str:
    """Give the site an address of its own."""
    settings.SITE_URL = "https://errors.example"
    return settings.SITE_URL


@pytest.fixture
def put(tmp_path, db) -> Callable[..., None]:
    """Return a function that loads documents of one kind at one time, all of which must be taken."""

    def put_documents(*documents: dict, kind: str = "entries", at: datetime = LOADED_AT, force: bool = False) -> None:
        path = tmp_path / f"{kind}.json"
        path.write_text(json.dumps(list(documents)))
        outcomes = []
        load(kind, [str(path)], LoadOptions(force=force), clock=lambda: at, report=outcomes.append)
        refused = [outcome for outcome in outcomes if outcome.status.value not in ("created", "updated", "unchanged")]
        assert not refused, refused

    return put_documents


def sample(name: str) -> dict:
    """Return one of the sample documents."""
    loaded: dict = json.loads((SAMPLES / name).read_text("utf-8"))
    return loaded


@pytest.fixture
def seed(put) -> dict:
    """Load the sample entry; return its document."""
    document = sample("error-0a4a184d34e9a38f.json")
    put(document)
    return document


@pytest.fixture
def report(put) -> dict:
    """Load the sample pull request; return its document."""
    document = sample("pull-request-33523.json")
    put(document, kind="pull_requests")
    return document


def entry(ordinal: int = 0, **fields) -> dict:
    """Return a small entry document with the id that its ordinal makes."""
    named = {"schema_version": "1.0", "repository": "o/n", "id": f"{ordinal:016x}", "message": f"message {ordinal}"}
    return named | fields


def problem(response: HttpResponse, status: int, name: str) -> dict:
    """Return the body of a response that must be this problem, whole and open to all."""
    assert response.status_code == status, response.content[:500]
    assert response["Content-Type"] == "application/problem+json"
    assert response["Access-Control-Allow-Origin"] == "*"
    body: dict = json.loads(response.content)
    assert body["type"] == f"https://errors.example/api/docs#{name}"
    assert body["status"] == status
    assert body["title"] and body["detail"] and body["instance"].startswith("/")
    return body


def leaves(value: object, place: str = "$") -> dict[str, object]:
    """Return every leaf of a JSON value by its path; empty arrays and objects are leaves."""
    if isinstance(value, dict) and value:
        return {path: leaf for key, inner in value.items() for path, leaf in leaves(inner, f"{place}.{key}").items()}
    if isinstance(value, list) and value:
        return {path: leaf for n, inner in enumerate(value) for path, leaf in leaves(inner, f"{place}[{n}]").items()}
    return {place: value}
