"""The results page: what was found and why, or honestly nothing."""

from dataclasses import replace
from urllib.parse import quote, urlencode

import pytest

from errorkb.core.queries import parse_query
from errorkb.search.searching import search
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
    with django_assert_num_queries(6):
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


def chips(page) -> dict[str, str]:
    return {link.text: link.attributes["href"] for link in page.all("a", class_="chip")}


def test_filters_in_use_can_be_taken_away(read, put):
    put(entry("same one"))
    page = read(f"{ADDRESS}?q=" + quote('same type:ValueError -repo:"a b" sort:path is:pretty'))
    assert chips(page) == {
        "Take away type:ValueError": "/errors/?q=same+-repo%3A%22a+b%22+sort%3Apath+is%3Apretty",
        'Take away -repo:"a b"': "/errors/?q=same+type%3AValueError+sort%3Apath+is%3Apretty",
    }


def test_counts_the_values_to_filter_by(read, put):
    put(
        entry("same one", source={"path": "src/db/a.py"}),
        entry("same two", exception_type="x.y.KeyError", source={"path": "src/db/b.py", "language": "Python"}),
        entry(
            "same three", repository="o/m", exception_type="KeyError", source={"path": "src/web/c.py"}, meaning="Yes."
        ),
        entry("same four", repository="o/m", kind="warning", exception_type=""),
    )
    put({"schema_version": "1.0", "repository": "o/n", "number": 5, "title": "same five"}, kind="pull_requests")
    page = read(f"{ADDRESS}?q=same")
    narrow = page.one("details", class_="narrow")
    assert "open" not in narrow.attributes
    assert " ".join(narrow.text.split()) == (
        "Narrow down Repository o/n 3 o/m 2 Type KeyError 2 ValueError 1 Kind error 3 pull request 1 warning 1 "
        "Language python 1 Module src 3 src/db 2 src/web 1 Standing facts only 3 explained 1"
    )
    assert page.links["o/m"] == "/errors/?q=same+repo%3Ao%2Fm"
    for name, count in (("o/m", 2), ("KeyError", 2), ("pull request", 1), ("src", 3), ("src/db", 2), ("facts only", 3)):
        assert len(read(page.links[name]).all("p", class_="where")) == count


def test_offers_nothing_that_would_change_nothing(read, put):
    put(entry("same one"), entry("same two", exception_type="KeyError"))
    text = " ".join(read(f"{ADDRESS}?q=same").one("details", class_="narrow").text.split())
    assert text == "Narrow down Type KeyError 1 ValueError 1"
    assert read(f"{ADDRESS}?q=same+type:KeyError").all("details", class_="narrow") == []


def test_offers_other_orders(read, put):
    put(entry("same one", source={"path": "b.py"}), entry("same two", source={"path": "a.py"}))
    page = read(f"{ADDRESS}?q=same+sort:path")
    assert found(page) == ["ValueError: same two", "ValueError: same one"]
    assert [page.links[name] for name in ("relevance", "newest")] == [
        "/errors/?q=same",
        "/errors/?q=same+sort%3Anewest",
    ]
    assert page.one("a", aria_current="true").text == "path"
    assert read(f"{ADDRESS}?q=same+one").all("nav", class_="orders") == []


def test_goes_on_behind_the_thousandth_by_cursor(read, client, put, monkeypatch):
    monkeypatch.setattr("errorkb.search.windows.MOST_CANDIDATES", 20)
    monkeypatch.setattr("errorkb.search.candidates.MOST_CANDIDATES", 20)
    put(*(entry(f"words {n}", source=site(n + 1)) for n in range(45)))
    address, titles = f"{ADDRESS}?q=kind:error", []
    while address:
        page = read(address)
        titles += found(page)
        (address,) = [link.attributes["href"] for link in page.all("a", rel="next")] or [""]
    assert len(titles) == len(set(titles)) == 45
    assert "Results 41 to 45" in page.text
    assert client.get(ADDRESS, {"q": "kind:error", "cursor": "x"}).status_code == 404


@pytest.mark.parametrize("text", ["Traceback:\nKeyError: 'x'", "one\r\ntwo", "\n\na\n\nb\n"])
def test_leads_several_lines_to_match(client, db, text):
    response = client.get(ADDRESS, {"q": text})
    assert (response.status_code, response["Location"]) == (302, f"/match/?{urlencode({'q': text})}")


def test_one_line_between_blank_ones_is_searched_for(client, db):
    assert client.get(ADDRESS, {"q": "\n one two \n"}).status_code == 200


def test_shows_the_error_that_a_pasted_line_is_the_message_of(read, put):
    put(entry("the flux capacitor of %s is gone for good", id=X, placeholders="percent"), entry("another flux"))
    page = read(f"{ADDRESS}?q=" + quote("ValueError: the flux capacitor of DMC-12 is gone for good"))
    shown = page.one("div", class_="matched")
    assert "The text is the message of this error: ValueError: the flux capacitor of %s is gone for good" in " ".join(
        shown.text.split()
    )
    assert page.links["ValueError: the flux capacitor of %s is gone for good"] == f"/errors/{X}/"


def test_says_what_it_took_a_word_for(read, put, monkeypatch):
    put(entry("same one"))

    def corrected(query, **options):
        return replace(search(parse_query("same"), **options), query=query, corrections=(("smae", "same"),))

    monkeypatch.setattr("errorkb.web.pages.searches.page.search", corrected)
    page = read(f"{ADDRESS}?q=Smae+-smaeX")
    assert page.one("p", class_="correction").text == (
        "Showing results for same -smaeX. Search instead for Smae -smaeX."
    )
    assert page.links["Smae -smaeX"] == "/errors/?q=Smae+-smaeX&exact=1"


def test_searches_for_the_very_words_where_that_is_asked_for(read, put, monkeypatch):
    put(*(entry(f"same words {n}", source=site(n + 1)) for n in range(25)))
    asked = []
    monkeypatch.setattr(
        "errorkb.web.pages.searches.page.search",
        lambda query, **options: asked.append(options["exact"]) or search(query, **options),
    )
    page = read(f"{ADDRESS}?q=same&exact=1")
    assert asked == [True]
    assert page.one("a", rel="next").attributes["href"] == "/errors/?q=same&exact=1&page=2"


def test_describes_its_language_on_a_page(read, db):
    page = read("/help/search/")
    assert page.one("h1").text == "Searching"
    for anchor in ("words", "phrases-and-exclusions", "filters", "order"):
        assert page.by_id(anchor).tag == "section"
    assert "release:v0.5.18" in page.text
    assert read(ADDRESS).links["All about searching"] == "/help/search/"
