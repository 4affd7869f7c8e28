import os
import subprocess

import pytest

from errorkb.scanning.files import MAX_BYTES
from errorkb.scanning.opening import open_tree
from errorkb.scanning.sites import ScanProblem
from errorkb.scanning.trees import Origin, Pin, TreeError
from tests.repositories import Repository
from tests.scanning.trees import BASKET, BASKET_ID, contents, is_python, problems


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "shop")


def test_reads_the_files_of_head_with_git_s_names_for_them(repository):
    commit = repository.commit("src/shop/basket.py", BASKET)
    repository.commit("README", "A shop\n")
    head = repository.git("rev-parse", "HEAD")
    assert commit != head
    with open_tree(str(repository.folder)) as tree:
        [blob] = tree.blobs(is_python)
        assert (blob.path, blob.id, tree.read(blob)) == ("src/shop/basket.py", BASKET_ID, BASKET.encode())
    assert tree.pin.commit == head
    assert tree.title == f"the git checkout shop at {head[:10]}"


def test_dates_the_pin_by_the_commit(repository, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    repository.commit("basket.py", BASKET)
    repository.git("commit", "--amend", "--no-edit", "--quiet", "--date=2020-01-01T00:00:00Z")
    committed = int(repository.git("show", "--no-patch", "--format=%ct"))
    with open_tree(str(repository.folder)) as tree:
        assert tree.pin.date.endswith("Z")
        assert subprocess.check_output(["date", "-d", tree.pin.date, "+%s"], text=True).strip() == str(committed)


@pytest.mark.parametrize(
    ("tags", "given", "release"),
    [
        ((), "", ""),
        (("v1.0",), "", "v1.0"),
        (("v1.0", "stable"), "", ""),
        (("v1.0",), "v1.0-final", "v1.0-final"),
    ],
)
def test_takes_the_release_that_is_given_else_the_only_tag_at_head(repository, tags, given, release):
    repository.commit("basket.py", BASKET, tag="v0.9")
    repository.commit("other.py", "")
    for tag in tags:
        repository.git("tag", tag)
    assert open_tree(str(repository.folder), release=given).pin.release == release


@pytest.mark.parametrize(
    ("remotes", "name"),
    [
        ({}, ""),
        ({"origin": "git@github.com:shop/shop.git"}, "shop/shop"),
        ({"origin": "https://me:secret@gitlab.com/shop/shop.git", "other": "/srv/x"}, "gitlab.com/shop/shop"),
        ({"upstream": "https://github.com/shop/shop"}, "shop/shop"),
        ({"one": "https://github.com/shop/one", "two": "https://github.com/shop/two"}, ""),
        ({"origin": "/srv/git/shop.git", "upstream": "https://github.com/shop/shop"}, ""),
    ],
)
def test_takes_the_repository_from_the_remote(repository, remotes, name):
    repository.commit("basket.py", BASKET)
    for remote, url in remotes.items():
        repository.git("remote", "add", remote, url)
    assert open_tree(str(repository.folder)).origin == Origin(name)


def test_refuses_changed_files_by_name(repository):
    for name in ("a.py", "b.py", "c.py", "d.py"):
        commit = repository.commit(name, BASKET)
        (repository.folder / name).write_text("changed")
    (repository.folder / "e.py").write_text("untracked files change nothing that is scanned")
    with pytest.raises(TreeError) as raised:
        open_tree(str(repository.folder))
    assert str(raised.value) == (
        "shop has files that differ from HEAD: a.py, b.py, c.py and 1 more. Commit them, or scan the work tree as "
        "it is with --allow-dirty."
    )
    tree = open_tree(str(repository.folder), allow_dirty=True)
    assert (tree.pin.commit, tree.pin.dirty) == (commit, True)
    assert contents(tree) == dict.fromkeys(("a.py", "b.py", "c.py", "d.py"), "changed")


@pytest.mark.parametrize("change", ["staged", "deleted", "added"])
def test_sees_every_kind_of_change(repository, change):
    repository.commit("basket.py", BASKET)
    repository.commit("other.py", BASKET)
    match change:
        case "staged":
            (repository.folder / "basket.py").write_text("changed")
            repository.git("add", "basket.py")
        case "deleted":
            (repository.folder / "basket.py").unlink()
        case "added":
            (repository.folder / "new.py").write_text(BASKET)
            repository.git("add", "new.py")
    with pytest.raises(TreeError):
        open_tree(str(repository.folder))
    read = contents(open_tree(str(repository.folder), allow_dirty=True))
    assert (
        read
        == {
            "staged": {"basket.py": "changed", "other.py": BASKET},
            "deleted": {"other.py": BASKET},
            "added": {"basket.py": BASKET, "other.py": BASKET, "new.py": BASKET},
        }[change]
    )


def test_a_clean_tree_with_untracked_files_is_head(repository):
    repository.commit("basket.py", BASKET)
    (repository.folder / "new.py").write_text(BASKET)
    tree = open_tree(str(repository.folder))
    assert (tree.pin.dirty, list(contents(tree))) == (False, ["basket.py"])


def test_reads_a_file_at_its_new_place_under_the_same_name_in_git(repository):
    repository.commit("old/basket.py", BASKET)
    (repository.folder / "new").mkdir()
    repository.git("mv", "old/basket.py", "new/basket.py")
    repository.commit_index()
    with open_tree(str(repository.folder)) as tree:
        assert [(blob.path, blob.id) for blob in tree.blobs(is_python)] == [("new/basket.py", BASKET_ID)]


def test_reads_one_folder_of_a_checkout_and_knows_its_place(repository):
    repository.commit("python/shop/basket.py", BASKET)
    repository.commit("rust/other.py", BASKET)
    (repository.folder / "rust" / "other.py").write_text("changed elsewhere")
    tree = open_tree(str(repository.folder / "python"))
    assert tree.origin.path_prefix == "python/"
    assert list(contents(tree)) == ["shop/basket.py"]
    (repository.folder / "python" / "shop" / "basket.py").write_text("changed")
    dirty = open_tree(str(repository.folder / "python"), allow_dirty=True)
    assert (dirty.origin.path_prefix, contents(dirty)) == ("python/", {"shop/basket.py": "changed"})


def test_a_folder_inside_a_checkout_that_git_does_not_track_is_a_plain_folder(repository):
    repository.commit("basket.py", BASKET)
    (repository.folder / "unpacked").mkdir()
    (repository.folder / "unpacked" / "other.py").write_text(BASKET)
    with pytest.raises(TreeError, match="unpacked is not a git checkout"):
        open_tree(str(repository.folder / "unpacked"))
    tree = open_tree(str(repository.folder / "unpacked"), release="v1")
    assert (tree.pin, list(contents(tree))) == (Pin(release="v1"), ["other.py"])


def test_reads_bare_repositories_shallow_clones_and_linked_work_trees(repository, tmp_path):
    repository.commit("basket.py", "old")
    commit = repository.commit("basket.py", BASKET, tag="v2")
    address = f"file://{repository.folder}"
    repository.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    repository.git("clone", "--quiet", "--depth=1", "--branch=v2", address, str(tmp_path / "shallow"))
    repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    for name in ("bare.git", "shallow", "linked"):
        tree = open_tree(str(tmp_path / name))
        assert (tree.pin.commit, tree.pin.release) == (commit, "v2")
        assert contents(tree) == {"basket.py": BASKET}


def test_passes_over_submodules(repository, tmp_path):
    inner = Repository(tmp_path / "inner")
    inner.commit("inner.py", BASKET)
    repository.commit("basket.py", BASKET)
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.folder), "inner.py")
    repository.commit_index()
    tree = open_tree(str(repository.folder))
    assert contents(tree) == {"basket.py": BASKET}
    assert problems(tree) == {}
    (repository.folder / "inner.py" / "inner.py").write_text("changed")
    assert not open_tree(str(repository.folder)).pin.dirty
    (repository.folder / "basket.py").write_text("changed")
    assert contents(open_tree(str(repository.folder), allow_dirty=True)) == {"basket.py": "changed"}


