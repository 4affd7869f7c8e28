"""What releases did to an error, on its page, and the answer for the reader's own release."""

import pytest

from errorkb.models import ErrorEntry, Release
from errorkb.web.pages.entries.release_strips import MOST_BOXES
from tests.builders import entry
from tests.scans import store, throw
from tests.web.reading import Page

pytestmark = pytest.mark.django_db

OTHER = throw("something else", 90, symbol="g")
COMMIT = "c" * 40


@pytest.fixture
def address() -> str:
    """Scan five releases: the error comes with v1.1, is reworded in v1.2, moves in v1.3 and is gone in v2.0."""
    store("v1.0", OTHER)
    store("v1.1", throw("bad %s"), OTHER)
    store("v1.2", throw("bad value %s"), OTHER, commit=COMMIT)
    store("v1.3", throw("bad value %s", path="b/a.py"), OTHER)
    store("v2.0", OTHER, remove=True)
    return ErrorEntry.objects.get(symbol="f").get_absolute_url()


def changes(page: Page) -> list[str]:
    table = Page(page.html.partition('<table class="timeline">')[2].partition("</table>")[0])
    cells = zip(table.all("th", scope="row"), table.all("td"), strict=True)
    return [f"{head.text} {' '.join(cell.text.split())}" for head, cell in cells]


def test_tells_what_each_release_did_the_latest_first(read, address):
    page = read(address)
    assert changes(page) == [
        "v2.0 removed",
        "v1.3 moved b/a.py:10 before at a.py:10 in f",
        f"v1.2 reworded a.py:10 commit {COMMIT[:10]} Old: bad %s New: bad value %s",
        "v1.1 introduced a.py:10",
    ]
    assert [mark.text for mark in page.all("mark")] == ["value "]
    assert page.links["b/a.py:10"] == "https://github.com/o/n/blob/v1.3/b/a.py#L10"
    assert page.links[f"commit {COMMIT[:10]}"] == f"https://github.com/o/n/commit/{COMMIT}"


def test_its_standing_says_from_where_to_where(read, address):
    page = read(address)
    assert page.links["in v1.1 to v1.3"] == "#timeline"
    assert "timeline" in page.ids


def test_signs_of_one_release_stand_beside_each_other(read):
    store("v1", throw("bad %s"), OTHER)
    store("v2", OTHER, remove=True)
    store("v3", throw("bad value %s"), OTHER)
    page = read(ErrorEntry.objects.get(symbol="f").get_absolute_url())
    signs = [group.attributes["transform"] for group in page.all("g")]
    assert signs == ["translate(0 0)", "translate(0 0)", "translate(13 0)"]


def test_draws_the_releases_with_the_same_in_words(read, address):
    page = read(address)
    picture = page.one("svg", role="img")
    for identifier in picture.attributes["aria-labelledby"].split():
        assert page.by_id(identifier).text
    summary = "3 of the 5 releases that we have read have it: introduced in v1.1, removed in v2.0."
    assert page.by_id("strip-description").text == summary
    boxes = [
        element
        for element in page.all("rect")
        if "title" not in element.attributes and "%" in element.attributes.get("width", "")
    ]
    assert [box.attributes["class"] for box in boxes] == ["lacks", "has", "has", "has", "lacks"]
    assert [box.text for box in boxes][:2] == ["v1.0: does not have it", "v1.1: has it"]
    assert boxes[1].attributes["x"] == "20.000%"


def test_tells_of_each_branch(read):
    for release, sites in (("v1.0", ()), ("v1.0.1", (throw(),)), ("v1.1", ()), ("v1.2", (throw(),))):
        store(release, OTHER, *sites, remove=True)
    for name, parents in (("v1.0.1", ["v1.0"]), ("v1.1", ["v1.0"]), ("v1.2", ["v1.1"])):
        Release.objects.filter(name=name).update(parents=parents)
    page = read(ErrorEntry.objects.get(symbol="f").get_absolute_url())
    summary = "2 of the 4 releases that we have read have it. On 1.2: introduced in v1.2. On 1.0: introduced in v1.0.1."
    assert page.by_id("strip-description").text == summary
    assert page.links["in 2 releases, v1.0.1 to v1.2"] == "#timeline"
    assert [name.text for name in page.all("text", class_="name")] == ["1.2", "1.0"]
    assert changes(page) == ["v1.2 introduced a.py:10", "v1.0.1 introduced a.py:10"]


def test_many_releases_are_drawn_as_runs(read):
    for number in range(MOST_BOXES + 2):
        store(f"1.{number}", throw())
    page = read(ErrorEntry.objects.get().get_absolute_url())
    boxes = [box for box in page.all("rect", class_="has") if "%" in box.attributes.get("width", "")]
    assert [box.text for box in boxes] == [f"1.0 to 1.{MOST_BOXES + 1}: has it"]


@pytest.mark.parametrize(
    ("release", "answer", "place"),
    [
        ("1.2", "Yes. v1.2 has it. a.py:10 in v1.2", f"https://github.com/o/n/blob/{COMMIT}/a.py#L10"),
        ("n==1.3", "Yes. v1.3 has it. b/a.py:10 in v1.3", "https://github.com/o/n/blob/v1.3/b/a.py#L10"),
        ("0.9", "No. Introduced later, in v1.1.", ""),
        ("2.0", "No. Removed in v2.0.", ""),
        ("1.9", "Not known. We have not read 1.9: v1.3, before it, has it; v2.0, after it, does not have it.", ""),
        ("<b>", "Not known. “<b>” is no version and no tag that we know; v2.0, the newest release that we have read, "
         "does not have it.", ""),
    ],
)  # fmt: skip
def test_answers_for_the_release_of_the_reader(read, address, release, answer, place):
    page = read(f"{address}?release={release}")
    told = page.one("p", role="status")
    assert " ".join(told.text.split()) == answer
    assert page.one("input", id="release").attributes["value"] == release
    if place:
        assert page.links[answer.partition("it. ")[2]] == place


def test_asks_for_a_version_where_nothing_was_scanned(read, put):
    put(entry(id="aaaaaaaaaaaaaaa1", releases={"first": "v0.5.18", "removed": "v0.6"}))
    page = read("/errors/aaaaaaaaaaaaaaa1/")
    assert "Its document says: from v0.5.18 on, removed in v0.6. No scan has told yet." in page.text
    assert not page.all("svg", role="img") and not page.all("table")
    assert page.links["check your version"] == "#versions"
    asked = read("/errors/aaaaaaaaaaaaaaa1/?release=0.5.17")
    assert "No. Introduced later, in v0.5.18." in asked.text


def test_an_alias_keeps_the_question(client, put):
    put(entry(id="aaaaaaaaaaaaaaa1", aliases=["bbbbbbbbbbbbbbb2"]))
    response = client.get("/errors/BBBBBBBBBBBBBBB2/?release=1.2")
    assert (response.status_code, response["Location"]) == (301, "/errors/aaaaaaaaaaaaaaa1/?release=1.2")


@pytest.mark.parametrize("release", ["\x00", "1" * 5_000, "‮", "' OR 1=1 --", "%"])
def test_hostile_releases_are_text(client, address, release):
    assert client.get(address, {"release": release}).status_code == 200
