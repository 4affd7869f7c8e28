"""`/api/schemas/`: the JSON Schemas of the documents."""

import json

import pytest

from tests.api.conftest import problem

pytestmark = pytest.mark.django_db


def test_lists_the_schemas(client):
    assert json.loads(client.get("/api/schemas/").content) == {
        "schema_version": "1.0",
        "schemas": [
            {"name": name, "url": f"https://errors.example/api/schemas/{name}.json"}
            for name in ("entry", "pull-request", "repository")
        ],
    }


@pytest.mark.parametrize(
    ("name", "required"),
    [
        ("entry", ["schema_version", "repository", "message"]),
        ("pull-request", ["schema_version", "repository", "number"]),
        ("repository", ["schema_version", "name"]),
    ],
)
def test_a_schema_is_at_the_address_that_it_states(client, name, required):
    response = client.get(f"/api/schemas/{name}.json")
    schema = json.loads(response.content)
    assert schema["$id"] == f"https://errors.example/api/schemas/{name}.json"
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["required"] == required
    assert response["Content-Type"] == "application/schema+json"
    assert client.get(f"/api/schemas/{name}").content == response.content
    given = {"if-none-match": response["ETag"]}
    assert client.get(f"/api/schemas/{name}.json", headers=given).status_code == 304


def test_the_last_slash_is_added_where_it_belongs_and_taken_away_where_not(client):
    assert client.get("/api/schemas?a")["Location"] == "/api/schemas/?a"
    assert client.get("/api/schemas/entry.json/")["Location"] == "/api/schemas/entry.json"


@pytest.mark.parametrize("name", ["nothing", "entry.json.json", "Entry", ".json", "%00"])
def test_another_schema_is_unknown(client, name):
    problem(client.get(f"/api/schemas/{name}"), 404, "unknown-schema")
