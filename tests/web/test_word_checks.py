"""Names in an entry's words that its source does not have, on its page and in its JSON."""

import pytest

from errorkb.models import ErrorEntry
from tests.web.test_entries import assert_in_order

SEED = "/errors/0a4a184d34e9a38f/"


@pytest.fixture
def checked(seed) -> dict:
    ErrorEntry.objects.update(checked={"release": "v0.5.23", "missing": ["_ascend_backend"], "scan": 1})
    return seed


def test_the_page_says_which_names_do_not_occur_in_the_source(read, checked):
    page = read(SEED)
    assert_in_order(
        page.one("main").text,
        "uses 1 name that does not occur in v0.5.23",
        "_ascend_backend does not occur in v0.5.23",
        "do not occur in the source of v0.5.23",
        "_ascend_backend",
    )
    assert page.links["uses 1 name that does not occur in v0.5.23"] == "#checks"
    assert page.by_id("checks").text.split()[-1] == "_ascend_backend"


def test_only_the_example_that_uses_a_name_is_marked(read, checked):
    marks = [mark.text for mark in read(SEED).all("span", class_="problem")]
    assert [mark for mark in marks if "occur" in mark] == ["_ascend_backend does not occur in v0.5.23"]


@pytest.mark.parametrize("check", [{}, {"release": "v0.5.23", "missing": []}])
def test_the_page_says_nothing_where_nothing_is_missed(read, seed, check):
    ErrorEntry.objects.update(checked=check)
    assert "occur in" not in read(SEED).one("main").text


def test_the_json_has_the_check(client, checked):
    computed = client.get("/api/errors/0a4a184d34e9a38f").json()["computed"]
    assert computed["checked"] == {"release": "v0.5.23", "missing": ["_ascend_backend"]}
    ErrorEntry.objects.update(checked={})
    assert "checked" not in client.get("/api/errors/0a4a184d34e9a38f").json()["computed"]


def test_names_are_hostile(read, seed):
    ErrorEntry.objects.update(checked={"release": "<b>", "missing": ["<script>alert(1)</script>"]})
    page = read(SEED)
    assert page.by_id("checks").text.split()[-1] == "<script>alert(1)</script>"
