"""Repository documents: one row for all names that a repository has had."""

import pytest

from errorkb.ingest.exporting import export_documents, exported_rows
from errorkb.models import EntryIdentifier, Repository, Revision
from tests.builders import entry


def repository(name: str = "o/n", **fields) -> dict:
    return {"schema_version": "1.0", "name": name} | fields


def exported() -> list[dict]:
    return [document for _, document in export_documents(exported_rows("repositories"))]


def test_columns_follow_the_document_that_two_sources_made(loader):
    loader.put("a.json", repository(url="https://a.example/n"), kind="repositories")
    assert loader.put("b.json", repository(forge="gitea"), kind="repositories") == ["updated"]
    other = repository(url="https://b.example/n", default_branch="main")
    assert loader.put("c.json", other, kind="repositories") == ["conflicting"]
    row = Repository.objects.get()
    assert (row.url, row.forge, row.default_branch) == ("https://a.example/n", "gitea", "main")
    assert exported() == [repository(url="https://a.example/n", forge="gitea", default_branch="main")]


@pytest.mark.parametrize("between", [0, 4, 5])
def test_one_repository_twice_in_a_load_is_refused_unless_it_is_the_same(loader, batches_of_five, between):
    others = [repository(f"o/n{n}") for n in range(between)]
    documents = [repository(license="MIT"), repository(license="MIT"), *others, repository(license="BSD")]
    first, second, *_, last = loader.put("a.json", *documents, kind="repositories")
    assert (first, second, last) == ("created", "unchanged", "refused")
    assert Repository.objects.get(key="o/n").as_document() == repository(license="MIT")


def test_another_source_may_bring_fields_of_a_later_minor_version(loader):
    loader.put("a.json", repository(), kind="repositories")
    later = repository(schema_version="1.2", invented=[None])
    assert loader.put("b.json", later, kind="repositories") == ["updated"]
    assert exported() == [later]


def test_a_renaming_asks_no_more_of_a_repository_with_many_entries(loader, django_assert_max_num_queries):
    loader.put("a.json", *[entry(f"message {n}") for n in range(500)])
    path = loader.file("r.json", [repository("new/n", aliases=["o/n"])])
    with django_assert_max_num_queries(30):
        loader.load(path, kind="repositories")
    assert EntryIdentifier.objects.count() == 1_000


def test_a_name_that_another_source_gave_stays_and_the_new_one_leads_there(loader):
    loader.put("a.json", repository("new/n", aliases=["o/n"]), kind="repositories")
    newer = repository("newer/n", aliases=["new/n"])
    assert loader.put("b.json", newer, kind="repositories") == ["conflicting"]
    assert {Repository.objects.named(name).get().name for name in ("o/n", "new/n", "newer/n")} == {"new/n"}
    assert loader.put("b.json", newer, kind="repositories", force=True) == ["updated"]
    assert {Repository.objects.named(name).get().name for name in ("o/n", "new/n", "newer/n")} == {"newer/n"}
    assert Revision.objects.count() == 2
