"""The results page: what was found and why, or honestly nothing."""

from urllib.parse import quote, urlencode

import pytest

from tests.builders import entry, site
from tests.web.conftest import sample

X, Y = "aaaaaaaaaaaaaaa1", "bbbbbbbbbbbbbbb2"
ADDRESS = "/errors/"


def found(page) -> list[str]:
    return [" ".join(heading.text.split()) for heading in page.all("h2")]


def test_finds_the_entry_and_the_pull_request_of_the_seed(read, seed):
    page = read(f"{ADDRESS}?q=HiSparse")
    assert sorted(found(page)) == sorted(
        [f"NotImplementedError: {seed['message']}", sample("pull-request-33523.json")["title"]]
    )
    assert "2 results" in page.one("h1").text
    assert "sgl-project/sglang python/sglang/srt/disaggregation/ascend/conn.py:136 explained, not reviewed" in page.text
    assert "pull request sgl-project/sglang #33523 merged 2026-08-05 09:54 (zone not stated)" in page.text


def test_marks_what_was_found(read, seed):
    marks = {mark.text for mark in read(f"{ADDRESS}?q=HiSparse").all("mark")}
    assert marks == {"HiSparse"}


def test_keeps_the_query_in_the_box(read, db):
    query = '<script> "x'
    assert read(f"{ADDRESS}?q=%3Cscript%3E%20%22x").one("input").attributes["value"] == query


@pytest.mark.parametrize("query", [X, X.upper(), Y, f" {X} "])
def test_leads_an_id_to_its_entry(client, put, query):
    put(entry(id=X, aliases=[Y]))
    response = client.get(ADDRESS, {"q": query})
    assert (response.status_code, response.headers["Location"]) == (302, f"/errors/{X}/")


def test_does_not_lead_to_a_draft(client, put):
    put(entry(id=X, state="draft"))
    assert client.get(ADDRESS, {"q": X}).status_code == 200


def test_lists_everything_where_nothing_is_asked(read, put):
    put(entry("one", source=site(1)), entry("two", source=site(2)), entry("hidden", state="draft", source=site(3)))
    page = read(ADDRESS)
    assert sorted(found(page)) == ["ValueError: one", "ValueError: two"]
    assert page.one("link", rel="canonical").attributes["href"] == "http://127.0.0.1:8000/errors/"


def test_lists_warnings_and_logged_messages_on_request_only(read, put):
    kinds = ("error", "assertion", "warning", "log")
    put(*(entry(f"same {kind}", kind=kind, source=site(n + 1)) for n, kind in enumerate(kinds)))
    page = read(ADDRESS)
    assert sorted(found(page)) == ["ValueError: same assertion", "ValueError: same error"]
    assert found(read(page.links["warnings"])) == ["ValueError: same warning"]
    assert found(read(page.links["logged messages"])) == ["ValueError: same log"]
    everything = read(f"{ADDRESS}?q=same")
    assert len(found(everything)) == 4
    assert "Not in this list" not in everything.text


@pytest.mark.parametrize("count", [1, 8])
def test_lists_everything_at_a_constant_number_of_questions(client, put, count, django_assert_num_queries):
    put(*(entry(f"same words {n}", repository=f"o/n{n}") for n in range(count)))
    with django_assert_num_queries(4):
        client.get(ADDRESS)


def test_lists_no_pull_requests_where_nothing_is_asked(read, seed):
    page = read(ADDRESS)
    assert page.one("h1").text == "Errors"
    assert found(page) == [f"NotImplementedError: {seed['message']}"]


def test_says_that_nothing_was_found_and_what_is_covered(read, put):
    put(entry("something else"))
    page = read(f"{ADDRESS}?q=type:ValueError+zzzzunheard")
    assert page.one("h1").text == "Nothing was found"
    assert "Not found anywhere here: zzzzunheard." in page.text
    assert page.links["Search without the filters"] == "/errors/?q=zzzzunheard"
    assert page.links["o/n"] == "/r/o/n/"


def test_explains_what_it_did_not_understand(read, put):
    put(entry("one"))
    notices = [notice.text for notice in read(f"{ADDRESS}?q=is:pretty+one").all("p", class_="notice")]
    assert len(notices) == 1
    assert "is:pretty" in notices[0]


def test_explains_its_filters(read, db):
    text = read(ADDRESS).one("details", class_="help").text
    for name in ("repo:", "type:", "path:", "kind:", "lang:", "code:", "is:"):
        assert name in text


