"""`/api/search`: the results of the search page, for tools."""

import json
from dataclasses import replace

import pytest

from errorkb.api.shapes.searches import SearchAnswer
from errorkb.core.queries import parse_query
from errorkb.search.searching import search
from tests.api.conftest import ENTRY, entry, problem

ADDRESS = "/api/search"


def answered(client, **parameters) -> dict:
    response = client.get(ADDRESS, parameters)
    assert response.status_code == 200, response.content
    SearchAnswer.model_validate_json(response.content)
    return json.loads(response.content)


@pytest.mark.parametrize(
    "query", ["HiSparse", "dst_device_kv_indices", "接口漂移", "kind:pull_request npu", "nothing at all"]
)
def test_finds_what_the_search_page_finds(client, seed, report, query):
    expected = [result.subject.get_absolute_url() for result in search(parse_query(query)).results]
    found = [hit["html_url"] for hit in answered(client, q=query)["results"]]
    assert found == [f"https://errors.example{address}" for address in expected]


def test_an_entry_is_found_with_its_excerpt(client, seed):
    (hit,) = answered(client, q="HiSparse")["results"]
    assert (hit["type"], hit["id"], hit["line"]) == ("entry", ENTRY, 136)
    assert hit["title"] == f"NotImplementedError: {seed['message']}"
    assert hit["url"] == f"https://errors.example/api/errors/{ENTRY}"
    assert hit["excerpt"]["field"] == "meaning"
    assert "".join(piece["text"] for piece in hit["excerpt"]["fragments"]) == hit["excerpt"]["text"]
    assert {piece["text"] for piece in hit["excerpt"]["fragments"] if piece["hit"]} == {"HiSparse"}


def test_a_pull_request_is_found_with_its_address(client, report):
    (hit,) = answered(client, q="接口漂移")["results"]
    assert (hit["type"], hit["repository"], hit["number"]) == ("pull_request", "sgl-project/sglang", 33523)
    assert hit["title"] == report["title"]
    assert hit["merged_at"] == "2026-08-05T09:54"
    assert client.get(hit["url"].removeprefix("https://errors.example")).status_code == 200


def test_says_what_was_not_understood(client, seed):
    body = answered(client, q="HiSparse kind:banana")
    assert body["problems"] and "banana" in body["problems"][0]


def test_names_the_entry_whose_id_was_asked_for(client, put):
    put(entry(1, aliases=["00000000000000AA"], state="withdrawn"))
    assert answered(client, q="00000000000000aa")["named"]["id"] == f"{1:016x}"
    assert answered(client, q="00000000000000bb")["named"] is None


def test_a_draft_is_neither_found_nor_named(client, put):
    put(entry(1, state="draft", meaning="secret words"))
    body = answered(client, q=f"{1:016x}")
    assert (body["named"], body["results"]) == (None, [])
    assert answered(client, q="secret")["results"] == []


def test_pages_lead_to_each_other(client, put):
    put(*(entry(n, meaning="the same words") for n in range(5)))
    first = answered(client, q="same words", limit=2)
    assert (first["total"], first["page"], first["pages"], len(first["results"])) == (5, 1, 3, 2)
    seen = [hit["id"] for hit in first["results"]]
    address = first["next"]
    while address:
        body = json.loads(client.get(address.removeprefix("https://errors.example")).content)
        seen += [hit["id"] for hit in body["results"]]
        address = body["next"]
    assert sorted(seen) == [f"{n:016x}" for n in range(5)]


@pytest.mark.parametrize(
    ("parameters", "parameter"),
    [
        ({"page": "0"}, "page"),
        ({"page": "2"}, "page"),
        ({"page": "9" * 400}, "page"),
        ({"limit": "101"}, "limit"),
        ({"query": "x"}, "query"),
        ({"cursor": "x"}, "cursor"),
    ],
)
def test_says_which_parameter_is_wrong(client, seed, parameters, parameter):
    body = problem(client.get(ADDRESS, {"q": "HiSparse"} | parameters), 422, "wrong-parameters")
    assert body["errors"][0]["parameter"] == parameter


@pytest.mark.parametrize(
    "query",
    [
        "a" * 1_000_000,
        "a " * 500_000,
        '"' * 100_000,
        "\x00",
        "\ud7ff\x01\x7f",
        "* OR NEAR(",
        "repo:" * 10_000,
        "'; --",
        "%",
    ],
)
def test_a_hostile_query_is_answered(client, seed, query):
    body = answered(client, q=query)
    assert len(body["query"]) <= 2_000


def test_the_tag_changes_with_what_is_found(client, put):
    put(entry(1, meaning="some words"))
    before = client.get(ADDRESS, {"q": "words"})
    assert client.get(ADDRESS, {"q": "words"}, headers={"if-none-match": before["ETag"]}).status_code == 304
    put(entry(2, meaning="more words"))
    assert client.get(ADDRESS, {"q": "words"}, headers={"if-none-match": before["ETag"]}).status_code == 200


@pytest.mark.parametrize("count", [2, 30])
def test_the_number_of_queries_does_not_grow_with_results(client, put, count, django_assert_max_num_queries):
    put(*(entry(n, meaning="some words", repository=f"o/n{n}") for n in range(count)))
    with django_assert_max_num_queries(8):
        assert len(answered(client, q="words", limit=100)["results"]) == count


def test_cursors_lead_on_while_entries_come(client, put):
    put(*(entry(n, meaning="the same words") for n in range(5)))
    first = answered(client, q="same words sort:oldest", limit=2)
    put(entry(9, meaning="the same words"))
    second = answered(client, q="same words sort:oldest", limit=2, cursor=first["next_cursor"])
    assert first["next"].endswith("&limit=2&cursor=" + first["next_cursor"].replace("=", "%3D").replace(":", "%3A"))
    assert [hit["id"] for hit in (*first["results"], *second["results"])] == [f"{n:016x}" for n in range(4)]
    assert (second["page"], second["pages"], second["total"]) == (2, 3, 6)


def test_a_cursor_of_another_query_is_refused(client, put):
    put(*(entry(n, meaning="the same words") for n in range(3)))
    cursor = answered(client, q="same", limit=2)["next_cursor"]
    body = problem(client.get(ADDRESS, {"q": "words", "cursor": cursor}), 422, "wrong-parameters")
    assert body["errors"][0]["parameter"] == "cursor"


def test_says_what_results_can_be_narrowed_by(client, put):
    put(entry(1, kind="warning"), entry(2), entry(3))
    assert answered(client)["facets"] is None
    facets = {facet["filter"]: facet for facet in answered(client, facets="true")["facets"]}
    assert facets["kind"] == {
        "filter": "kind",
        "values": [{"value": "error", "count": 2}, {"value": "warning", "count": 1}],
        "others": 0,
    }


def test_says_what_it_took_a_word_for(client, seed, monkeypatch):
    asked = []

    def corrected(query, **options):
        asked.append(options["exact"])
        return replace(search(query, **options), corrections=(("Hisprase", "hisparse"),))

    monkeypatch.setattr("errorkb.api.searches.search", corrected)
    assert answered(client, q="Hisprase")["corrections"] == [{"typed": "Hisprase", "used": "hisparse"}]
    answered(client, q="Hisprase", exact="1")
    assert asked == [False, True]


@pytest.mark.parametrize(
    ("query", "address"),
    [("HiSparse", None), ("KeyError: 'x'", "https://errors.example/api/match?q=KeyError%3A+%27x%27")],
)
def test_leads_what_looks_like_an_error_to_match(client, db, query, address):
    assert answered(client, q=query)["match"] == address
