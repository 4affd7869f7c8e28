"""Walks through the releases of a repository: what each has of every error, worked out by hand."""

from pathlib import Path

import pytest

from errorkb.ingest.integrity import find_strays
from errorkb.ingest.scans.scanning import ScanRequest, scan_into_base
from errorkb.ingest.walks import walking
from errorkb.ingest.walks.walking import WalkReport, walk_releases
from errorkb.models import ErrorEntry, Release, Scan, Sighting
from errorkb.models.sightings import seen
from errorkb.scanning.trees import TreeError
from tests.repositories import Repository

pytestmark = pytest.mark.django_db

NAME = "acme/shop"


def raising(name: str, text: str, before: int = 0) -> str:
    return "\n" * before + f"def {name}(x):\n    raise ValueError({text!r})\n\n\n"


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Repository:
    """Return a history with a branch of repairs whose release got its tag after 2.0, a removal and a return.

    first, second, third, fourth are functions; each raises one error.
    """
    shop = Repository(tmp_path_factory.mktemp("walks") / "shop")
    first, second = raising("first", "the first is missing"), raising("second", "the second is wrong")
    shop.commit("shop/a.py", first + second, tag="v1.0")
    shop.git("branch", "old")
    shop.commit("shop/a.py", "import os\n" + first, tag="v2.0")
    shop.git("checkout", "--quiet", "old")
    branched = first + raising("second", "the second is quite wrong") + raising("fourth", "only the old one says so")
    shop.commit("shop/a.py", branched, tag="v1.0.1")
    shop.git("checkout", "--quiet", "main")
    shop.commit("shop/b.py", raising("third", "the third is new"), tag="v2.1")
    reworded = raising("first", "the very first is missing")
    shop.commit("shop/a.py", "import os\n" + reworded + second)
    shop.git("mv", "shop/b.py", "shop/c.py")
    shop.commit_index(tag="v3.0")
    shop.git("tag", "docs-only", shop.commit("README.md", "words"))
    return shop


@pytest.fixture
def walk(shop, loader, tmp_path):
    def walk(*patterns: str, folder: Path = shop.folder) -> WalkReport:
        request = ScanRequest(
            path=str(folder), repository=NAME, workers=1, cache_folder=tmp_path / "facts", commits=False
        )
        return walk_releases(request, patterns, clock=loader.clock, allow_removals=True)

    return walk


def history() -> dict[str, dict[str, tuple]]:
    """Return by function and release: file, line, text."""
    rows = Sighting.objects.values_list(
        "entry__symbol", "scan__release", seen("path"), "line", seen("template")
    ).order_by("scan__rank")
    found: dict[str, dict[str, tuple]] = {}
    for function, release, path, line, text in rows:
        found.setdefault(function, {})[release] = (path, line, text)
    return found


EXPECTED = {
    "first": {
        "v1.0": ("shop/a.py", 2, "the first is missing"),
        "v1.0.1": ("shop/a.py", 2, "the first is missing"),
        "v2.0": ("shop/a.py", 3, "the first is missing"),
        "v2.1": ("shop/a.py", 3, "the first is missing"),
        "v3.0": ("shop/a.py", 3, "the very first is missing"),
    },
    "second": {
        "v1.0": ("shop/a.py", 6, "the second is wrong"),
        "v1.0.1": ("shop/a.py", 6, "the second is quite wrong"),
        "v3.0": ("shop/a.py", 7, "the second is wrong"),
    },
    "third": {"v2.1": ("shop/b.py", 2, "the third is new"), "v3.0": ("shop/c.py", 2, "the third is new")},
    "fourth": {"v1.0.1": ("shop/a.py", 10, "only the old one says so")},
}


def gone() -> dict[str, str]:
    return {row.symbol: row.gone_in for row in ErrorEntry.objects.filter(removed=True)}


def assert_as_expected() -> None:
    assert history() == EXPECTED
    assert gone() == {"fourth": "v2.0"}
    newest = dict(ErrorEntry.objects.values_list("symbol", "newest__scan__release"))
    assert newest == {"first": "v3.0", "second": "v3.0", "third": "v3.0", "fourth": "v1.0.1"}
    assert not ErrorEntry.objects.exclude(newest__same_as=None).exists()
    assert list(find_strays()) == []


