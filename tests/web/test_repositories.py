"""The repository page: its counts, its errors by module, its pull requests."""

import pytest

from tests.builders import entry, site

ADDRESS = "/r/o/n/"


def at(path: str, line: int, **fields) -> dict:
    return entry(f"raised at {path} {line}", source=site(line, path), **fields)


def headings(page) -> list[str]:
    return [heading.text for heading in page.all("h3")]


def test_groups_public_errors_by_module(read, put):
    put(at("b/x.py", 2), at("b/x.py", 1), at("a/y.py", 1, meaning="m"), at("c/z.py", 1, state="draft"))
    page = read(ADDRESS)
    assert headings(page) == ["a", "b"]
    assert [link for link in page.links if "raised" in link] == [
        "ValueError: raised at a/y.py 1",
        "ValueError: raised at b/x.py 1",
        "ValueError: raised at b/x.py 2",
    ]
    assert "a/y.py:1 · explained" in page.text
    counts = page.one("ul", class_="standing").text.split("\n")
    assert counts[1:5] == ["3 errors", "1 explained", "0 reviewed", "2 facts only"]


def listed(page) -> list[str]:
    return [link.removeprefix("ValueError: raised at ") for link in page.links if "raised" in link]


@pytest.fixture
def of_every_kind(put) -> None:
    put(
        at("a/x.py", 1),
        at("a/x.py", 2, kind="assertion"),
        at("a/x.py", 3, kind="warning"),
        at("a/x.py", 4, kind="log"),
        at("b/x.py", 5, kind="log"),
    )


def test_lists_errors_and_assertions_and_the_other_kinds_on_request(read, of_every_kind):
    page = read(ADDRESS)
    assert listed(page) == ["a/x.py 1", "a/x.py 2"]
    assert "Not in this list: 1 warning, 2 logged messages." in page.text
    assert page.one("ul", class_="standing").text.split("\n")[1] == "5 errors"
    logged = read(page.links["2 logged messages"])
    assert listed(logged) == ["a/x.py 4", "b/x.py 5"]
    assert logged.by_id("errors-title").text == "Logged messages by module"
    assert logged.links["errors and assertions"] == ADDRESS
    assert logged.links["b"] == f"{ADDRESS}?kind=log&module=b"
    assert listed(read(logged.links["b"])) == ["b/x.py 5"]


def test_counts_the_other_kinds_of_the_module_that_is_shown(read, of_every_kind):
    page = read(f"{ADDRESS}?module=a")
    assert page.links["1 logged message"] == f"{ADDRESS}?module=a&kind=log"
    assert "Not in this list: 1 warning, 1 logged message." in page.text
    assert listed(read(f"{ADDRESS}?module=b")) == []


def test_an_unknown_kind_is_no_filter(read, of_every_kind):
    assert listed(read(f"{ADDRESS}?kind=%3Cb%3E")) == ["a/x.py 1", "a/x.py 2"]


def test_an_entry_of_another_kind_leads_to_its_list(read, of_every_kind):
    logged = read(f"{ADDRESS}?kind=log")
    entry_page = read(logged.links["ValueError: raised at b/x.py 5"])
    assert entry_page.links["b"] == f"{ADDRESS}?module=b&kind=log"


def test_pages_count_what_is_listed(read, client, of_every_kind, monkeypatch):
    monkeypatch.setattr("errorkb.web.pages.repositories.page.PAGE_SIZE", 1)
    assert read(f"{ADDRESS}?kind=log&page=2").one("link", rel="prev").attributes["href"] == f"{ADDRESS}?kind=log"
    assert client.get(ADDRESS, {"page": "3"}).status_code == 404


def test_entries_without_a_line_come_first_in_their_file(read, put):
    without = entry("raised at a.py nowhere", source={"path": "a.py", "symbol": "f", "release": "v1"})
    put(at("a.py", 7), without, at("a.py", 3))
    assert listed(read(ADDRESS)) == ["a.py nowhere", "a.py 3", "a.py 7"]


