"""What strays from the documents is found, and made to follow again without undoing what others write."""

from errorkb.ingest.integrity import find_strays, quotes_are_missing, rebuild_quotes, rebuild_rows
from errorkb.models import EntryPullRequest, ErrorEntry, FoundPullRequest, QuotedMessage, Release, Repository
from tests.builders import entry

LINKS = {"pull_requests": [{"number": 1}, {"number": 2, "repository": "P/q", "role": "fixed"}]}


def links() -> list[tuple[str, int, str]]:
    return list(EntryPullRequest.objects.values_list("repository__name", "number", "role"))


def test_links_into_other_repositories_are_made_anew(loader):
    loader.put("a.json", entry(**LINKS))
    assert list(find_strays()) == []
    EntryPullRequest.objects.all().delete()
    Repository.objects.filter(key="p/q").delete()
    assert [stray.text for stray in find_strays()] == ["its pull requests do not follow from the document"]
    rebuild_rows()
    assert links() == [("o/n", 1, ""), ("P/q", 2, "fixed")]
    assert list(find_strays()) == []


def test_a_link_into_the_wrong_repository_strays(loader):
    loader.put("a.json", entry(**LINKS))
    EntryPullRequest.objects.update(repository=Repository.objects.get(key="o/n"))
    assert len(list(find_strays())) == 1
    rebuild_rows()
    assert links() == [("o/n", 1, ""), ("P/q", 2, "fixed")]


def test_links_of_a_renamed_repository_follow(loader):
    loader.put("a.json", entry(**LINKS))
    for name, alias in (("new/q", "p/q"), ("new/n", "o/n")):
        document = {"schema_version": "1.0", "name": name, "aliases": [alias]}
        loader.put(f"{name}.json", document, kind="repositories")
    assert list(find_strays()) == []
    assert links() == [("new/n", 1, ""), ("new/q", 2, "fixed")]


def test_a_document_that_is_not_valid_is_told_and_does_not_stop_the_rest(loader):
    loader.put("a.json", entry("one"), entry("two"))
    ErrorEntry.objects.filter(message="one").update(document="{}")
    ErrorEntry.objects.filter(message="two").update(symbol="elsewhere")
    assert rebuild_rows() == 2
    assert ErrorEntry.objects.get(message="two").symbol == ""
    assert any("not valid" in stray.text for stray in find_strays())


def test_quotes_and_links_of_reports_are_missed_and_made_anew(loader):
    fixes = [{"exception_type": "ValueError", "message": "bad value for the key"}]
    document = {"schema_version": "1.0", "repository": "o/n", "number": 7, "fixes": fixes}
    loader.put("r.json", document, kind="pull_requests")
    loader.put("e.json", entry("bad value for the key"))
    assert [*find_strays()] == []
    QuotedMessage.objects.all().delete()
    FoundPullRequest.objects.all().delete()
    assert quotes_are_missing()
    assert [stray.name for stray in find_strays()] == ["o/n#7"]
    rebuild_quotes()
    assert [*find_strays()] == []
    assert FoundPullRequest.objects.count() == 1
    FoundPullRequest.objects.update(role="moved")
    assert [stray.text for stray in find_strays()] == ["its links to reports do not follow"]


def test_releases_that_do_not_follow_are_made_anew(loader):
    stated = [{"tag": "v2.0"}, {"tag": "v1.0"}]
    loader.put("r.json", {"schema_version": "1.0", "name": "o/n", "releases": stated}, kind="repositories")
    assert [*find_strays()] == []
    Release.objects.filter(name="v1.0").delete()
    Release.objects.filter(name="v2.0").update(rank=7)
    assert [stray.text for stray in find_strays()] == ["its releases and their order do not follow"]
    rebuild_rows()
    assert list(Release.objects.order_by("rank").values_list("name", "rank")) == [("v1.0", 1), ("v2.0", 2)]
    assert [*find_strays()] == []
