"""The home page: one box, three samples, and what is covered."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.builders import entry, site


def test_asks_for_an_error_in_one_box(read, db):
    page = read("/")
    form = page.one("form")
    assert (form.attributes["action"], form.attributes["method"]) == ("/match/", "post")
    assert page.one("textarea").attributes["name"] == "text"


def test_offers_two_known_errors_and_an_unknown_one(read, put):
    slotted = entry("with %s", meaning="m", placeholders="percent")
    put(
        slotted,
        entry("the first", meaning="m"),
        entry("the second", solutions=["s"]),
        entry("of facts only"),
        entry("word", meaning="m"),
    )
    page = read("/")
    samples = page.one("ul", class_="samples")
    assert [line for line in samples.text.split("\n") if line] == [
        "ValueError: the first from n",
        "ValueError: the second from n",
        "ZeroDivisionError: division by zero one that is unknown here",
    ]
    link = urlsplit(page.links["ValueError: the first"])
    assert (link.path, parse_qs(link.query)) == ("/match/", {"q": ["ValueError: the first"]})


def test_takes_its_samples_from_two_repositories(read, put):
    put(entry("a a", meaning="m"), entry("b b", meaning="m"), entry("c c", meaning="m", repository="p/q"))
    samples = read("/").one("ul", class_="samples").text.split("\n")
    assert [line for line in samples if line][:2] == ["ValueError: a a from n", "ValueError: c c from q"]


def test_counts_explained_reviewed_and_facts_only_by_repository(read, put):
    reviewed = {"method": "human", "reviewed": True}
    put(
        entry("a", meaning="m", analysis=reviewed, source=site(1)),
        entry("b", meaning="m", source=site(2)),
        entry("c", source=site(3)),
        entry("d", state="withdrawn", source=site(4)),
        entry("e", repository="p/q"),
    )
    rows = [row.text.split("\n") for row in read("/").all("tr")][1:]
    assert rows == [["o/n32" + "11"], ["p/q10" + "01"]]


def test_says_that_nothing_is_loaded_yet(read, db):
    assert "No repository is loaded yet." in read("/").text


@pytest.mark.parametrize("count", [1, 4])
def test_asks_the_database_a_constant_number_of_questions(client, put, count, django_assert_num_queries):
    put(*(entry(repository=f"o/n{n}", meaning="m") for n in range(count)))
    with django_assert_num_queries(4):
        client.get("/")