def test_counts_and_marks_what_was_removed(read, put):
    put(at("a/x.py", 1, releases={"removed": "2"}), at("a/x.py", 2))
    page = read(ADDRESS)
    assert page.one("ul", class_="standing").text.split("\n")[5] == "1 removed"
    assert "a/x.py:1 · facts only · removed" in page.text


def test_shows_one_module_and_what_is_below_it(read, put):
    put(*(at(f"{module}/x.py", 1) for module in ("a/b", "a/b/c", "a/bc", "a/b-c", "a/b0", "a")))
    page = read(f"{ADDRESS}?module=a/b")
    assert headings(page) == ["a/b", "a/b/c"]
    assert page.links["a/b/c"] == f"{ADDRESS}?module=a/b/c"


def test_cuts_long_lists_into_pages(read, client, put, monkeypatch):
    monkeypatch.setattr("errorkb.web.pages.repositories.page.PAGE_SIZE", 2)
    put(*(at("a/x.py", line) for line in range(1, 6)))
    middle = read(f"{ADDRESS}?page=2")
    assert "Page 2 of 3" in middle.text
    assert middle.one("link", rel="prev").attributes["href"] == ADDRESS
    assert middle.one("link", rel="next").attributes["href"] == f"{ADDRESS}?page=3"
    assert middle.one("link", rel="canonical").attributes["href"].endswith(f"{ADDRESS}?page=2")
    assert not read(f"{ADDRESS}?page=3").all("link", rel="next")
    for number in ("0", "4", "x", "²", "-1", "9" * 30):
        assert client.get(ADDRESS, {"page": number}).status_code == 404


def test_lists_its_pull_requests(read, put):
    document = {"schema_version": "1.0", "repository": "o/n", "number": 7, "title": "Mend", "merged_at": "2026-01-02"}
    put(document, document | {"number": 8, "title": None}, kind="pull_requests")
    page = read(ADDRESS)
    assert page.links["#7 Mend"] == "/r/o/n/pulls/7/"
    assert page.links["#8 title not given"] == "/r/o/n/pulls/8/"


def test_shows_what_its_document_says(read, put):
    put(
        {"schema_version": "1.0", "name": "o/n", "license": "MIT", "releases": [{"tag": "v1", "version": "1"}]},
        kind="repositories",
    )
    page = read(ADDRESS)
    rows = dict(zip((dt.text for dt in page.all("dt")), (dd.text for dd in page.all("dd")), strict=True))
    assert (rows["license"], rows["releases[0].tag"]) == ("MIT", "v1")


def test_has_no_facts_without_a_document(read, put):
    put(entry())
    assert "facts" not in read(ADDRESS).ids


def test_serves_repositories_of_other_forges(read, put):
    put(entry(repository="gitlab.com/group/sub/name"))
    page = read("/r/gitlab.com/group/sub/name/")
    assert page.links["View on gitlab.com"] == "https://gitlab.com/group/sub/name"


@pytest.mark.parametrize("name", ["old/n", "O/n"])
def test_leads_other_names_to_the_present_one(client, put, name):
    put(entry())
    put({"schema_version": "1.0", "name": "o/n", "aliases": ["old/n"]}, kind="repositories")
    response = client.get(f"/r/{name}/")
    assert (response.status_code, response.headers["Location"]) == (301, ADDRESS)


def test_answers_404_for_an_unknown_repository(client, db):
    assert client.get("/r/nobody/nothing/").status_code == 404


@pytest.mark.parametrize("count", [1, 6])
def test_asks_the_database_a_constant_number_of_questions(client, put, count, django_assert_num_queries):
    put(*(at(f"{line}/x.py", line) for line in range(1, count + 1)))
    put(*(at(f"{line}/x.py", line, kind="log") for line in range(1, count + 1)))
    with django_assert_num_queries(10):
        client.get(ADDRESS)