def test_cuts_results_into_pages(read, client, put):
    put(*(entry(f"same words {n}", source=site(n + 1)) for n in range(45)))
    middle = read(f"{ADDRESS}?q=same+words&page=2")
    assert len(found(middle)) == 20
    assert middle.one("ol", class_="hits").attributes["start"] == "21"
    assert middle.one("link", rel="prev").attributes["href"] == "/errors/?q=same+words"
    assert middle.one("link", rel="next").attributes["href"] == "/errors/?q=same+words&page=3"
    assert client.get(ADDRESS, {"q": "same words", "page": "4"}).status_code == 404
    assert client.get(ADDRESS, {"page": "x"}).status_code == 404


@pytest.mark.parametrize("query", ["\x00", "\ud800", "((((", '"', "-", "*" * 5_000, "é" * 3_000, "repo: is: -"])
def test_answers_any_query(client, put, query):
    put(entry("one"))
    assert client.get(ADDRESS, {"q": query.encode("utf-8", "surrogatepass")}).status_code == 200


@pytest.mark.parametrize("count", [1, 8])
def test_asks_the_database_a_constant_number_of_questions(client, put, count, django_assert_max_num_queries):
    put(*(entry(f"same words {n}", repository=f"o/n{n}") for n in range(count)))
    with django_assert_max_num_queries(6):
        client.get(ADDRESS, {"q": "same words"})


def test_says_that_nothing_has_all_of_the_words(read, put):
    put(entry("flux capacitor missing"))
    page = read(f"{ADDRESS}?q=flux+zzzzunheard")
    assert page.one("h1").text == "Nothing here has all of these words"
    assert page.one("h2", id="near").text == "These share only some of the words"
    assert "Not found anywhere here: zzzzunheard." in page.text
    assert found(page)[1:] == ["ValueError: flux capacitor missing"]


@pytest.mark.parametrize(
    ("query", "heading", "near"),
    [
        ("ZeroDivisionError: division by zero", "We don\u2019t know this error", 0),
        ("ValueError: flux in zzzzunheard", "We don\u2019t know this error", 1),
        ("the flux is gone from zzzzunheard", "We don\u2019t know this error", 1),
        ("zzzzunheard", "Nothing was found", 0),
        ("flux zzzzunheard", "Nothing here has all of these words", 1),
    ],
)
def test_says_that_an_error_is_unknown(read, put, query, heading, near):
    put(entry("flux capacitor gone", analysis={"method": "ai-assisted"}))
    page = read(f"{ADDRESS}?q={quote(query)}")
    assert page.one("h1").text == heading
    assert len(page.all("h2", id="near")) == near
    assert len(page.all("p", class_="where")) == near


def test_says_where_it_was_found_in_plain_words(read, put, seed):
    put(entry("one", common_situations="- Under `gunicorn`, **always**"))
    page = read(f"{ADDRESS}?q=gunicorn")
    assert page.one("p", class_="found").text == "common situations Under gunicorn, always"
    assert "risk flags" in read(f"{ADDRESS}?q=" + quote("接口漂移")).one("p", class_="found").text


@pytest.mark.parametrize(
    "query",
    [
        f"http://127.0.0.1:8000/errors/{X}/",
        f"https://other.example/errors/{X.upper()}",
        f"other.example/errors/{Y}/#meaning",
        f"https://other.example/api/errors/{X}",
        f" /errors/{X}/?q=1 ",
    ],
)
def test_leads_the_address_of_an_entry_to_it(client, put, query):
    put(entry(id=X, aliases=[Y]))
    response = client.get(ADDRESS, {"q": query})
    assert (response.status_code, response.headers["Location"]) == (302, f"/errors/{X}/")


@pytest.mark.parametrize(
    "query", [f"https://other.example/{X}/", f"see /errors/{X}/", f"/errors/{X}/x", f"/errors/{X[1:]}"]
)
def test_other_addresses_are_words(client, put, query):
    put(entry(id=X, aliases=[Y]))
    assert client.get(ADDRESS, {"q": query}).status_code == 200


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("KeyError: 'x'", "/match/?q=KeyError%3A+%27x%27"),
        ("one two three four five", "/match/?q=one+two+three+four+five"),
        ("HiSparse", None),
        ("repo:n KeyError: x", None),
    ],
)
def test_offers_to_match_what_looks_like_an_error(read, db, query, address):
    page = read(f"/errors/?{urlencode({'q': query})}")
    assert page.links.get("Match it") == address