LINKS = {
    "loop.py": "loop.py",
    "one.py": "two.py",
    "two.py": "one.py",
    "shop/up": "..",
    "shop/self": ".",
    "out.py": "../secret.py",
    "away.py": "/etc/hostname",
    "hop.py": "out.py",
    "fine.py": "shop/basket.py",
    "shop/fine": "../shop",
    "broken.py": "nowhere.py",
}
LOOPS = "a link that leads back to itself"
LEAVES = "a link that leads out of the tree"


def test_follows_no_links_and_reports_those_that_loop_or_leave(repository, tmp_path):
    (tmp_path / "secret.py").write_text("secret")
    repository.commit("shop/basket.py", BASKET)
    for name, target in LINKS.items():
        (repository.folder / name).symlink_to(target)
    repository.git("add", "--", *LINKS)
    repository.commit_index()
    tree = open_tree(str(repository.folder))
    assert contents(tree) == {"shop/basket.py": BASKET}
    assert problems(tree) == {
        **dict.fromkeys(("loop.py", "one.py", "two.py", "shop/up", "shop/self", "shop/fine"), LOOPS),
        **dict.fromkeys(("out.py", "away.py", "hop.py"), LEAVES),
    }


def test_a_link_out_of_the_scanned_folder_may_stay_in_the_repository(repository):
    repository.commit("docs/a.py", BASKET)
    repository.commit("python/basket.py", BASKET)
    (repository.folder / "python" / "docs").symlink_to("../docs")
    repository.git("add", "python/docs")
    repository.commit_index()
    tree = open_tree(str(repository.folder / "python"))
    assert (list(contents(tree)), problems(tree)) == (["basket.py"], {})


