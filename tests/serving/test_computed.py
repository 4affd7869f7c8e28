import pytest

from errorkb.models import ErrorEntry
from errorkb.serving.computed import served_entry
from errorkb.serving.pull_requests import linked_pull_requests
from errorkb.serving.related import MAX_RELATED, related_links
from tests.builders import entry, site

X = "aaaaaaaaaaaaaaa1"
LONG = "NPU packed attention does not support a sequence that is empty"


def main_entry() -> ErrorEntry:
    return ErrorEntry.objects.for_page().get(public_id=X)


def resolved(loader, related: dict, *others: dict) -> str | None:
    loader.put("others.json", *others)
    loader.put("main.json", entry("main", id=X, related=[related]))
    found = main_entry()
    (link,) = related_links(found, found.as_document())
    return link.entry.message if link.entry else None


@pytest.mark.parametrize(
    ("related", "others", "message"),
    [
        ({"title": LONG[:60]}, [entry(LONG)], LONG),
        ({"title": LONG}, [entry(LONG), entry(LONG + ", or so")], LONG),
        ({"title": LONG[:60]}, [entry(LONG), entry(LONG + ", or so")], None),
        ({"title": LONG[:60]}, [entry(LONG, repository="x/y")], None),
        ({"title": LONG[:60], "repository": "x/y"}, [entry(LONG, repository="x/y")], LONG),
        ({"title": LONG[:60], "repository": "un/known"}, [entry(LONG)], None),
        ({"title": f"ValueError: {LONG}"}, [entry(LONG)], LONG),
        ({"title": f"TypeError: {LONG}"}, [entry(LONG)], None),
        ({"title": "bad"}, [entry("bad luck, as it were")], None),
        ({"title": "bad"}, [entry("bad")], "bad"),
        ({"title": "ValueError in f"}, [entry("", source=site())], ""),
        ({"title": LONG[:60]}, [entry(LONG, state="draft")], None),
        ({"title": LONG[:60]}, [entry(LONG, state="withdrawn")], None),
        ({"id": "B" * 16}, [entry(LONG, id="b" * 16)], LONG),
        ({"id": "c" * 16}, [entry(LONG, id="b" * 16, aliases=["c" * 16])], LONG),
        ({"id": "d" * 16, "title": LONG[:60]}, [entry(LONG)], LONG),
        ({"title": "main"}, [], None),
        ({"title": "x" * 250}, [entry("x" * 249 + "y"), entry("x" * 300)], "x" * 300),
    ],
)
def test_related_errors_resolve_by_id_title_or_unique_beginning(loader, related, others, message):
    assert resolved(loader, related, *others) == message


def test_related_errors_are_looked_up_to_a_bound(loader):
    loader.put("main.json", entry("main", id=X, related=[{"title": f"t{n}"} for n in range(MAX_RELATED + 50)]))
    found = main_entry()
    links = related_links(found, found.as_document())
    assert len(links) == MAX_RELATED + 50
    assert links[-1].title == f"t{MAX_RELATED + 49}"


def test_a_pull_request_is_linked_whichever_came_first(loader):
    loader.put("main.json", entry("main", id=X, pull_requests=[{"number": 7, "role": "introduced"}, {"number": 8}]))
    first, second = linked_pull_requests(main_entry())
    assert (first.role, first.pull_request, first.forge_url) == ("introduced", None, "https://github.com/o/n/pull/7")
    loader.put(
        "p.json", {"schema_version": "1.0", "repository": "O/N", "number": 7, "title": "t"}, kind="pull_requests"
    )
    first, second = linked_pull_requests(main_entry())
    assert first.pull_request.title == "t"
    assert second.pull_request is None


def test_a_pull_request_link_may_name_another_repository(loader):
    loader.put("main.json", entry("main", id=X, pull_requests=[{"number": 7, "repository": "gitlab.com/x/y"}]))
    (link,) = linked_pull_requests(main_entry())
    assert link.forge_url == "https://gitlab.com/x/y/-/merge_requests/7"


def test_serves_the_document_and_what_follows_from_it(loader, settings):
    settings.SITE_URL = "https://kb.example"
    loader.put("main.json", entry(source=site(136, "src/a b.py", "C.f", commit="0132848349")))
    served = served_entry(ErrorEntry.objects.for_page().get())
    assert served | {"computed": 0, "id": 0, "html_url": 0, "modified": 0} == entry(
        source=site(136, "src/a b.py", "C.f", commit="0132848349")
    ) | {"computed": 0, "id": 0, "html_url": 0, "modified": 0}
    assert served["html_url"] == f"https://kb.example/errors/{served['id']}/"
    assert served["modified"].startswith("2026-01-01T00:00:0")
    computed = served["computed"]
    assert computed["title"] == "ValueError: bad %s"
    assert computed["module"] == "src"
    assert computed["place"] == {
        "path": "src/a b.py",
        "line": 136,
        "symbol": "C.f",
        "pin": "0132848349",
        "html_url": "https://github.com/o/n/blob/0132848349/src/a%20b.py#L136",
    }


@pytest.mark.parametrize(
    "source", [{}, {"path": "a.py", "line": 3}, {"release": "v1", "line": 3}, {"path": "a.py", "commit": None}]
)
def test_makes_no_link_where_path_or_pin_is_unknown(loader, source):
    loader.put("main.json", entry(source=source))
    assert served_entry(ErrorEntry.objects.for_page().get())["computed"]["place"]["html_url"] is None


def test_the_number_of_queries_does_not_grow_with_pull_requests(loader, django_assert_num_queries):
    links = [{"number": n, "repository": f"o/n{n % 3}"} for n in range(1, 40)]
    loader.put("main.json", entry("main", id=X, pull_requests=links))
    found = main_entry()
    with django_assert_num_queries(5):
        linked_pull_requests(found)
