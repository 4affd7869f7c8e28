"""`/api/errors/<id>/affected` and `/api/affected`: does a release have this error?"""

import json

import pytest

from errorkb.api.requests.affected_bodies import MAX_BYTES, MAX_IDS
from errorkb.api.shapes.releases import AffectedAnswer, AffectedBatch
from errorkb.models import ErrorEntry
from tests.api.conftest import entry, problem
from tests.scans import store, throw

pytestmark = pytest.mark.django_db

SITE = "https://errors.example"
BLOB = "https://github.com/o/n/blob/{}/a.py#L{}"
COMMIT = "c" * 40


@pytest.fixture
def scanned() -> str:
    """Scan four releases: the error came with v1.1, is on another line in v1.3, and is gone in v2.0."""
    other = throw("something else", 90, symbol="g")
    store("v1.0", other)
    store("v1.1", throw(line=10), other)
    store("v1.3", throw(line=17), other, commit=COMMIT)
    store("v2.0", other, remove=True)
    return ErrorEntry.objects.get(symbol="f").public_id


def asked(client, identifier: str, release: str) -> dict:
    response = client.get(f"/api/errors/{identifier}/affected", {"release": release})
    assert response.status_code == 200, response.content
    AffectedAnswer.model_validate_json(response.content)
    return json.loads(response.content)


def test_yes_says_where_with_the_link_at_that_release(client, scanned):
    assert asked(client, scanned, "1.3") == {
        "answer": "yes",
        "reason": "v1.3 has it.",
        "source": {"release": "v1.3", "path": "a.py", "line": 17, "symbol": "f", "html_url": BLOB.format(COMMIT, 17)},
        "html_url": f"{SITE}/errors/{scanned}/?release=1.3#versions",
    }
    assert asked(client, scanned, "v1.1")["source"]["html_url"] == BLOB.format("v1.1", 10)
    assert asked(client, scanned, COMMIT[:8])["source"]["line"] == 17
    assert asked(client, scanned, "n==1.1")["answer"] == "yes"


@pytest.mark.parametrize(
    ("release", "answer", "reason"),
    [
        ("1.0", "no", "v1.0 does not have it: introduced later, in v1.1."),
        ("0.3", "no", "Introduced later, in v1.1."),
        ("2.0", "no", "Removed in v2.0."),
        ("2.0+local", "no", "Removed in v2.0."),
        ("3.0", "no", "Removed in v2.0."),
        ("1.2", "yes", "v1.1 and v1.3, before and after it, have it; we have not read 1.2."),
        ("1.3.1", "unknown", "We have not read 1.3.1: v1.3, before it, has it; v2.0, after it, does not have it."),
        ("main", "unknown", "“main” is no version and no tag that we know; v2.0, the newest release that we have read, "
         "does not have it."),
    ],
)  # fmt: skip
def test_no_and_unknown_say_what_is_known(client, scanned, release, answer, reason):
    body = asked(client, scanned, release)
    assert (body["answer"], body["reason"]) == (answer, reason)
    assert (body["source"] is None) is (answer != "yes")


def test_an_alias_leads_to_the_one_form(client, put):
    put(entry(1, aliases=["00000000000000aa"]))
    response = client.get("/api/errors/00000000000000AA/affected?release=1.0")
    assert response.status_code == 301
    assert response["Location"] == f"/api/errors/{1:016x}/affected?release=1.0"


def test_the_document_answers_where_no_scan_does(client, put):
    put(entry(1, source={"path": "b.py", "line": 3, "release": "v0.5.18"}, releases={"first": "v0.5.17"}))
    body = asked(client, f"{1:016x}", "0.5.18")
    assert (body["answer"], body["reason"]) == (
        "yes",
        "Its document says that v0.5.18 has it; we have not read it.",
    )
    assert body["source"]["html_url"] == "https://github.com/o/n/blob/v0.5.18/b.py#L3"
    assert asked(client, f"{1:016x}", "0.5.16")["reason"] == "Introduced later, in v0.5.17."


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        (f"/api/errors/{1:016x}/affected", "wrong-parameters"),
        (f"/api/errors/{1:016x}/affected?release=", "wrong-parameters"),
        (f"/api/errors/{1:016x}/affected?release={'1' * 301}", "wrong-parameters"),
        (f"/api/errors/{1:016x}/affected?release=1&version=2", "wrong-parameters"),
        (f"/api/errors/{2:016x}/affected?release=1", "unknown-entry"),
        ("/api/errors/x/affected?release=1", "unknown-entry"),
    ],
)
def test_says_what_is_wrong(client, put, address, kind):
    put(entry(1))
    problem(client.get(address), 404 if kind == "unknown-entry" else 422, kind)


