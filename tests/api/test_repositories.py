"""`/api/repositories` and `/api/repositories/<owner>/<name>`."""

import json

import pytest

from errorkb.api.shapes.repositories import RepositoryPage, ServedRepository
from tests.api.conftest import entry, leaves, problem

DOCUMENT = {
    "schema_version": "1.0",
    "name": "Some/Where",
    "aliases": ["old/name"],
    "package": None,
    "releases": [{"tag": "v1", "date": "2026-01-01"}],
}


def body_of(client, address: str) -> dict:
    response = client.get(address)
    assert response.status_code == 200, response.content
    return json.loads(response.content)


@pytest.fixture
def several(put) -> None:
    put(DOCUMENT, kind="repositories")
    put(
        entry(1, repository="some/where", meaning="m"),
        entry(2, repository="some/where", meaning="m", analysis={"reviewed": True}),
        entry(3, repository="some/where"),
        entry(4, repository="some/where", state="withdrawn"),
        entry(5, repository="draft/only", state="draft"),
        entry(6, repository="named/first", pull_requests=[{"number": 1, "repository": "named/only"}]),
        entry(7, repository="taken/back", state="withdrawn"),
    )
    put({"schema_version": "1.0", "repository": "some/where", "number": 7}, kind="pull_requests")
    put({"schema_version": "1.0", "repository": "pulls/only", "number": 7}, kind="pull_requests")


def test_lists_repositories_by_name_with_their_counts(client, several):
    body = body_of(client, "/api/repositories")
    assert [row["name"] for row in body["repositories"]] == ["named/first", "pulls/only", "Some/Where", "taken/back"]
    assert body["repositories"][2] == {
        "name": "Some/Where",
        "counts": {"entries": 3, "explained": 2, "facts_only": 1, "reviewed": 1, "pull_requests": 1},
        "html_url": "https://errors.example/r/Some/Where/",
        "url": "https://errors.example/api/repositories/Some/Where",
    }
    RepositoryPage.model_validate(body)


def test_pages_lead_to_each_other(client, several):
    names, address = [], "/api/repositories?limit=3"
    while address:
        body = body_of(client, address.removeprefix("https://errors.example"))
        names += [row["name"] for row in body["repositories"]]
        address = body["next"]
    assert names == ["named/first", "pulls/only", "Some/Where", "taken/back"]


@pytest.mark.parametrize("parameters", [{"limit": "0"}, {"cursor": "x"}, {"name": "x"}])
def test_says_which_parameter_is_wrong(client, db, parameters):
    body = problem(client.get("/api/repositories", parameters), 422, "wrong-parameters")
    assert [error["parameter"] for error in body["errors"]] == list(parameters)


def test_a_repository_has_its_document_and_counts(client, several):
    body = body_of(client, "/api/repositories/Some/Where")
    served = leaves(body)
    assert {path: served.get(path, "missing") for path in leaves(DOCUMENT)} == leaves(DOCUMENT)
    assert body["computed"] == {
        "name": "Some/Where",
        "aliases": ["old/name"],
        "counts": {"entries": 3, "explained": 2, "facts_only": 1, "reviewed": 1, "pull_requests": 1},
    }
    assert body["html_url"] == "https://errors.example/r/Some/Where/"
    ServedRepository.model_validate_json(json.dumps(body))


def test_a_repository_without_a_document_has_its_name(client, several):
    body = body_of(client, "/api/repositories/named/first")
    assert (body["schema_version"], body["name"]) == ("1.0", "named/first")
    assert body["computed"]["counts"]["entries"] == 1


@pytest.mark.parametrize("asked", ["some/where", "OLD/NAME", "Some/Where/", "some/where?a=b"])
def test_other_forms_redirect_to_the_one_form(client, several, asked):
    response = client.get(f"/api/repositories/{asked}")
    assert response.status_code == 301
    assert response["Location"].partition("?")[0] == "/api/repositories/Some/Where"
    assert response["Location"].partition("?")[2] == asked.partition("?")[2]


@pytest.mark.parametrize(
    "name", ["no/where", "draft/only", "named/only", "a/" * 30 + "b", "%00/%0A", "x" * 10_240 + "/y"]
)
def test_a_repository_of_which_nothing_public_is_known_is_a_problem(client, several, name):
    problem(client.get(f"/api/repositories/{name}"), 404, "unknown-repository")


def test_the_tag_changes_with_the_counts(client, several, put):
    before = client.get("/api/repositories/Some/Where")
    given = {"if-none-match": before["ETag"]}
    assert client.get("/api/repositories/Some/Where", headers=given).status_code == 304
    put(entry(9, repository="some/where"))
    assert client.get("/api/repositories/Some/Where", headers=given).status_code == 200


@pytest.mark.parametrize("count", [1, 40])
def test_asks_the_base_equally_often_however_many_there_are(client, put, count, django_assert_num_queries):
    put(*(entry(n, repository=f"o/n{n}") for n in range(count)))
    with django_assert_num_queries(3):
        assert len(body_of(client, "/api/repositories")["repositories"]) == count
