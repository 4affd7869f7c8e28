"""A repository's entries in plots: numbers that can be read, and bars beside them."""

import pytest

from errorkb.web.pages.repositories import plots
from errorkb.web.pages.repositories.plots import SHOWN_ROWS
from tests.builders import entry
from tests.scans import store, throw
from tests.web.reading import Page

pytestmark = pytest.mark.django_db

ADDRESS = "/r/o/n/"


def at(number: int, path: str, **fields) -> dict:
    source = {"path": path, "line": number, "symbol": "f", "release": "v1"}
    return entry(f"message {number}", source=source) | fields


def plot(page: Page, anchor: str) -> list[str]:
    table = Page(page.html.partition(f'<table class="bars" id="{anchor}">')[2].partition("</table>")[0])
    rows = zip(table.all("th", scope="row"), table.all("td", class_="count"), table.all("rect"), strict=True)
    return [f"{head.text} {count.text} {bar.attributes['width']}" for head, count, bar in rows]


def test_counts_by_module_below_the_one_that_all_are_in(read, put):
    paths = ["src/a/x.py", "src/a/b/y.py", "src/a/b/y.py", "src/c/z.py", "src/top.py"]
    put(*(at(number, path) for number, path in enumerate(paths, 1)))
    page = read(ADDRESS)
    assert plot(page, "by-module") == ["a 3 100.00%", "src itself 1 33.33%", "c 1 33.33%"]
    assert "By module below src" in page.text
    assert page.links["a"] == f"{ADDRESS}?module=src/a"
    assert plot(read(page.links["a"]), "by-module") == ["b 2 100.00%", "src/a itself 1 50.00%"]
    assert "by-type" not in read(page.links["a"]).ids


def test_counts_by_type_and_by_standing_with_the_searches_for_them(read, put):
    put(
        at(1, "a/x.py", meaning="m"),
        at(2, "a/x.py", exception_type="KeyError"),
        at(3, "b/x.py", exception_type="KeyError"),
        at(4, "b/x.py", exception_type=""),
        at(5, "b/x.py", state="draft"),
    )
    page = read(ADDRESS)
    assert plot(page, "by-type") == ["KeyError 2 100.00%", "ValueError 1 50.00%"]
    assert page.links["KeyError"] == "/errors/?q=repo%3Ao%2Fn+type%3AKeyError"
    assert plot(page, "by-standing") == [
        "explained 1 25.00%",
        "reviewed 0 0.00%",
        "facts only 3 75.00%",
        "stale 0 0.00%",
        "removed 0 0.00%",
    ]
    assert page.links["facts only"] == "/errors/?q=repo%3Ao%2Fn+is%3Afacts-only"


def test_counts_by_release_the_newest_first(read):
    first, second = throw("one", 10), throw("two", 20, symbol="g")
    store("v1.9", first)
    store("v1.10", first, second)
    page = read(ADDRESS)
    assert plot(page, "by-release") == ["v1.10 2 100.00%", "v1.9 1 50.00%"]
    assert page.links["v1.10"] == "/errors/?q=repo%3Ao%2Fn+release%3Av1.10"
    assert page.links["compare releases"] == f"{ADDRESS}compare/"


def test_says_what_is_left_out(read, put):
    put(*(at(number, f"src/m{number}/x.py", exception_type=f"E{number}") for number in range(1, SHOWN_ROWS + 3)))
    page = read(ADDRESS)
    assert len(plot(page, "by-module")) == len(plot(page, "by-type")) == SHOWN_ROWS
    assert "2 smaller modules are not in this plot." in page.text
    assert "2 rarer types are not in this plot." in page.text


def test_has_no_plot_of_a_single_row(read, put):
    put(at(1, "a/x.py"))
    assert {"by-module", "by-type", "by-release"}.isdisjoint(read(ADDRESS).ids)


def test_folders_are_not_told_by_their_beginnings_alone():
    assert plots._step_below("src/ab", "src/a") == "src"
    assert plots._main_folder({"src/a": 50, "src/ab": 50}) == "src"
    assert plots._main_folder({"lib/x": 99, "docs": 1}) == "lib/x"
    assert plots._main_folder({"lib": 60, "docs": 40}) == ""
    assert plots._main_folder({}) == ""


@pytest.mark.parametrize("name", ["<b>", "a b", "‮", "x" * 300])
def test_hostile_names_are_text(read, put, name):
    put(at(1, f"src/{name}/x.py", exception_type=name), at(2, "src/y/x.py", exception_type="Y"))
    assert len(plot(read(ADDRESS), "by-type")) == 2
