"""`/api/repositories/<owner>/<name>/compare`."""

import json

import pytest

from errorkb.api.shapes.releases import ComparisonAnswer
from errorkb.models import ErrorEntry
from tests.api.conftest import problem
from tests.releases import PLACES, store_releases

pytestmark = pytest.mark.django_db

ADDRESS = "/api/repositories/o/n/compare"


@pytest.fixture(autouse=True)
def scanned() -> None:
    store_releases()


def body_of(client, **parameters) -> dict:
    response = client.get(ADDRESS, PLACES | parameters)
    assert response.status_code == 200, response.content
    ComparisonAnswer.model_validate_json(response.content)
    return json.loads(response.content)


def test_answers_with_both_sides_of_each_change(client):
    body = body_of(client)
    moved = ErrorEntry.objects.get(symbol="h").public_id
    assert body["counts"] == {"added": 1, "reworded": 2, "moved": 1, "removed": 1}
    assert [change["kind"] for change in body["changes"]] == ["added", "reworded", "reworded", "moved", "removed"]
    assert body["changes"][3] == {
        "kind": "moved",
        "id": moved,
        "title": "ValueError: it moves",
        "module": "src/c",
        "old": {"path": "src/a/one.py", "line": 30, "symbol": "h", "message": "it moves"},
        "new": {"path": "src/c/three.py", "line": 30, "symbol": "h", "message": "it moves"},
        "html_url": f"https://errors.example/errors/{moved}/",
    }
    assert (body["changes"][0]["old"], body["changes"][4]["new"]) == (None, None)
    assert (body["from"], body["to"]) == ("v1.0", "v2.0")
    assert body["html_url"] == "https://errors.example/r/o/n/compare/?from=v1.0&to=v2.0"


def test_goes_on_page_by_page(client):
    first = body_of(client, limit=3)
    assert (first["page"], first["pages"], len(first["changes"])) == (1, 2, 3)
    second = json.loads(client.get(first["next"].removeprefix("https://errors.example")).content)
    assert [change["kind"] for change in second["changes"]] == ["moved", "removed"]
    assert second["next"] is None
    assert [change["kind"] for change in body_of(client, kind="removed")["changes"]] == ["removed"]
    assert body_of(client, module="src/c")["counts"]["moved"] == 1


@pytest.mark.parametrize(
    ("parameters", "wrong"),
    [
        ({"from": "v9"}, "from"),
        ({"to": "v9"}, "to"),
        ({"from": "v2.0", "to": "v1.0"}, "to"),
        ({"from": "v2.0", "to": "2.0"}, "to"),
        ({"page": "2"}, "page"),
        ({"kind": "lost"}, "kind"),
        ({"modul": "x"}, "modul"),
        ({"from": "\x00"}, "from"),
    ],
)
def test_says_what_is_wrong(client, parameters, wrong):
    response = client.get(ADDRESS, PLACES | parameters)
    assert problem(response, 422, "wrong-parameters")["errors"][0]["parameter"] == wrong


def test_unknown_repositories_and_other_forms_of_the_address(client, put):
    problem(client.get("/api/repositories/un/known/compare", PLACES), 404, "unknown-repository")
    put({"schema_version": "1.0", "name": "o/n", "aliases": ["old/name"]}, kind="repositories")
    assert client.get("/api/repositories/old/name/compare?from=1&to=2")["Location"] == f"{ADDRESS}?from=1&to=2"
