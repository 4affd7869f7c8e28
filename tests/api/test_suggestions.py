"""`/api/suggest`: what the search box suggests, for editors too."""

import json

import pytest

from errorkb.api.shapes.searches import SuggestionAnswer
from tests.api.conftest import ENTRY, entry, problem

ADDRESS = "/api/suggest"


def answered(client, **parameters) -> dict:
    response = client.get(ADDRESS, parameters)
    assert response.status_code == 200, response.content
    SuggestionAnswer.model_validate_json(response.content)
    return json.loads(response.content)


def test_suggests_a_type_as_a_filter(client, seed):
    assert answered(client, q="HiSparse NotImpl") == {
        "query": "HiSparse NotImpl",
        "suggestions": [
            {
                "kind": "type",
                "text": "NotImplementedError",
                "query": "HiSparse type:NotImplementedError",
                "html_url": "https://errors.example/errors/?q=HiSparse+type%3ANotImplementedError",
            }
        ],
    }


def test_suggests_a_title_with_its_page(client, seed):
    (found,) = answered(client, q=seed["message"][:20])["suggestions"]
    assert (found["kind"], found["html_url"]) == ("title", f"https://errors.example/errors/{ENTRY}/")


def test_a_long_title_is_cut(client, put):
    put(entry(1, message="long " * 100))
    (found,) = answered(client, q="long long")["suggestions"]
    assert len(found["text"]) == 300


def test_is_kept_by_the_one_who_asked_alone(client, seed):
    response = client.get(ADDRESS, {"q": "NotImpl"})
    assert response["Cache-Control"] == "private, max-age=60"
    assert client.get(ADDRESS, {"q": "NotImpl"}, headers={"if-none-match": response["ETag"]}).status_code == 304


@pytest.mark.parametrize("parameters", [{"limit": "21"}, {"limit": "0"}, {"query": "x"}])
def test_says_which_parameter_is_wrong(client, db, parameters):
    body = problem(client.get(ADDRESS, {"q": "x"} | parameters), 422, "wrong-parameters")
    assert body["errors"][0]["parameter"] in parameters


@pytest.mark.parametrize(
    "query", ["a" * 1_000_000, "\x00", "* OR NEAR(", "'; --", "%", "😀😀", '"type:"', "type:" * 50]
)
def test_a_hostile_text_is_answered(client, seed, query):
    assert len(answered(client, q=query)["query"]) <= 200