def wordings(function: str) -> list[tuple]:
    row = ErrorEntry.objects.get(symbol=function)
    return list(row.wordings.values_list("template", "first", "last", "is_current"))


def test_a_walk_knows_of_each_release_what_it_has(walk):
    report = walk("v*")
    assert_as_expected()
    assert (report.problems, report.refused, report.stopped) == ([], [], False)
    assert report.counts == {"known": 0, "walked": 5, "new": 4, "seen": 11}
    assert wordings("first") == [
        ("the very first is missing", "v3.0", "v3.0", True),
        ("the first is missing", "v1.0", "v2.1", False),
    ]
    assert wordings("second") == [
        ("the second is wrong", "v1.0", "v3.0", True),
        ("the second is quite wrong", "v1.0.1", "v1.0.1", False),
    ]
    assert wordings("fourth") == [("only the old one says so", "v1.0.1", "v1.0.1", True)]


def test_documents_are_those_of_the_last_release_that_has_the_error(walk):
    walk("v*")
    releases = {row.symbol: row.as_document()["source"]["release"] for row in ErrorEntry.objects.all()}
    assert releases == {"first": "v3.0", "second": "v3.0", "third": "v3.0", "fourth": "v1.0.1"}
    assert ErrorEntry.objects.filter(revisions__isnull=False).count() == 0


def test_releases_know_which_they_came_from(walk, shop):
    walk("v*")
    assert dict(Release.objects.values_list("name", "parents")) == {
        "v1.0": [],
        "v1.0.1": ["v1.0"],
        "v2.0": ["v1.0"],
        "v2.1": ["v2.0"],
        "v3.0": ["v2.1"],
    }
    assert list(Release.objects.order_by("rank").values_list("name", flat=True)) == sorted(EXPECTED["first"])
    assert Release.objects.get(name="v2.0").commit == shop.git("rev-parse", "v2.0^{commit}")
    assert set(Scan.objects.values_list("release", "of_release__name")) == {(n, n) for n in EXPECTED["first"]}


def test_the_same_walk_again_reads_nothing(walk):
    walk("v*")
    before = list(Sighting.objects.order_by("pk").values())
    assert walk("v*").counts == {"known": 5}
    assert list(Sighting.objects.order_by("pk").values()) == before


@pytest.mark.parametrize(
    "steps",
    [
        (["v1.0"], ["v2.0"], ["v1.0.1"], ["v2.1"], ["v3.0"]),
        (["v1.0", "v3.0"], ["v*"]),
        (["v2.0"], ["v*"]),
        (["v1.0.1"], ["v3.0"], ["v2.*"], ["v1.0"]),
    ],
)
def test_walks_in_parts_come_to_the_same(walk, steps):
    for patterns in steps:
        walk(*patterns)
    assert_as_expected()


