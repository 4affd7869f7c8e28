"""Two releases compared: release notes for errors."""

import pytest

from errorkb.models import ErrorEntry, Scan
from errorkb.web.pages.repositories import comparison_page
from tests.builders import entry
from tests.releases import store_releases
from tests.scans import store, throw
from tests.web.reading import Page

pytestmark = pytest.mark.django_db

ADDRESS = "/r/o/n/compare/"
BOTH = f"{ADDRESS}?from=v1.0&to=v2.0"


@pytest.fixture
def scanned() -> None:
    store_releases()


def sections(page: Page) -> list[str]:
    """Return kind and count of each section."""
    return [" ".join(head.text.split()) for head in page.all("h2")]


def items(page: Page) -> list[str]:
    body = page.one("article").text
    return [line for line in (" ".join(line.split()) for line in body.split("\n")) if " in " in line and ".py:" in line]


def test_tells_by_kind_and_module_what_changed(read, scanned):
    page = read(BOTH)
    assert page.one("h1").text == "Errors from v1.0 to v2.0"
    assert sections(page) == ["Added 1", "Reworded 2", "Moved 1", "Removed 1"]
    assert [head.text for head in page.all("h3")] == ["src/b", "src/a", "src/c", "src/b"]
    assert items(page) == [
        "src/b/two.py:3 in m",
        "src/a/one.py:12 in f",
        "src/a/one.py:20 in g",
        "src/c/three.py:30 in h, before at src/a/one.py:30 in h",
        "src/b/two.py:40 in k",
    ]
    assert [mark.text for mark in page.all("mark")] == ["value ", " indeed"]
    assert page.links["ValueError: it comes"] == ErrorEntry.objects.get(symbol="m").get_absolute_url()


def test_leads_to_each_kind_and_module(read, scanned):
    page = read(BOTH)
    assert page.links["2 reworded"] == f"{BOTH}&kind=reworded"
    assert sections(read(f"{BOTH}&kind=reworded")) == ["Reworded 2"]
    inside = read(page.links["src/c"])
    assert sections(inside) == ["Moved 1"]
    assert inside.links["all modules"] == BOTH
    assert sections(read(f"{BOTH}&module=src")) == sections(page)
    assert "Nothing changed in this module" in read(f"{BOTH}&module=sr").text


def test_says_that_nothing_changed(read, scanned):
    page = read(f"{ADDRESS}?from=1.5&to=2.0")
    assert "Nothing changed: no error was added, reworded, moved or removed." in page.text


def test_without_releases_offers_the_last_two(read, scanned):
    page = read(ADDRESS)
    assert page.one("input", id="from").attributes["value"] == "v1.5"
    assert page.one("input", id="to").attributes["value"] == "v2.0"
    assert "Releases that we have read: v2.0, v1.5, v1.0." in page.text


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("from=v3&to=v2.0", "We know no release “v3”."),
        ("from=v1.0&to=<b>", "We know no release “<b>”."),
        ("from=v1.0&to=1.0", "Both are v1.0: nothing can have changed."),
        ("from=v2.0&to=v1.0&kind=moved", "v1.0 comes before v2.0: this is the wrong way round."),
    ],
)
def test_says_what_is_wrong(client, scanned, query, told):
    response = client.get(f"{ADDRESS}?{query}")
    page = Page(response.content.decode())
    assert response.status_code == 422
    assert told in page.one("p", role="alert").text
    assert ("Compare them the other way round" in page.links) is ("way round" in told)
    if "way round" in told:
        swapped = page.links["Compare them the other way round"]
        assert swapped == f"{ADDRESS}?kind=moved&from=v1.0&to=v2.0"
        assert client.get(swapped).status_code == 200


def test_a_release_that_is_only_known_is_told_as_such(client, put, scanned):
    put({"schema_version": "1.0", "name": "o/n", "releases": [{"tag": "v1.2"}]}, kind="repositories")
    assert "v1.2 is known, and we have not read it." in client.get(f"{ADDRESS}?from=v1.2&to=v2.0").content.decode()


def test_a_repository_without_scans_has_none_to_compare(read, put):
    put(entry("bad", repository="x/y"))
    assert "We have read no release of this repository." in read("/r/x/y/compare/").text


def test_unknown_repositories_and_pages_are_not_there(client, scanned):
    assert client.get("/r/un/known/compare/").status_code == 404
    assert client.get(f"{BOTH}&page=2").status_code == 404
    assert client.get(f"{BOTH}&page=x").status_code == 404


def test_former_names_lead_to_the_present_one(client, put, scanned):
    put({"schema_version": "1.0", "name": "o/n", "aliases": ["old/name"]}, kind="repositories")
    response = client.get("/r/old/name/compare/?from=1.0&to=2.0")
    assert (response.status_code, response["Location"]) == (301, f"{ADDRESS}?from=1.0&to=2.0")


def test_leaves_out_drafts_and_what_only_one_scan_has_read(read, scanned):
    ErrorEntry.objects.filter(symbol="m").update(state="draft")
    assert sections(read(BOTH)) == ["Reworded 2", "Moved 1", "Removed 1"]
    store("v3.0", throw("elsewhere", 4, "docs/z.py", "z"), remove=True)
    Scan.objects.filter(release="v3.0").update(path_prefix="docs/")
    assert sections(read(f"{ADDRESS}?from=v2.0&to=v3.0")) == ["Added 1"]


def test_long_lists_have_pages_across_kinds(read, scanned, monkeypatch):
    monkeypatch.setattr(comparison_page, "PAGE_SIZE", 2)
    pages = [sections(read(f"{BOTH}&page={number}")) for number in (1, 2, 3)]
    assert pages == [["Added 1", "Reworded 2"], ["Reworded 2", "Moved 1"], ["Removed 1"]]


@pytest.mark.parametrize("count", [1, 12])
def test_asks_the_database_a_constant_number_of_questions(client, count, django_assert_num_queries):
    store("v1", *(throw(f"old {n}", n + 2, "a.py", f"f{n}") for n in range(count)))
    store("v2", *(throw(f"new {n}", n + 2, "b.py", f"f{n}x") for n in range(count)), remove=True)
    with django_assert_num_queries(9):
        assert client.get(f"{ADDRESS}?from=v1&to=v2").status_code == 200


@pytest.mark.parametrize("text", ["\x00", "%25", "'%20OR%201=1", "‮", "1" * 5_000])
def test_hostile_parameters_are_text(client, scanned, text):
    assert client.get(f"{ADDRESS}?from={text}&to=v2.0").status_code == 422
    assert client.get(f"{BOTH}&module={text}").status_code == 200
    assert client.get(f"{BOTH}&kind={text}").status_code == 200
