"""`/api/openapi.json`: whole, valid, and true."""

import json
import re
from collections.abc import Iterator

import pytest
from django.urls import URLPattern

from errorkb.api.problems import PROBLEM_TYPES
from errorkb.api.urls import urlpatterns
from tests.api.conftest import ENTRY, leaves

SCHEMA_TYPES = {"string", "integer", "number", "boolean", "array", "object", "null"}
# Addresses that are no operations: they describe, or lead to a description.
DESCRIPTIONS = {"", "docs", "openapi.json"}
# The parameters of a query string that an address cannot do without.
COMPARE = "/api/repositories/{owner}/{name}/compare"
REQUIRED = {
    ("/api/match", "q"),
    ("/api/errors/{identifier}/affected", "release"),
    (COMPARE, "from"),
    (COMPARE, "to"),
}


@pytest.fixture
def described(client) -> dict:
    response = client.get("/api/openapi.json")
    assert response["Content-Type"] == "application/json"
    return json.loads(response.content)


def parts(value: object, place: str = "#") -> Iterator[tuple[str, dict]]:
    """Yield every object of a JSON value, by its place."""
    if isinstance(value, dict):
        yield place, value
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from parts(child, f"{place}/{key}")


def operations(described: dict) -> Iterator[tuple[str, str, dict]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def resolved(described: dict, part: dict) -> dict:
    if "$ref" not in part:
        return part
    target = described
    for step in part["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return target


def test_says_what_it_describes_and_where(described):
    assert described["openapi"].startswith("3.1.")
    assert described["servers"] == [{"url": "https://errors.example"}]
    assert described["info"]["title"] and described["info"]["version"] and described["info"]["description"]
    assert {tag for *_, operation in operations(described) for tag in operation["tags"]} == {
        tag["name"] for tag in described["tags"]
    }


def test_every_address_is_described(described):
    routes = {str(pattern.pattern) for pattern in urlpatterns if isinstance(pattern, URLPattern)}
    routes = {route for route in routes if route not in DESCRIPTIONS and not route.startswith("[")}
    assert {"/api/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route) for route in routes} == set(described["paths"])


def test_every_reference_leads_somewhere(described):
    for place, part in parts(described):
        if isinstance(part.get("$ref"), str):
            assert part["$ref"].startswith("#/components/"), place
            assert resolved(described, part), place


def test_nothing_is_described_that_nobody_refers_to(described):
    text = json.dumps(described)
    for kind, components in described["components"].items():
        for name in components:
            assert f'"#/components/{kind}/{name}"' in text, name


def test_operations_have_names_of_their_own_and_words(described):
    names = [operation["operationId"] for *_, operation in operations(described)]
    assert len(names) == len(set(names))
    for path, method, operation in operations(described):
        assert method in ("get", "head", "post")
        assert operation["summary"] and operation["description"], path


def test_parameters_are_described_with_an_example(described):
    for path, _, operation in operations(described):
        parameters = [resolved(described, one) for one in operation["parameters"]]
        assert len({(one["in"], one["name"]) for one in parameters}) == len(parameters)
        assert {one["name"] for one in parameters if one["in"] == "path"} == set(re.findall(r"{(\w+)}", path))
        for one in parameters:
            assert one["description"], one["name"]
            assert one["schema"]["type"] in SCHEMA_TYPES
            assert one["required"] is (one["in"] == "path" or (path, one["name"]) in REQUIRED)
            assert "example" in one or one["in"] == "header" or one["name"] == "cursor", one["name"]
            assert isinstance(one.get("examples", {}), dict)


def test_answers_are_described_whole(described):
    for path, method, operation in operations(described):
        always = {"200", "400", "500"} if method == "post" else {"200", "304", "400", "412", "500"}
        assert always <= set(operation["responses"]), path
        for status, answer in operation["responses"].items():
            assert answer["description"], (path, status)
            assert set(answer) <= {"description", "headers", "content"}
            if method == "head" or status in ("301", "304"):
                assert "content" not in answer
            elif status == "200":
                assert set(answer["content"]) <= {"application/json", "application/schema+json"}
                assert (set(answer.get("headers", ())) >= {"ETag", "Link"}) is (method == "get")
            else:
                assert set(answer["content"]) == {"application/problem+json"}


def test_schemas_are_json_schema(described):
    for place, part in parts(described["components"]["schemas"], "#/components/schemas"):
        if place.endswith(("/properties", "/mapping")) or "/properties/" not in place:
            continue
        kind = part.get("type")
        assert kind is None or kind in SCHEMA_TYPES or isinstance(kind, dict), (place, kind)


def test_every_problem_that_it_promises_is_known(described):
    statuses = {status for *_, operation in operations(described) for status in operation["responses"]}
    assert {int(status) for status in statuses if status >= "4"} == {kind.status for kind in PROBLEM_TYPES.values()} - {
        405
    }


def test_an_answer_has_all_fields_that_are_always_there(client, described, seed):
    body = json.loads(client.get(f"/api/errors/{ENTRY}").content)
    schemas = described["components"]["schemas"]
    assert set(schemas["ServedEntry"]["required"]) <= set(body) <= set(schemas["ServedEntry"]["properties"])
    assert set(schemas["EntryComputed"]["required"]) <= set(body["computed"])
    assert set(body["computed"]) <= set(schemas["EntryComputed"]["properties"])


def test_bodies_are_described_with_an_example(described):
    for path, method, operation in operations(described):
        assert ("requestBody" in operation) is (method == "post"), path
        for body in operation.get("requestBody", {}).get("content", {}).values():
            assert body["schema"]["type"] in SCHEMA_TYPES
            assert body["example"]


def test_the_methods_that_an_address_allows_are_those_that_are_described(client, described):
    for path, methods in described["paths"].items():
        allowed = client.options(re.sub(r"{\w+}", "x", path))["Allow"].lower().split(", ")
        assert {*methods, "options"} == set(allowed), path


def test_later_fields_are_not_forbidden(described):
    assert not [path for path in leaves(described["components"]["schemas"]) if path.endswith("additionalProperties")]


def test_is_cached_by_its_tag(client):
    response = client.get("/api/openapi.json")
    assert client.get("/api/openapi.json", headers={"if-none-match": response["ETag"]}).status_code == 304
