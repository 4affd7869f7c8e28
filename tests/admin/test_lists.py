"""The lists of the admin: what they find, in which order, and at which cost."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from errorkb.models import ErrorEntry
from tests.admin.browsing import opened_form
from tests.admin.conftest import address
from tests.builders import entry, site

ENTRIES = "/admin/errorkb/errorentry/"


@pytest.fixture
def several(loader) -> None:
    loader.put(
        "a.json",
        entry("Model class %s is broken", meaning="It breaks dst_device_kv_indices.", source=site(language="python")),
        entry("tea pot", kind="warning", repository="o/other", analysis={"method": "human", "reviewed": True}),
        entry("still a draft", state="draft", id="00aa11bb22cc33dd"),
        entry("gone for good", state="withdrawn", withdrawn={"reason": "none such"}),
        entry("!!!", code="E7"),
    )


def found(client, address: str = ENTRIES, **query: str) -> list[str]:
    response = client.get(address, query)
    assert response.status_code == 200, (response.status_code, query)
    return [getattr(row, "message", str(row)) for row in response.context["cl"].result_list]


@pytest.mark.parametrize(
    ("query", "messages"),
    [
        ({"q": "kv indices"}, ["Model class %s is broken"]),
        ({"q": "dst_device_kv_indices repo:o/n"}, ["Model class %s is broken"]),
        ({"q": "repo:other"}, ["tea pot"]),
        ({"q": "draft"}, ["still a draft"]),
        ({"q": "00AA11BB"}, ["still a draft"]),
        ({"q": "00aa11bb22cc33dd"}, ["still a draft"]),
        ({"q": "gone"}, ["gone for good"]),
        ({"q": "!!!"}, ["!!!"]),
        ({"q": "is:reviewed"}, ["tea pot"]),
        ({"q": "nothing-like-it"}, []),
        ({"state": "draft"}, ["still a draft"]),
        ({"state": "published", "kind": "error", "explained__exact": "0"}, ["!!!"]),
        ({"explained__exact": "1"}, ["Model class %s is broken"]),
        ({"reviewed__exact": "1"}, ["tea pot"]),
        ({"kind": "warning"}, ["tea pot"]),
        ({"language": "python"}, ["Model class %s is broken"]),
        ({"repository": "o/other"}, ["tea pot"]),
        ({"repository": "O/OTHER", "q": "pot"}, ["tea pot"]),
        ({"state": "published", "q": "draft"}, []),
        ({"checks": "disagreeing"}, []),
    ],
)
def test_entries_are_found(ada, several, query, messages):
    assert found(ada, **query) == messages


def test_entries_that_disagree_with_their_source_are_found(ada, several):
    ErrorEntry.objects.filter(message="tea pot").update(filled={"disagreements": ["x"]})
    assert found(ada, checks="disagreeing") == ["tea pot"]


def test_entries_that_use_names_which_their_source_lacks_are_found(ada, several):
    ErrorEntry.objects.filter(message="tea pot").update(checked={"release": "v1", "missing": ["lock_keys"]})
    ErrorEntry.objects.filter(message="!!!").update(checked={"release": "v1", "missing": []})
    assert found(ada, checks="missing") == ["tea pot"]


def test_the_best_match_stands_first_until_somebody_sorts(ada, loader):
    texts = [entry(f"other {n}", meaning="a flange in passing", id=f"{n:016x}") for n in range(3)]
    loader.put("a.json", entry("flange", id="f" * 16), *texts)
    assert found(ada, q="flange")[0] == "flange"
    assert found(ada, q="flange", o="0") == ["flange", "other 0", "other 1", "other 2"]
    assert found(ada, q="flange", o="-0") == ["other 2", "other 1", "other 0", "flange"]


def test_the_newest_change_stands_first(ada, several):
    tea = ErrorEntry.objects.get(message="tea pot")
    opened_form(ada, address(tea)).fill(doc__trigger="x", reason="r").send()
    assert found(ada)[0] == "tea pot"


@pytest.mark.parametrize(
    ("query", "numbers"),
    [({"q": "33523"}, 1), ({"q": "#33523"}, 1), ({"q": "修复"}, 1), ({"q": "repo:sglang"}, 1), ({"q": "absent"}, 0)],
)
def test_pull_requests_are_found(ada, report, query, numbers):
    assert len(found(ada, "/admin/errorkb/pullrequest/", **query)) == numbers


def test_repositories_are_found_by_former_names_and_counted(ada, loader, several):
    loader.put("r.json", {"schema_version": "1.0", "name": "o/n", "aliases": ["old/name"]}, kind="repositories")
    assert found(ada, "/admin/errorkb/repository/", q="OLD") == ["o/n"]
    (row,) = ada.get("/admin/errorkb/repository/", {"q": "old"}).context["cl"].result_list
    assert (row.entry_count, row.explained_count) == (2, 1)
    assert found(ada, "/admin/errorkb/repository/", o="-3") == ["o/n", "o/other"]


@pytest.mark.parametrize("model", ["errorentry", "pullrequest", "repository", "revision", "batch"])
@pytest.mark.parametrize("query", [{}, {"q": "word"}, {"_facets": "True"}])
def test_lists_do_not_ask_more_of_the_base_when_they_are_longer(ada, loader, model, query):
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert ada.get(f"/admin/errorkb/{model}/", query).status_code == 200
        return len(queries)

    def put(first: int, last: int) -> None:
        numbers = range(first, last)
        loader.put(f"{first}.json", *(entry(f"word {n}", repository=f"o/n{n}") for n in numbers))
        loader.put(f"{first}.json", *(entry(f"word {n}", repository=f"o/n{n}", meaning="m") for n in numbers))
        reports = [
            {"schema_version": "1.0", "repository": f"o/n{n}", "number": n + 1, "title": "word"} for n in numbers
        ]
        loader.put(f"p{first}.json", *reports, kind="pull_requests")

    put(0, 2)
    few = cost()
    put(2, 12)
    assert cost() <= few
    assert few <= 25


def test_a_form_costs_few_queries(ada, seed, django_assert_max_num_queries):
    with django_assert_max_num_queries(5):
        ada.get(address(seed))


def test_messages_of_eight_mebibytes_are_not_read_for_the_list(ada, loader):
    loader.put("a.json", entry("x" * 1_000_000))
    response = ada.get(ENTRIES)
    assert len(response.content) < 60_000
    assert "document" in response.context["cl"].result_list[0].get_deferred_fields()


def test_titles_show_invisible_characters(ada, loader):
    loader.put("a.json", entry("a\u202eb <script>"))
    html = ada.get(ENTRIES).content.decode()
    assert '<bdi class="ctrl" title="U+202E RIGHT-TO-LEFT OVERRIDE">' in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize("model", ["errorentry", "pullrequest", "repository", "revision", "batch"])
def test_lists_have_no_actions_on_many_rows(ada, seed, model):
    assert 'name="action"' not in ada.get(f"/admin/errorkb/{model}/").content.decode()
