"""Related errors, many at once; tests/models/test_served.py has what each kind of title means."""

import pytest

from errorkb.models import ErrorEntry
from errorkb.serving.related import MAX_RELATED, related_links
from tests.builders import entry

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
