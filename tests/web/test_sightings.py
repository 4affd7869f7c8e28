"""What scans saw, on the page of an entry: beside the document, which stays on the page to the last leaf."""

import pytest

from errorkb.models import Rendering
from errorkb.web.pages.entries.conditions import step_html
from tests.builders import entry
from tests.scans import store, throw
from tests.web.conftest import sample
from tests.web.reading import Page
from tests.web.test_entries import assert_in_order
from tests.web.test_leaves import assert_harmless, unreadable

SEED = "/errors/0a4a184d34e9a38f/"
GITHUB = "https://github.com/sgl-project/sglang/"
X = "aaaaaaaaaaaaaaa1"
AT_X = f"/errors/{X}/"
SNIPPET = {"start_line": 9, "code": "if x < 1 & y:\n    raise ValueError('bad %s' % x)\nreturn None"}
COMMIT, LATER = "c" * 40, "d" * 40


def written(line: int = 10, **fields) -> dict:
    """Return the entry of the site that `throw()` finds, as somebody wrote it for v1."""
    snippet = {"start_line": line, "code": "raise ValueError('as it was')"}
    source = {"path": "a.py", "line": line, "symbol": "f", "release": "v1", "snippet": snippet}
    return entry(id=X, placeholders="percent", meaning="m", source=source) | fields


@pytest.fixture
def scanned_seed(seed) -> dict:
    """Scan the sample entry's repository at v0.5.23, where the site is on line 285."""
    source = seed["source"]
    store(
        "v0.5.23",
        throw(seed["message"], 285, source["path"], source["symbol"], exception_type="NotImplementedError"),
        repository=seed["repository"],
    )
    return seed


def phrases(page) -> list[str]:
    return page.one("ul", class_="standing").text.strip().split("\n")


def rows(page) -> list[str]:
    table = Page(page.html.partition('<table class="sightings">')[2].partition("</table>")[0])
    cells = zip(table.all("th", scope="row"), table.all("td"), strict=True)
    return [f"{head.text} {' '.join(cell.text.split())}" for head, cell in cells]


def test_shows_the_place_of_the_newest_sighting_and_what_the_words_were_written_for(read, scanned_seed):
    page = read(SEED)
    assert_in_order(
        page.one("main").text,
        "written for 0132848349",
        "seen in v0.5.23",
        "Thrown at python/sglang/srt/disaggregation/ascend/conn.py:285",
        "View at v0.5.23",
        "Written for 0132848349, line 136; at line 285 in v0.5.23.",
        "As it was at 0132848349",
        "raise NotImplementedError(",
    )
    blob = f"{GITHUB}blob/{{}}/python/sglang/srt/disaggregation/ascend/conn.py#L{{}}"
    assert page.links["View at v0.5.23"] == page.links["line 285 in v0.5.23"] == blob.format("v0.5.23", 285)
    assert page.links["0132848349, line 136"] == blob.format("0132848349", 136)


def test_shows_the_lines_of_both_releases_and_marks_the_throwing_ones(read, scanned_seed):
    page = read(SEED)
    assert page.by_id("L285").attributes["class"] == "thrown"
    assert page.by_id("W136").attributes["class"] == "thrown"
    assert page.by_id("source-code").text.split("\n")[2] == "return 285"
    assert page.by_id("earlier-code").text.rstrip("\n") == scanned_seed["source"]["snippet"]["code"]
    assert "open" not in page.one("details", class_="earlier").attributes


def test_every_leaf_of_the_document_stays_on_the_page(client, read, scanned_seed):
    for _ in ("rendered", "kept"):
        page = read(SEED)
        assert_harmless(page)
        assert unreadable(scanned_seed, page) == []


def test_makes_the_lines_anew_when_a_newer_scan_saw_others(read, put):
    put(written())
    store("v1", throw(line=20))
    assert "return 20" in read(AT_X).text
    store("v2", throw(line=30))
    assert "return 30" in read(AT_X).text
    assert Rendering.objects.count() == 2


def test_opens_the_lines_of_the_document_where_the_scan_kept_none(read, put):
    put(written())
    store("v2", throw(line=20, snippet=""))
    page = read(AT_X)
    assert "The lines around it are not recorded here." in page.text
    assert "open" in page.one("details", class_="earlier").attributes
    assert "raise ValueError('as it was')" in page.by_id("earlier-code").text


def test_has_a_source_where_only_a_scan_knows_it(read, put):
    put(entry(id=X, placeholders="percent", source={"symbol": "f"}))
    store("v2", throw(line=20))
    page = read(AT_X)
    assert "Thrown at a.py:20 in f" in page.text
    assert "Written for" not in page.text


