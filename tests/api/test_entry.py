"""`/api/errors/<id>`: the promise to tools."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.http import http_date

from errorkb.api.shapes.entries import ServedEntry
from errorkb.models import ErrorEntry
from tests.api.conftest import ENTRY, LOADED_AT, entry, leaves, problem, sample

ADDRESS = f"/api/errors/{ENTRY}"
PAGE = f"https://errors.example/errors/{ENTRY}/"


def body_of(client, address: str = ADDRESS) -> dict:
    response = client.get(address)
    assert response.status_code == 200, response.content
    return json.loads(response.content)


def etag_of(client) -> str:
    return client.get(ADDRESS)["ETag"]


def test_has_every_leaf_of_the_document_verbatim(client, seed):
    served = leaves(body_of(client))
    assert {path: served.get(path) for path in leaves(seed)} == leaves(seed)


def test_keeps_the_keys_of_the_document_in_order_before_what_it_adds(client, seed):
    assert list(body_of(client)) == [*seed, "computed", "html_url", "modified"]


def test_adds_what_follows_from_the_base(client, seed):
    body = body_of(client)
    assert body["html_url"] == PAGE
    assert body["modified"] == "2026-09-01T12:00:00+00:00"
    assert body["computed"]["title"] == f"NotImplementedError: {seed['message']}"
    assert body["computed"]["standing"] == {
        "explained": True,
        "reviewed": False,
        "removed": False,
        "stale": False,
        "state": "published",
    }
    assert body["computed"]["pull_requests"] == [
        {
            "number": 33523,
            "repository": "sgl-project/sglang",
            "role": "introduced",
            "title": None,
            "merged_at": None,
            "html_url": "https://errors.example/r/sgl-project/sglang/pulls/33523/",
            "url": "https://github.com/sgl-project/sglang/pull/33523",
            "has_report": False,
            "named_by": "document",
            "confirmed": False,
            "commit": None,
            "committed_at": None,
            "since": None,
            "until": None,
            "evidence": [],
        }
    ]
    assert [link["id"] for link in body["computed"]["related"]] == [None] * 5
    assert body["computed"]["wordings"] == [
        {"template": seed["message"], "message": seed["message"], "from": None, "until": None, "current": True}
    ]
    assert "code_changes" not in body["computed"]


def test_has_the_shape_that_openapi_describes(client, seed, report):
    ServedEntry.model_validate_json(client.get(ADDRESS).content)


def test_adds_the_id_to_a_document_that_has_none(client, put):
    put({"schema_version": "1.0", "repository": "o/n", "message": "bad"})
    minted = ErrorEntry.objects.get().public_id
    assert body_of(client, f"/api/errors/{minted}")["id"] == minted


def test_writes_letters_of_any_script_as_they_are(client, put):
    put(entry(meaning="接口漂移 — ‮x"))
    content = client.get(f"/api/errors/{0:016x}").content
    assert "接口漂移 — ‮x".encode() in content


def test_has_the_headers_of_a_document_that_caches_may_keep(client, seed):
    response = client.get(ADDRESS)
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert response["Last-Modified"] == "Tue, 01 Sep 2026 12:00:00 GMT"
    assert response["Content-Length"] == str(len(response.content))
    assert response["Link"] == (
        f'<{PAGE}>; rel="alternate"; type="text/html", '
        '<https://errors.example/api/schemas/entry.json>; rel="describedby"; type="application/schema+json"'
    )
    assert "Vary" not in response
    assert not response.cookies


def test_is_open_to_pages_of_other_sites_and_as_safe_as_any_page(client, seed):
    response = client.get(ADDRESS, headers={"origin": "https://elsewhere.example"})
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Access-Control-Expose-Headers"] == "ETag, Last-Modified, Link"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert "default-src 'none'" in response["Content-Security-Policy"]


def test_head_has_the_headers_of_get_and_no_body(client, seed):
    got, headed = client.get(ADDRESS), client.head(ADDRESS)
    assert headed.status_code == 200
    assert headed.content == b""
    assert dict(headed.items()) == dict(got.items())


def test_the_address_of_the_page_plus_json_answers_the_same(client, seed):
    api, page = client.get(ADDRESS), client.get(f"/errors/{ENTRY}.json")
    assert page.status_code == 200
    assert page.content == api.content
    assert dict(page.items()) == dict(api.items())


@pytest.mark.parametrize(
    ("asked", "one_form"),
    [
        (f"/api/errors/{ENTRY.upper()}", ADDRESS),
        ("/api/errors/00000000000000aa", ADDRESS),
        ("/api/errors/00000000000000AA?a=%20b&c", f"{ADDRESS}?a=%20b&c"),
        (f"/api/errors/{ENTRY}/", ADDRESS),
        (f"/api/errors/{ENTRY}//?a=b", f"{ADDRESS}?a=b"),
        (f"/errors/{ENTRY.upper()}.json", f"/errors/{ENTRY}.json"),
        ("/errors/00000000000000aa.json?a", f"/errors/{ENTRY}.json?a"),
    ],
)
@pytest.mark.parametrize("method", ["get", "head"])
def test_other_forms_redirect_to_the_one_form(client, put, seed, asked, one_form, method):
    put(seed | {"aliases": ["00000000000000AA"]})
    response = getattr(client, method)(asked)
    assert response.status_code == 301
    assert response["Location"] == one_form
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"


@pytest.mark.parametrize(
    "identifier",
    [
        "0000000000000001",
        "x",
        "0a4a184d34e9a38",
        "0a4a184d34e9a38f0",
        "0a4a184d34e9a38g",
        "%00",
        "0a4a184d34e9a38%00",
        "0a4a184d34e9a38f%0A",
        "%0A0a4a184d34e9a38f",
        "%D9%A0a4a184d34e9a38f",
        "%EF%BC%90a4a184d34e9a38f",
        "%FF%FE",
        "%ED%A0%80",
        "..%2F..%2Fetc",
        "<script>",
        "a" * 10_240,
        "%E2%80%AE" * 1_000,
    ],
)
@pytest.mark.django_db
def test_an_id_that_leads_nowhere_is_a_problem(client, seed, identifier):
    response = client.get(f"/api/errors/{identifier}")
    assert response.status_code == 404
    body = json.loads(response.content)
    assert body["type"].rpartition("#")[2] in ("unknown-entry", "unknown-address")
    assert len(body["detail"]) < 200


def test_a_problem_says_where_it_happened(client, db):
    body = problem(client.get("/api/errors/nothing%20here?q=1"), 404, "unknown-entry")
    assert body["detail"] == 'Expected an id of 16 hex digits, found "nothing here".'
    assert body["instance"] == "/api/errors/nothing%20here"
    assert "ETag" not in client.get("/api/errors/nothing")


def test_head_of_a_problem_has_no_body(client, db):
    response = client.head("/api/errors/nothing")
    assert (response.status_code, response.content) == (404, b"")
    assert response["Content-Type"] == "application/problem+json"
    assert int(response["Content-Length"]) > 0


@pytest.mark.parametrize("state", ["draft", "in_review"])
def test_entries_that_are_not_public_are_unknown_to_everybody(admin_client, put, state):
    put(entry(state=state, aliases=["00000000000000AA"]))
    for identifier in ("0000000000000000", "00000000000000aa", "00000000000000AA"):
        problem(admin_client.get(f"/api/errors/{identifier}"), 404, "unknown-entry")


def test_a_withdrawn_entry_answers_and_says_so(client, put):
    put(entry(state="withdrawn", withdrawn={"reason": "not an error"}))
    body = body_of(client, f"/api/errors/{0:016x}")
    assert (body["state"], body["computed"]["standing"]["state"]) == ("withdrawn", "withdrawn")
    assert body["withdrawn"] == {"reason": "not an error"}


def test_a_client_with_the_newest_answer_is_told_so(client, seed):
    whole = client.get(ADDRESS)
    for given in ({"if-none-match": f'"x", W/{whole["ETag"]}'}, {"if-modified-since": whole["Last-Modified"]}):
        response = client.get(ADDRESS, headers=given)
        assert (response.status_code, response.content) == (304, b"")
        for name in ("ETag", "Last-Modified", "Cache-Control", "Content-Length", "Access-Control-Allow-Origin"):
            assert response[name] == whole[name]
        assert "Content-Type" not in response
        assert client.head(ADDRESS, headers=given).status_code == 304


def test_the_tag_comes_before_the_date(client, seed):
    response = client.get(
        ADDRESS, headers={"if-none-match": '"x"', "if-modified-since": "Tue, 01 Sep 2026 12:00:00 GMT"}
    )
    assert response.status_code == 200


def test_a_condition_that_does_not_hold_is_a_problem(client, seed):
    problem(client.get(ADDRESS, headers={"if-match": '"x"'}), 412, "precondition-failed")
    assert client.get(ADDRESS, headers={"if-match": etag_of(client)}).status_code == 200


def test_the_tag_stays_while_nothing_changes(client, put, seed):
    tag = etag_of(client)
    put(seed, at=LOADED_AT + timedelta(days=1))
    put(entry(), at=LOADED_AT + timedelta(days=1))
    assert etag_of(client) == tag
    # Any entry that comes may be related, so that the date is that of the last write to anything.
    assert client.get(ADDRESS)["Last-Modified"] == "Wed, 02 Sep 2026 12:00:00 GMT"


def related_entry() -> dict:
    message = "NPU packed attention does not support a sequence that is empty"
    return entry(1, message=message, repository="sgl-project/sglang")


CHANGES = {
    "the entry": lambda put, seed, at: put(seed | {"meaning": "another"}, at=at),
    "an alias": lambda put, seed, at: put(seed | {"aliases": ["00000000000000AA"]}, at=at),
    "a related entry": lambda put, seed, at: put(related_entry(), at=at),
    "a pull request": lambda put, seed, at: put(sample("pull-request-33523.json"), kind="pull_requests", at=at),
    "the repository": lambda put, seed, at: put(
        {"schema_version": "1.0", "name": "sgl-project/sglang", "url": "https://git.example/x/y", "forge": "gitea"},
        kind="repositories",
        at=at,
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_tag_and_date_change_with_all_that_the_answer_shows(client, put, seed, change):
    before = client.get(ADDRESS)
    change(put, seed, LOADED_AT + timedelta(minutes=5))
    after = client.get(ADDRESS)
    assert after["ETag"] != before["ETag"]
    assert after["Last-Modified"] == "Tue, 01 Sep 2026 12:05:00 GMT"
    for given in ({"if-none-match": before["ETag"]}, {"if-modified-since": before["Last-Modified"]}):
        assert client.get(ADDRESS, headers=given).status_code == 200


def test_the_date_follows_repositories_that_the_entry_only_names(client, put):
    put(
        entry(
            related=[{"title": "an error of another house", "repository": "Other/House"}, {"id": "00000000000000bb"}],
            pull_requests=[{"number": 7, "repository": "third/house"}],
        )
    )
    first, second, third = (LOADED_AT + timedelta(minutes=n) for n in (1, 2, 3))
    address = f"/api/errors/{0:016x}"

    put(entry(2, message="an error of another house", repository="other/house"), at=first)
    assert client.get(address)["Last-Modified"] == http_date(first.timestamp())
    put({"schema_version": "1.0", "repository": "third/house", "number": 7}, kind="pull_requests", at=second)
    assert client.get(address)["Last-Modified"] == http_date(second.timestamp())
    put(entry(0xBB, repository="fourth/house"), at=third)
    assert client.get(address)["Last-Modified"] == http_date(third.timestamp())
    put(entry(0xBB, repository="fourth/house", state="draft"), at=third + timedelta(minutes=1), force=True)
    assert client.get(address)["Last-Modified"] == http_date(third.timestamp() + 60)


def test_within_the_second_of_a_change_a_date_is_never_taken_for_proof(client, put):
    now = timezone.now()
    put(entry(), at=now)
    address = f"/api/errors/{0:016x}"
    response = client.get(address)
    if response["Last-Modified"] == http_date(int(now.timestamp()) - 1):
        put(entry(meaning="changed in the same second"), at=now)
        assert client.get(address, headers={"if-modified-since": response["Last-Modified"]}).status_code == 200


@pytest.mark.parametrize("count", [1, 40])
def test_asks_the_base_equally_often_however_much_an_entry_names(client, put, count, django_assert_num_queries):
    names = [{"number": n + 1, "repository": f"o/n{n}", "role": "mentioned"} for n in range(count)]
    related = [{"title": f"message number {n}", "repository": f"o/n{n}"} for n in range(count)]
    related += [{"id": f"{n + 1:016x}"} for n in range(count)]
    put(entry(pull_requests=names, related=related, aliases=[f"{n + 0xAA:016x}" for n in range(count)]))
    with django_assert_num_queries(18):
        body_of(client, f"/api/errors/{0:016x}")
