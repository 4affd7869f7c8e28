"""`/api/pull-requests/<owner>/<name>/<number>`."""

import json

import pytest

from errorkb.api.shapes.pull_requests import ServedPullRequest
from tests.api.conftest import ENTRY, entry, leaves, problem

ADDRESS = "/api/pull-requests/sgl-project/sglang/33523"


def pull_request(**fields) -> dict:
    return {"schema_version": "1.0", "repository": "o/n", "number": 7} | fields


def body_of(client, address: str = ADDRESS) -> dict:
    response = client.get(address)
    assert response.status_code == 200, response.content
    return json.loads(response.content)


def test_has_every_leaf_of_the_document_verbatim(client, report):
    served = leaves(body_of(client))
    assert {path: served.get(path, "missing") for path in leaves(report)} == leaves(report)


def test_has_the_shape_that_openapi_describes(client, seed, report):
    ServedPullRequest.model_validate_json(client.get(ADDRESS).content)


def test_adds_the_entries_that_it_touched(client, seed, report):
    body = body_of(client)
    assert body["html_url"] == "https://errors.example/r/sgl-project/sglang/pulls/33523/"
    assert body["modified"] == "2026-09-01T12:00:00+00:00"
    computed = body["computed"]
    assert computed["repository"] == {
        "name": "sgl-project/sglang",
        "html_url": "https://errors.example/r/sgl-project/sglang/",
    }
    assert computed["url"] == "https://github.com/sgl-project/sglang/pull/33523"
    (entry_served,) = computed["entries"]
    evidence = entry_served.pop("evidence")
    assert entry_served == {
        "id": ENTRY,
        "title": f"NotImplementedError: {seed['message']}",
        "repository": "sgl-project/sglang",
        "role": "introduced",
        "named_by": "document",
        "confirmed": False,
        "commit": None,
        "html_url": f"https://errors.example/errors/{ENTRY}/",
        "url": f"https://errors.example/api/errors/{ENTRY}",
    }
    assert [piece["kind"] for piece in evidence] == ["snippet", "text", "file", "symbol"]


def test_says_what_it_fixes_and_what_brought_that(client, seed, report):
    computed = body_of(client)["computed"]
    message = "got an unexpected keyword argument 'dst_device_kv_indices'"
    assert computed["fixes"] == [{"exception_type": None, "message": message, "named_by": "product"}]
    (introducer,) = computed["introduced_by"]
    assert introducer["number"] == 31901
    assert introducer["html_url"] == "https://errors.example/r/sgl-project/sglang/pulls/31901/"
    assert computed["has_report"] is True


def test_knows_a_pull_request_that_a_report_names_without_a_report_of_its_own(client, report):
    body = body_of(client, ADDRESS.replace("33523", "31901"))
    assert (body["repository"], body["number"]) == ("sgl-project/sglang", 31901)
    assert body["computed"]["has_report"] is False
    assert [named["number"] for named in body["computed"]["named_by"]] == [33523]
    ServedPullRequest.model_validate(body, strict=False)


def test_an_entry_is_there_once_for_each_role_and_only_if_public(client, put):
    put(pull_request(), kind="pull_requests")
    this, other = {"number": 7, "repository": "o/n"}, {"number": 8, "repository": "o/n", "role": "removed"}
    put(
        entry(1, pull_requests=[other, this | {"role": "introduced"}, this | {"role": "fixed"}]),
        entry(2, repository="x/y", pull_requests=[this]),
        entry(3, repository="x/y", pull_requests=[{"number": 7}]),
        entry(4, pull_requests=[this], state="draft"),
        entry(5, pull_requests=[this], state="withdrawn"),
    )
    entries = body_of(client, "/api/pull-requests/o/n/7")["computed"]["entries"]
    assert [(item["id"][-1], item["role"]) for item in entries] == [("1", "introduced"), ("1", "fixed"), ("2", None)]


def test_the_tag_changes_when_an_entry_names_it(client, put):
    put(pull_request(), kind="pull_requests")
    before = client.get("/api/pull-requests/o/n/7")
    put(entry(1, pull_requests=[{"number": 7}]))
    given = {"if-none-match": before["ETag"]}
    assert client.get("/api/pull-requests/o/n/7", headers=given).status_code == 200


@pytest.mark.parametrize(
    ("asked", "one_form"),
    [
        ("/api/pull-requests/O/N/7", "/api/pull-requests/o/n/7"),
        ("/api/pull-requests/old/name/7?a", "/api/pull-requests/o/n/7?a"),
        ("/api/pull-requests/o/n/007", "/api/pull-requests/o/n/7"),
        ("/api/pull-requests/o/n/7/", "/api/pull-requests/o/n/7"),
        ("/api/pull-requests/GitLab.com/group/sub/name/7", "/api/pull-requests/gitlab.com/group/sub/name/7"),
    ],
)
def test_other_forms_redirect_to_the_one_form(client, put, asked, one_form):
    put({"schema_version": "1.0", "name": "o/n", "aliases": ["old/name"]}, kind="repositories")
    put(pull_request(), pull_request(repository="gitlab.com/group/sub/name"), kind="pull_requests")
    response = client.get(asked)
    assert (response.status_code, response["Location"]) == (301, one_form)
    assert client.get(one_form).status_code == 200


@pytest.mark.parametrize("path", ["o/n/8", "x/y/7", "o/n/0", f"o/n/{2**31}", f"o/n/{2**63}", f"o/n/{'9' * 400}"])
def test_a_pull_request_that_is_not_loaded_is_a_problem(client, put, path):
    put(pull_request(), kind="pull_requests")
    problem(client.get(f"/api/pull-requests/{path}"), 404, "unknown-pull-request")


@pytest.mark.parametrize(
    "path", ["o/n", "o/7", "o/n/x", "o/n/-1", "o/n/%D9%A7", f"o/n/{'9' * 5_000}", "o/n/7/8/x", "%00/%0A/x"]
)
def test_an_address_that_names_none_is_unknown(client, put, path):
    put(pull_request(), kind="pull_requests")
    problem(client.get(f"/api/pull-requests/{path}"), 404, "unknown-address")


@pytest.mark.parametrize("count", [1, 40])
def test_asks_the_base_equally_often_however_many_entries_name_it(client, put, count, django_assert_num_queries):
    put(pull_request(), kind="pull_requests")
    put(*(entry(n, repository=f"o/n{n}", pull_requests=[{"number": 7, "repository": "o/n"}]) for n in range(count)))
    with django_assert_num_queries(9):
        assert len(body_of(client, "/api/pull-requests/o/n/7")["computed"]["entries"]) == count