@pytest.mark.parametrize(
    ("source", "scan", "note"),
    [
        ({"release": "v2"}, ("v2", ""), None),
        ({"commit": COMMIT[:10]}, ("v2", COMMIT), None),
        ({"commit": COMMIT[:10]}, ("v2", LATER), "Written for cccccccccc, line 10; at the same line in v2."),
        ({"release": "v1"}, ("", LATER), "Written for v1, line 10; at the same line in dddddddddd."),
        ({"release": "v2", "line": 7}, ("v2", ""), "Written for v2, line 7; at line 10 in v2."),
        ({"line": 7}, ("v2", ""), "Written for a release that is not stated, line 7; at line 10 in v2."),
        ({"release": "v1", "path": "b/a.py"}, ("v2", ""), "Written for v1, b/a.py, line 10; at a.py, line 10 in v2."),
        ({"release": "v1", "line": None}, ("v2", ""), "Written for v1; at line 10 in v2."),
    ],
)
def test_says_what_a_document_was_written_for(read, put, source, scan, note):
    put(entry(id=X, placeholders="percent", source={"path": "a.py", "line": 10, "symbol": "f"} | source))
    release, commit = scan
    store(release, throw(), commit=commit)
    notes = [text.text for text in read(AT_X).all("p", class_="fine") if text.text.startswith("Written for")]
    assert notes == ([note] if note else [])


def test_a_document_that_a_scan_made_says_everything_once(read, db):
    store("v1", throw())
    (address,) = {link for text, link in read("/r/o/n/").links.items() if "bad" in text}
    page = read(address)
    assert phrases(page) == ["Facts only: nobody has explained it yet", "seen in v1", "check your version"]
    assert not page.all("details", class_="earlier")
    assert "Written for" not in page.text
    assert [item.text for item in page.all("ul", class_="conditions")] == [
        "\nIn `f`, when `x is None`\nwhen not (`a` or `b`)\n"
    ]
    assert page.text.count("Signature: `def f(x)`") == 1
    assert "Worked out from the source by a scanner, v1." in page.text


def test_tells_the_conditions_of_a_scan_from_a_person_s_trigger_and_from_other_conditions(read, put):
    put(written(trigger="Calling it without x.", conditions=["x is None", "In `f`, when `x is None`"]))
    store("v2", throw())
    page = read(AT_X)
    assert_in_order(
        page.one("main").text,
        "Calling it without x.",
        "Worked out from the source by a scanner, v2.",
        "Signature: `def f(x)`",
        "In `f`, when `x is None`",
        "when not (`a` or `b`)",
        "Worked out from the source when the entry was written.",
        "x is None",
        "Source",
    )
    assert page.text.count("In `f`, when `x is None`") == 1


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a is None", "<code>a is None</code>"),
        ("when `a`", "when {0}<code>a</code>{0}"),
        ("``a`b`` <", "{0}{0}<code>a`b</code>{0}{0} &lt;"),
        ("one ` alone", "one ` alone"),
    ],
)
def test_shows_what_stands_between_backticks_as_code(text, html):
    shown = str(step_html(text)).replace('<span class="unseen" aria-hidden="true">', "").replace("</span>", "")
    assert shown == html.format("`")


def test_shows_many_backticks_as_they_are():
    assert step_html("`" * 3 + " ` " * 1_000_000) == "`" * 3 + " ` " * 1_000_000


def test_lists_sightings_newest_release_first_with_old_wordings(read, put):
    put(written(message="cannot open %s"))
    store("v2", throw("cannot open file %s", 30))
    store("v1", throw("cannot open %s", 10))
    store("v1.5", throw("cannot open %s", 20))
    page = read(AT_X)
    assert rows(page) == [
        "v2 a.py:30 new wording cannot open file %s",
        "v1.5 a.py:20 old wording cannot open %s",
        "v1 a.py:10 old wording cannot open %s",
    ]
    assert page.links["a.py:20"] == "https://github.com/o/n/blob/v1.5/a.py#L20"


def test_says_how_it_read_before(read, put):
    put(written(message="cannot open %s"))
    store("v1", throw("cannot open %s", 10))
    store("v1.5", throw("unable to open %s", 20))
    store("v1.6", throw("unable to open %s", 20))
    store("v2", throw("cannot open file %s", 30))
    page = read(AT_X)
    assert_in_order(
        page.one("main").text,
        "History and pull requests",
        "Old wordings",
        "Until v1.6 it read:",
        "unable to open %s",
        "Seen by scans",
    )
    assert page.text.count("it read:") == 1


def test_lists_no_old_wording_that_the_document_lists(read, put):
    put(written(wordings=[{"message": "cannot open %s", "until": "v1"}]))
    store("v1", throw("cannot open %s", 10))
    store("v2", throw("bad %s", 10))
    assert "it read:" not in read(AT_X).text


