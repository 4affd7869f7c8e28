"""`/api/repositories/<owner>/<name>/pull-requests`: those with a report, and those without."""

import pytest

from errorkb.api.shapes.pull_requests import PullRequestList
from tests.api.conftest import entry, problem

ADDRESS = "/api/repositories/o/n/pull-requests"


@pytest.fixture
def pulls(put) -> None:
    report = {"risk_flags": ["api drift"], "key_files": [{"path": "srt/a.py", "module": "传输层"}]}
    documents = [
        {"number": 7, "title": "Mend it", "merged_at": "2026-08-05", "report": report, "introduced_by": {"number": 3}},
        {"number": 8, "merged_at": "2026-09-01"},
    ]
    common = {"schema_version": "1.0", "repository": "o/n"}
    put(*(common | document for document in documents), kind="pull_requests")
    put(entry(1, pull_requests=[{"number": 7, "repository": "o/n", "role": "fixed"}]))


def listed(client, query: str = "") -> dict:
    response = client.get(f"{ADDRESS}?{query}")
    assert response.status_code == 200, response.content
    PullRequestList.model_validate_json(response.content)
    return response.json()


def test_lists_reports_and_those_without_one(client, pulls):
    body = listed(client)
    assert [item["number"] for item in body["pull_requests"]] == [8, 7]
    assert body["pull_requests"][1] == {
        "repository": "o/n",
        "number": 7,
        "title": "Mend it",
        "merged_at": "2026-08-05",
        "risk_flags": ["api drift"],
        "entries": 1,
        "html_url": "https://errors.example/r/o/n/pulls/7/",
        "url": "https://errors.example/api/pull-requests/o/n/7",
    }
    assert [item["number"] for item in body["known"]] == [3]
    assert client.get("/api/pull-requests/o/n/3").json()["computed"]["has_report"] is False


@pytest.mark.parametrize(
    ("query", "numbers"),
    [("flag=api drift", [7]), ("module=srt", [7]), ("since=2026-08-06", [8]), ("q=mend", [7]), ("until=2025", [])],
)
def test_filters(client, pulls, query, numbers):
    body = listed(client, query)
    assert [item["number"] for item in body["pull_requests"]] == numbers
    assert body["known"] == []


def test_goes_on_with_the_next_page(client, pulls):
    body = listed(client, "limit=1")
    assert body["next"] == "https://errors.example/api/repositories/o/n/pull-requests?limit=1&page=2"
    after = listed(client, "limit=1&page=2")
    assert ([item["number"] for item in after["pull_requests"]], after["next"]) == ([7], None)


@pytest.mark.parametrize("query", ["since=2026-09-01&until=2026-08-01", "since=soon", "module=%00", "colour=red"])
def test_refuses_what_it_does_not_understand(client, pulls, query):
    problem(client.get(f"{ADDRESS}?{query}"), 422, "wrong-parameters")


def test_refuses_a_repository_that_is_not_covered(client, pulls):
    problem(client.get("/api/repositories/no/body/pull-requests"), 404, "unknown-repository")