def test_hostile_releases_are_answered(client, scanned):
    for text in ("\x00", "%", "' OR 1=1", "<script>", "1" * 300, "é" * 100, "‮"):
        assert asked(client, scanned, text)["answer"] == "unknown"


def posted(client, body) -> dict:
    response = client.post("/api/affected", json.dumps(body), content_type="application/json")
    assert response.status_code == 200, response.content
    assert response["Cache-Control"] == "no-store"
    AffectedBatch.model_validate_json(response.content)
    return json.loads(response.content)["results"]


def test_many_are_answered_in_their_order(client, scanned, put):
    put(entry(1))
    results = posted(client, {"ids": [f"{1:016x}", scanned.upper(), "f" * 16], "release": "1.1"})
    assert [one["id"] for one in results] == [f"{1:016x}", scanned, "f" * 16]
    assert results[0]["answer"] == "unknown"
    assert results[1] == {"id": scanned, "release": "1.1"} | asked(client, scanned, "1.1")
    assert results[2] == {"id": "f" * 16, "error": {"status": 404, "detail": f"No entry has the id {'f' * 16}."}}


def test_an_environment_is_asked_for_the_package_of_each(client, scanned, put):
    package = {"schema_version": "1.0", "name": "x/repo", "package": "pkg:pypi/Some.Thing"}
    put(package, kind="repositories")
    put(entry(1, repository="x/repo", source={"path": "b.py", "line": 3, "release": "v2"}))
    put(entry(2, repository="y/z"))
    freeze = "N==1.1\nsome-thing==2.0\n-e git+https://example.org/y/z@main#egg=other\n"
    ids = [scanned, f"{1:016x}", f"{2:016x}"]
    told = [(one["release"], one["answer"], one["reason"]) for one in posted(client, {"ids": ids, "freeze": freeze})]
    assert told == [
        ("1.1", "yes", "v1.1 has it."),
        ("2.0", "yes", "Its document says that v2 has it; we have not read it."),
        (None, "unknown", "The list states no version of z."),
    ]


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({}, "ids"),
        ({"ids": [], "release": "1"}, "ids"),
        ({"ids": "x", "release": "1"}, "ids"),
        ({"ids": ["xyz"], "release": "1"}, "ids"),
        ({"ids": [1], "release": "1"}, "ids"),
        ({"ids": ["0" * 16] * (MAX_IDS + 1), "release": "1"}, "ids"),
        ({"ids": ["0" * 16]}, "release"),
        ({"ids": ["0" * 16], "release": "1", "freeze": "a==1"}, "release"),
        ({"ids": ["0" * 16], "release": ""}, "release"),
        ({"ids": ["0" * 16], "release": "1" * 301}, "release"),
        ({"ids": ["0" * 16], "freeze": 7}, "freeze"),
        ({"ids": ["0" * 16], "release": "1", "more": 1}, "more"),
        ([], "body"),
    ],
)
def test_says_what_is_wrong_with_a_body(client, body, parameter):
    response = client.post("/api/affected", json.dumps(body), content_type="application/json")
    assert problem(response, 422, "wrong-parameters")["errors"][0]["parameter"] == parameter


def test_bodies_have_a_type_and_a_bound(client):
    problem(client.post("/api/affected", "x", content_type="text/plain"), 415, "unsupported-media-type")
    problem(client.post("/api/affected", "{", content_type="application/json"), 400, "bad-request")
    problem(client.post("/api/affected", " " * (MAX_BYTES + 1), content_type="application/json"), 413, "too-large")


@pytest.mark.parametrize("count", [3, 30])
def test_the_number_of_queries_does_not_grow(client, put, count, django_assert_num_queries):
    sites = {n: {"path": "b.py", "line": n, "symbol": f"f{n}"} for n in range(2, count)}
    put(*(entry(n, message=f"bad {n}", exception_type="ValueError", source=site) for n, site in sites.items()))
    for release in ("v1", "v2"):
        store(release, *(throw(f"bad {n}", n, "b.py", f"f{n}") for n in range(2, count)))
    ids = [f"{n:016x}" for n in range(2, count)]
    with django_assert_num_queries(5):
        results = posted(client, {"ids": ids, "release": "1"})
    assert {one["answer"] for one in results} == {"yes"}
    assert [one["source"]["line"] for one in results] == [*range(2, count)]