def test_says_that_the_code_has_changed_and_shows_how(read, put):
    put(written(source={"path": "a.py", "line": 10, "symbol": "f", "release": "v1", "snippet": SNIPPET}))
    store("v2", throw(line=20))
    page = read(AT_X)
    assert phrases(page) == [
        "Not reviewed by a person",
        "written for v1",
        "the code around it has changed since",
        "seen in v2",
        "check your version",
    ]
    assert page.links["the code around it has changed since"] == "#changes"
    listing = page.one("div", class_="excerpt changes").text
    assert_in_order(
        listing,
        "removed: if x < 1 & y:",
        "added: if x is None:",
        "raise ValueError('bad %s' % x)",
        "return 20",
    )
    assert [each.text for each in page.all("del")] == ["if x < 1 & y:", "return None"]


def test_lists_say_that_the_code_has_changed(read, put):
    put(written(source={"path": "a.py", "line": 10, "symbol": "f", "release": "v1", "snippet": SNIPPET}))
    store("v2", throw(line=20), throw("other"))
    repository = read("/r/o/n/")
    address = "/errors/?q=repo%3Ao%2Fn+is%3Astale"
    assert repository.links["1 whose code has changed since"] == address
    assert "a.py:20 · explained · the code has changed since" in repository.text
    results = read(address)
    assert "the code has changed since" in results.text
    assert "other" not in results.text


def test_says_nothing_of_changes_where_there_are_none(read, put):
    put(written())
    store("v1", throw(line=20))
    page = read(AT_X)
    assert "has changed since" not in page.text
    assert not page.all("div", class_="excerpt changes")


def test_does_not_repeat_the_wording_that_the_page_begins_with(read, put):
    put(written(template="bad {thing}", message="bad thing", placeholders=None))
    store("v2", throw("bad %s", 30))
    assert rows(read(AT_X)) == ["v2 a.py:30"]


def test_lists_twenty_sightings(read, db, put):
    put(written())
    for number in range(22):
        store(f"v1.{number}", throw(line=100 + number))
    page = read(AT_X)
    assert (len(rows(page)), rows(page)[0], rows(page)[-1]) == (20, "v1.21 a.py:121", "v1.2 a.py:102")
    assert "Older sightings are not listed." in page.text


@pytest.mark.parametrize(
    ("release", "commit", "words"),
    [("v2", "", "removed in v2"), ("v2", COMMIT, "removed in v2"), ("", COMMIT, "removed in cccccccccc")],
)
def test_says_in_which_release_it_is_gone(read, put, release, commit, words):
    put(written())
    store("v1", throw())
    store(release, commit=commit, remove=True)
    page = read(AT_X)
    assert phrases(page)[2:] == ["seen in v1", words, "check your version"]
    assert f"No longer found in {words.removeprefix('removed in ')}." in page.text


def test_the_document_has_the_word_on_where_it_was_removed(read, put):
    put(written(releases={"removed": "1.9"}))
    store("v1", throw())
    store("v2", remove=True)
    assert phrases(read(AT_X))[2:] == ["seen in v1", "removed in 1.9", "check your version"]


def test_links_the_commit_in_which_it_was_seen(read, put):
    put(written())
    store("v2", throw(), commit=COMMIT)
    page = read(AT_X)
    assert page.links["seen in v2"] == f"https://github.com/o/n/commit/{COMMIT}"
    assert page.links["View at v2"] == f"https://github.com/o/n/blob/{COMMIT}/a.py#L10"


@pytest.mark.parametrize("count", [1, 8])
def test_asks_the_database_a_constant_number_of_questions(client, put, count, django_assert_num_queries):
    put(written())
    for number in range(count):
        store(f"v1.{number}", throw(line=100 + number))
    client.get(AT_X)
    with django_assert_num_queries(12):
        client.get(AT_X)


def test_says_that_there_is_no_link_where_the_tag_is_not_known(read, put):
    put(written())
    store("", throw(), version="1.2")
    page = read(AT_X)
    assert "There is no link: the tag of this version is not known" in page.text
    assert "Written for v1, line 10; at the same line in 1.2." in page.text
    assert rows(page) == ["1.2 a.py:10"]


def test_hostile_sightings_are_text(read, put):
    put(written(message="</code><script>alert(1)</script>%s"))
    site = throw(
        "</code><script>alert(1)</script>%s",
        conditions=("when `<script>alert(2)</script>`", "`" * 300 + "<b>"),
        signature="def f(x='`<i>`')",
        snippet="</code></pre><script>alert(3)</script>\n\nraise",
    )
    store("v2", throw("x"), site)
    page = read(AT_X)
    assert_harmless(page)
    for text in ("alert(1)", "alert(2)", "alert(3)", "<b>", "<i>"):
        assert text in page.text


def test_nothing_changes_without_a_sighting(read, put):
    document = sample("error-0a4a184d34e9a38f.json")
    put(document)
    page = read(SEED)
    assert "Thrown at python/sglang/srt/disaggregation/ascend/conn.py:136" in page.text
    assert not page.all("table")
    assert not page.all("details", class_="earlier")
