"""Which commit, and which pull request, introduced, reworded, moved and removed an error: histories made by git."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from errorkb.ingest.scans.commit_links import link_scan
from errorkb.ingest.scans.scanning import ScanRequest, scan_into_base
from errorkb.models import ErrorEntry, FoundPullRequest, Scan
from tests.repositories import Repository

NOW = datetime(2026, 10, 1, tzinfo=UTC)
HEAD = "def f(x):\n    if not x:\n        raise ValueError('the first check of all')\n"
ROOM = """\
def room(x):
    if not x:
        raise ValueError(
            'no room is left '
            'for %s' % x
        )
"""
OLD = "def room(x):\n    if not x:\n        raise ValueError('there is no space for %s' % x)\n"


class History:
    """A repository whose commits are scanned at its tags."""

    def __init__(self, folder: Path) -> None:
        self.repository = Repository(folder)
        self.names: dict[str, str] = {}

    def commit(self, subject: str, files: dict[str, str | None], *, tag: str = "", body: str = "") -> str:
        for path, content in files.items():
            place = self.repository.folder / path
            if content is None:
                self.repository.git("rm", "-q", "--", path)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content)
            self.repository.git("add", "--", path)
        self.repository.git("commit", "-q", "--allow-empty", "-m", subject, *(["-m", body] if body else []))
        if tag:
            self.tag(tag)
        self.names[subject] = self.repository.git("rev-parse", "HEAD")
        return self.names[subject]

    def tag(self, tag: str) -> None:
        self.repository.git("tag", tag)

    def merge(self, branch: str, subject: str, body: str = "") -> str:
        self.repository.git("merge", "-q", "--no-ff", "-m", subject, *(["-m", body] if body else []), branch)
        return self.repository.git("rev-parse", "HEAD")

    def scan(self, *tags: str, **options) -> None:
        for tag in tags:
            self.repository.git("checkout", "-q", tag)
            request = ScanRequest(path=str(self.repository.folder), repository="o/n", release=tag, workers=1, **options)
            scan_into_base(request, clock=lambda: NOW, allow_removals=True)
        self.repository.git("checkout", "-q", "main")


@pytest.fixture
def history(tmp_path, db) -> History:
    made = History(tmp_path / "repository")
    made.commit("Begin", {"a.py": HEAD}, tag="v1.0")
    return made


def told(**conditions) -> list[tuple[str, int | None, str]]:
    """Return role, number and the subject of the commit of all that git has told, in the order of the releases."""
    rows = FoundPullRequest.objects.filter(origin="git", **conditions).order_by("scan__rank", "role", "number")
    return [(row.role, row.number, row.evidence[0]["text"].rpartition(": ")[2]) for row in rows]


def test_a_squash_merge_introduced_it(history):
    history.commit("Tidy (#4)", {"b.py": "x = 1\n"})
    name = history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + ROOM})
    history.commit("Tidy again (#13)", {"a.py": "# tidy\n" + HEAD + ROOM}, tag="v1.1")
    history.scan("v1.0", "v1.1")
    assert told() == [("introduced", 12, "Refuse empty rooms (#12)")]
    row = FoundPullRequest.objects.get()
    assert (row.commit, row.since, row.until) == (name, "v1.0", "v1.1")
    assert row.committed_at.endswith("Z")
    assert [piece["kind"] for piece in row.evidence] == ["commit", "merge"]
    assert "added “no room is left” to a.py" in row.evidence[0]["text"]


@pytest.mark.parametrize(
    ("subject", "body", "number"),
    [
        ("Merge pull request #31 from ada/rooms", "Refuse empty rooms", 31),
        ("Merge branch 'rooms' into 'main'", "Refuse\n\nSee merge request shop/hotel!32", 32),
        ("Merged in rooms (pull request #7)", "", 7),
        ("Merge branch 'rooms'", "", None),
    ],
)
def test_a_merge_names_the_pull_request_of_its_commits(history, subject, body, number):
    history.repository.git("checkout", "-q", "-b", "rooms")
    history.commit("Prepare", {"c.py": "y = 2\n"})
    name = history.commit("Refuse empty rooms", {"a.py": HEAD + ROOM})
    history.repository.git("checkout", "-q", "main")
    history.commit("Meanwhile (#30)", {"b.py": "x = 1\n"})
    history.merge("rooms", subject, body)
    history.commit("Later (#40)", {"b.py": "x = 2\n"}, tag="v1.1")
    history.scan("v1.0", "v1.1")
    assert told() == [("introduced", number, "Refuse empty rooms")]
    assert FoundPullRequest.objects.get().commit == name


def test_a_merge_of_main_into_the_branch_is_not_what_brought_it(history):
    history.repository.git("checkout", "-q", "-b", "rooms")
    history.commit("Prepare", {"c.py": "y = 2\n"})
    history.repository.git("checkout", "-q", "main")
    history.commit("Refuse empty rooms (#29)", {"a.py": HEAD + ROOM})
    history.repository.git("checkout", "-q", "rooms")
    history.merge("main", "Merge branch 'main' into rooms")
    history.commit("Go on", {"c.py": "y = 3\n"})
    history.repository.git("checkout", "-q", "main")
    history.merge("rooms", "Merge pull request #31 from ada/rooms")
    history.tag("v1.1")
    history.scan("v1.0", "v1.1")
    assert told() == [("introduced", 29, "Refuse empty rooms (#29)")]


def test_after_a_revert_the_commit_that_brought_it_again_did_it(history):
    history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + ROOM})
    history.commit('Revert "Refuse empty rooms (#12)" (#13)', {"a.py": HEAD})
    history.commit("Refuse empty rooms, again (#14)", {"a.py": HEAD + ROOM}, tag="v1.1")
    history.scan("v1.0", "v1.1")
    assert told() == [("introduced", 14, "Refuse empty rooms, again (#14)")]


def test_a_revert_removed_it_and_names_no_other_number(history):
    history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + ROOM}, tag="v1.1")
    history.commit('Revert "Refuse empty rooms (#12)"', {"a.py": HEAD}, tag="v1.2")
    history.scan("v1.0", "v1.1", "v1.2")
    assert told() == [
        ("introduced", 12, "Refuse empty rooms (#12)"),
        ("removed", None, 'Revert "Refuse empty rooms (#12)"'),
    ]


def test_a_rename_does_not_hide_who_introduced_it(history):
    history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + ROOM})
    history.commit("Rename (#13)", {"a.py": None, "hotel/rooms.py": HEAD + ROOM}, tag="v1.1")
    history.scan("v1.0", "v1.1")
    assert ("introduced", 12, "Refuse empty rooms (#12)") in told()
    assert ("moved", 13, "Rename (#13)") in told()


def test_a_function_that_went_to_another_file_in_between_is_followed(history):
    history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + ROOM})
    history.commit("Move (#13)", {"a.py": HEAD, "b.py": ROOM}, tag="v1.1")
    history.scan("v1.0", "v1.1")
    assert told() == [("introduced", 12, "Refuse empty rooms (#12)")]


def test_a_move_between_releases_is_told_as_such(history):
    history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + ROOM}, tag="v1.1")
    history.commit("Move (#13)", {"a.py": HEAD, "b.py": ROOM}, tag="v1.2")
    history.scan("v1.1", "v1.2")
    assert told() == [("moved", 13, "Move (#13)")]


def test_a_rewording_is_told_with_its_own_commit(history):
    history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + OLD}, tag="v1.1")
    history.commit("Touch (#13)", {"a.py": "# x\n" + HEAD + OLD})
    history.commit("Say it better (#14)", {"a.py": "# x\n" + HEAD + ROOM})
    history.commit("Touch again (#15)", {"a.py": "# xy\n" + HEAD + ROOM}, tag="v1.2")
    history.scan("v1.0", "v1.1", "v1.2")
    assert told() == [("introduced", 12, "Refuse empty rooms (#12)"), ("reworded", 14, "Say it better (#14)")]


def test_a_throw_without_a_text_is_known_by_its_line(history):
    bare = "def g(x):\n    if not x:\n        raise LookupError(x)\n"
    history.commit("Look up (#12)", {"a.py": HEAD + bare}, tag="v1.1")
    history.scan("v1.0", "v1.1")
    assert told() == [("introduced", 12, "Look up (#12)")]


def test_claims_nothing_where_two_commits_may_be_meant(history):
    again = ROOM.replace("def room", "def other")
    history.commit("One (#12)", {"a.py": HEAD + ROOM})
    history.commit("Two (#13)", {"a.py": HEAD + ROOM + again}, tag="v1.1")
    history.scan("v1.0", "v1.1")
    assert told() == []
    assert ErrorEntry.objects.count() == 3


def test_claims_nothing_of_the_first_release_that_was_scanned(history):
    history.scan("v1.0")
    assert told() == []


def test_claims_nothing_in_a_shallow_clone(history, tmp_path):
    history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + ROOM}, tag="v1.1")
    history.scan("v1.0", "v1.1", commits=False)
    shallow = tmp_path / "shallow"
    history.repository.git("clone", "-q", "--depth=1", f"file://{history.repository.folder}", str(shallow))
    found = link_scan(Scan.objects.get(release="v1.1"), shallow, now=NOW)
    assert (found.asked, found.found, found.cut) == (1, 0, "the clone is shallow: it lacks earlier commits")
    assert told() == []


def test_is_the_same_when_scanned_again_and_in_another_order(history):
    history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + OLD}, tag="v1.1")
    history.commit("Say it better (#14)", {"a.py": HEAD + ROOM}, tag="v1.2")
    history.scan("v1.0", "v1.1", "v1.2")
    first = told()
    history.scan("v1.1", "v1.0", "v1.2")
    assert told() == first
    FoundPullRequest.objects.all().delete()
    Scan.objects.all().delete()
    ErrorEntry.objects.all().delete()
    history.scan("v1.2", "v1.0", "v1.1")
    assert sorted(told()) == sorted(first)


def test_runs_no_program_that_a_repository_names(history, tmp_path):
    mark = tmp_path / "ran"
    for name in ("diff.external", "diff.x.textconv", "diff.x.command", "gpg.program", "core.pager"):
        history.repository.git("config", name, f"touch {mark}; cat")
    history.repository.git("config", "log.showSignature", "true")
    history.commit("Refuse empty rooms (#12)", {"a.py": HEAD + ROOM, ".gitattributes": "*.py diff=x\n"}, tag="v1.1")
    history.scan("v1.0", "v1.1")
    assert told() == [("introduced", 12, "Refuse empty rooms (#12)")]
    assert not mark.exists()