def test_a_walk_that_is_stopped_leaves_whole_releases_and_goes_on(walk, monkeypatch):
    monkeypatch.setattr(walking, "AT_ONCE", 2)
    whole, calls = walking.store_releases, []

    def stop_at_the_second(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise MemoryError
        return whole(*arguments)

    monkeypatch.setattr(walking, "store_releases", stop_at_the_second)
    with pytest.raises(MemoryError):
        walk("v*")
    assert set(Scan.objects.values_list("release", flat=True)) == {"v3.0", "v2.1", "v2.0"}
    known = {name: {r: EXPECTED[name][r] for r in EXPECTED[name] if r >= "v2"} for name in ("first", "second", "third")}
    assert history() == known
    assert list(find_strays()) == []
    assert walk("v*").counts == {"known": 3, "walked": 2, "new": 1, "seen": 5}
    assert_as_expected()


def test_whoever_stops_a_walk_is_told_so_and_keeps_what_it_has(walk, monkeypatch):
    take, calls = walking.KnownSites.take, []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return take(*arguments)

    monkeypatch.setattr(walking.KnownSites, "take", interrupted)
    report = walk("v*")
    assert (report.stopped, report.counts["walked"]) == (True, 3)
    assert set(Scan.objects.values_list("release", flat=True)) == {"v3.0", "v2.1", "v2.0"}
    monkeypatch.undo()
    walk("v*")
    assert_as_expected()


def test_a_scan_that_was_stopped_is_done_again(walk):
    walk("v3.0")
    Scan.objects.update(counts={})
    Sighting.objects.filter(entry__symbol="second").delete()
    walk("v*")
    assert_as_expected()


def test_scans_of_folders_in_any_order_come_to_the_same(shop, loader, tmp_path):
    for release in ("v2.0", "v3.0", "v1.0", "v2.1", "v1.0.1"):
        folder = tmp_path / release
        shop.git("worktree", "add", "--quiet", str(folder), release)
        (folder / ".git").unlink()
        request = ScanRequest(path=str(folder), repository=NAME, release=release, workers=1)
        scan_into_base(request, clock=loader.clock, allow_removals=True)
    shop.git("worktree", "prune")
    assert_as_expected()


def test_entries_of_people_keep_their_documents_and_get_their_releases(walk, loader):
    document = {
        "schema_version": "1.0",
        "repository": NAME,
        "message": "the second is wrong",
        "exception_type": "ValueError",
        "meaning": "It is wrong.",
        "source": {"path": "shop/a.py", "line": 6, "symbol": "second", "release": "v1.0"},
    }
    loader.put("words.json", document)
    walk("v*")
    assert_as_expected()
    assert ErrorEntry.objects.get(symbol="second").as_document() == document


def test_a_tag_without_source_is_named(walk, shop):
    only_words = Repository(shop.folder.parent / "words") if not (shop.folder.parent / "words").exists() else None
    assert only_words is not None
    only_words.commit("README.md", "words", tag="v0.1")
    only_words.commit("a.py", raising("first", "the first is missing"), tag="v0.2")
    report = walk("v*", folder=only_words.folder)
    assert report.problems == ["tag v0.1: it holds no source that can be read"]
    assert list(Scan.objects.values_list("release", flat=True)) == ["v0.2"]


def test_a_tag_that_was_moved_is_named_and_its_release_kept(walk, shop):
    walk("v*")
    before = Release.objects.get(name="v2.0").commit
    shop.git("tag", "--force", "v2.0", "v3.0")
    try:
        report = walk("v*")
    finally:
        shop.git("tag", "--force", "v2.0", before)
    assert len(report.problems) == 1
    assert report.problems[0].startswith(f"tag v2.0: it pointed to {before[:10]} when it was scanned")
    assert Release.objects.get(name="v2.0").commit == before
    assert_as_expected()


def test_tags_that_are_no_versions_stand_where_history_has_them(walk, shop):
    shop.git("tag", "nightly", "v2.1")
    try:
        walk("v2.0", "v3.0", "nightly")
    finally:
        shop.git("tag", "--delete", "nightly")
    assert list(Release.objects.order_by("rank").values_list("name", flat=True)) == ["v2.0", "nightly", "v3.0"]
    assert history()["third"].keys() == {"nightly", "v3.0"}


def test_nothing_is_stored_where_no_tag_matches(walk):
    with pytest.raises(TreeError, match=r"No tag of shop matches 'w\*'"):
        walk("v*", "w*")
    assert not Release.objects.exists()
    assert not ErrorEntry.objects.exists()


def test_an_older_commit_that_nobody_scanned_stands_where_history_has_it(loader, tmp_path):
    """Its date says nothing: it is later than that of the release that came from it."""
    shop = Repository(tmp_path / "late")
    first, second = raising("first", "the first is missing"), raising("second", "the second is wrong")
    shop.commit("a.py", first, tag="v1.0")
    between = shop.commit("a.py", first + second, when="2036-01-01T00:00:00Z")
    shop.commit("a.py", "\n" + first + second, tag="v2.0")
    for revision in ("v1.0", "v2.0", between):
        shop.git("checkout", "--quiet", revision)
        request = ScanRequest(path=str(shop.folder), repository=NAME, workers=1, commits=False)
        scan_into_base(request, clock=loader.clock)
    scans = Scan.objects.order_by("rank").values_list("release", "follows", "of_release__parents")
    assert list(scans) == [("v1.0", [], []), ("", ["v1.0"], None), ("v2.0", [], ["v1.0"])]
    assert dict(ErrorEntry.objects.values_list("symbol", "line")) == {"first": 3, "second": 7}
    assert not ErrorEntry.objects.filter(removed=True).exists()