def test_passes_over_what_cannot_be_read_or_written_down(repository):
    repository.commit("basket.py", BASKET)
    repository.commit("large.py", b"x\n" * (MAX_BYTES // 2 + 1))
    repository.commit("exact.py", b"x" * MAX_BYTES)
    repository.commit("/".join(["deep" * 20] * 7) + "/a.py", BASKET)
    repository.commit("gone.py", "gone\n")
    repository.commit(".hidden.py", BASKET)
    repository.commit(".github/tool.py", BASKET)
    for name in (b"caf\xe9.py", b"line\nbreak.py", b"back\\slash.py", b"-rf.py", b"\xe2\x80\xae.py"):
        with open(os.fsencode(repository.folder) + b"/" + name, "w") as file:  # noqa: PTH123
            file.write(BASKET)
    repository.git("add", "--", ".")
    repository.commit_index()
    repository.forget("HEAD:gone.py")
    tree = open_tree(str(repository.folder))
    assert sorted(contents(tree)) == ["-rf.py", "basket.py", "exact.py"]
    unusual = "its name holds characters that paths in documents cannot have"
    assert problems(tree) == {
        "large.py": "it has more than 4 MiB",
        "/".join(["deep" * 20] * 7) + "/a.py": "its path has more than 500 characters",
        "gone.py": "git does not have its content here",
        "caf\\xe9.py": unusual,
        "line\\nbreak.py": unusual,
        "back\\slash.py": unusual,
        "\\u202e.py": unusual,
    }


def test_goes_on_after_a_file_whose_stored_form_is_broken(repository):
    repository.commit("a.py", "broken\n")
    repository.commit("b.py", BASKET)
    name = repository.git("rev-parse", "HEAD:a.py")
    place = repository.folder / ".git" / "objects" / name[:2] / name[2:]
    place.chmod(0o644)
    place.write_bytes(place.read_bytes()[:-3] + b"xxx")
    tree = open_tree(str(repository.folder))
    assert (list(contents(tree)), list(problems(tree))) == (["b.py"], ["a.py"])


def test_runs_no_program_that_a_repository_names(repository, tmp_path):
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    repository.commit(".gitattributes", "*.py filter=evil diff=evil filter=e=v.il\n*.txt filter=process\n")
    repository.commit("basket.py", BASKET)
    repository.commit("notes.txt", BASKET)
    for setting in (
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.e=v.il.clean",
        "filter.process.process",
        "diff.evil.textconv",
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "gpg.program",
        "alias.status",
        "remote.origin.uploadpack",
    ):
        repository.git("config", setting, f"!{program}" if setting.startswith("alias") else str(program))
    for setting in ("filter.evil.required", "filter.process.required", "log.showSignature", "remote.origin.promisor"):
        repository.git("config", setting, "true")
    repository.git("config", "extensions.partialClone", "origin")
    repository.git("config", "core.worktree", str(tmp_path))
    for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        (repository.folder / ".git" / "hooks" / hook).symlink_to(program)
    mark.unlink(missing_ok=True)
    # The same content, newly written: git has to look into the files, and would filter them.
    for name in ("basket.py", "notes.txt"):
        (repository.folder / name).unlink()
        (repository.folder / name).write_text(BASKET)
    assert contents(open_tree(str(repository.folder))) == {"basket.py": BASKET}
    (repository.folder / "basket.py").write_text("changed")
    assert contents(open_tree(str(repository.folder), allow_dirty=True)) == {"basket.py": "changed"}
    assert not mark.exists()


def test_is_not_led_astray_by_the_callers_git(repository, tmp_path, monkeypatch):
    repository.commit("basket.py", BASKET)
    other = Repository(tmp_path / "other")
    other.commit("other.py", "other")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.folder / ".git" / "index"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.bare")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    assert contents(open_tree(str(repository.folder))) == {"basket.py": BASKET}


def test_reads_a_checkout_of_somebody_else(repository):
    repository.commit("basket.py", BASKET)
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    for folder, _, files in os.walk(repository.folder):
        for name in (".", *files):
            os.chown(os.path.join(folder, name), 12345, 12345)  # noqa: PTH118
    assert contents(open_tree(str(repository.folder))) == {"basket.py": BASKET}


def test_does_not_fetch_what_a_partial_clone_lacks(repository, tmp_path):
    repository.commit("basket.py", BASKET)
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial.git"
    repository.git("clone", "--quiet", "--bare", "--filter=blob:none", f"file://{repository.folder}", str(clone))
    before = sorted(clone.rglob("*.pack"))
    assert problems(open_tree(str(clone))) == {"basket.py": "git does not have its content here"}
    assert sorted(clone.rglob("*.pack")) == before


def test_refuses_a_tree_of_trees_without_end(repository):
    repository.commit("basket.py", BASKET)
    tree = repository.git("rev-parse", "HEAD^{tree}")
    for _ in range(12):
        listed = "".join(f"040000 tree {tree}\tfolder{number}\n" for number in range(10))
        made = subprocess.run(
            ["git", "-C", repository.folder, "mktree"], input=listed, capture_output=True, text=True, check=True
        )
        tree = made.stdout.strip()
    repository.git("update-ref", "HEAD", repository.git("commit-tree", "-m", "endless", tree))
    repository.git("config", "core.bare", "true")
    bare = repository.folder.rename(repository.folder.parent / "bare")
    with pytest.raises(TreeError, match="it holds too much"):
        open_tree(str(bare / ".git"))


@pytest.mark.parametrize(
    ("break_it", "text"),
    [
        (lambda git: (git / "HEAD").write_text("nonsense"), "git data that git cannot read"),
        (lambda git: (git / "HEAD").write_text("ref: refs/heads/none\n"), "a git checkout without a commit"),
        (lambda git: (git / "config").write_text("[core\n"), "git data that git cannot read: fatal: bad config"),
        (lambda git: (git / "index").write_bytes(b"nonsense"), "git data that git cannot read"),
    ],
)
def test_says_what_is_wrong_with_a_repository(repository, break_it, text):
    repository.commit("basket.py", BASKET)
    break_it(repository.folder / ".git")
    with pytest.raises(TreeError, match=text):
        open_tree(str(repository.folder))


def test_says_when_git_is_missing(repository, monkeypatch):
    repository.commit("basket.py", BASKET)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(TreeError, match="git does not run here"):
        open_tree(str(repository.folder))


def test_a_tree_may_be_read_again_after_it_was_closed(repository):
    repository.commit("basket.py", BASKET)
    tree = open_tree(str(repository.folder))
    assert contents(tree) == contents(tree) == {"basket.py": BASKET}
    assert not any(isinstance(blob, ScanProblem) for blob in tree.blobs(is_python))
