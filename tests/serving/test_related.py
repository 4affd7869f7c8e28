"""Related errors, many at once; tests/models/test_served.py has what each kind of title means."""

import pytest

from errorkb.models import ErrorEntry
from errorkb.serving.computed import computed
from errorkb.serving.related import MAX_RELATED, related_links
from tests.builders import entry, site

X = "aaaaaaaaaaaaaaa1"


def load_naming(loader, related: list[dict], *others: dict) -> ErrorEntry:
    loader.put("others.json", *others)
    loader.put("main.json", entry("main", id=X, related=related))
    return ErrorEntry.objects.for_page().get(public_id=X)


def test_each_of_many_resolves_to_its_own_entry(loader):
    messages = [f"message number {n}, long enough" for n in range(MAX_RELATED)]
    forms = (lambda n: messages[n], lambda n: messages[n][:-4], lambda n: f"ValueError: {messages[n]}")
    related = [{"title": forms[n % 3](n)} if n % 4 else {"id": f"{n:016x}"} for n in range(MAX_RELATED)]
    found = load_naming(loader, related, *(entry(text, id=f"{n:016x}") for n, text in enumerate(messages)))
    assert [link.entry and link.entry.message for link in related_links(found, found.as_document())] == messages


@pytest.mark.parametrize("count", [1, 15])
def test_the_number_of_queries_does_not_grow_with_related_errors(loader, count, django_assert_num_queries):
    titles = [{"title": f"ValueError: message number {n}", "repository": "o/n"} for n in range(count)]
    ids = [{"id": f"{n:016x}"} for n in range(count)]
    found = load_naming(loader, titles + ids, *(entry(f"message number {n}", id=f"{n:016x}") for n in range(count)))
    with django_assert_num_queries(5):
        links = related_links(found, found.as_document())
    assert all(link.entry for link in links)


def test_titles_of_any_letters_are_asked_for_as_they_are(loader):
    related = [
        {"title": title}
        for title in ("100% _sure_ of it, isn't", 'a "quoted" \\ %s message', "接口漂移：接口漂移：接口漂移")
    ]
    others = [
        entry(text)
        for text in ("100% _sure_ of it, isn't it?", 'a "quoted" \\ %s message', "接口漂移：接口漂移：接口漂移了")
    ]
    found = load_naming(loader, related, *others, entry("100x xsurex of it, isn't it?"))
    assert [link.entry and link.entry.message for link in related_links(found, found.as_document())] == [
        other["message"] for other in others
    ]


def test_what_is_found_is_told_apart_from_what_is_named(loader):
    named = entry("named before", id="b" * 16, source=site(11))
    loader.put("others.json", named, entry("x" * 400, id="c" * 16, source=site(12)))
    loader.put("main.json", entry("main", id=X, source=site(10), related=[{"id": "b" * 16}]))
    served = computed(ErrorEntry.objects.for_page().get(public_id=X))
    assert [one["id"] for one in served["related"]] == ["b" * 16]
    (found,) = served["related_found"]
    assert found["reasons"] == ["same_function"]
    assert (found["id"], found["repository"], len(found["title"])) == ("c" * 16, "o/n", 300)
