from errorkb.ingest.sources import open_source
from tests.ingest.sources.trees import BASKET, BASKET_LATER, SHOP, read
from tests.repositories import Repository


def test_reads_a_checkout_at_the_pin_whatever_is_checked_out(repository):
    first = repository.commit("src/shop/basket.py", BASKET, tag="v1.0")
    second = repository.commit("src/shop/basket.py", BASKET_LATER, tag="v2.0")
    (repository.folder / "src/shop/basket.py").write_text("edited")
    tree = open_source(str(repository.folder))
    path = "src/shop/basket.py"
    assert read(tree, SHOP, path, commit=first) == (BASKET, f"git checkout at {first[:10]}")
    assert read(tree, SHOP, path, commit=first[:8].upper()) == (BASKET, f"git checkout at {first[:8]}")
    assert read(tree, SHOP, path, commit=second) == (BASKET_LATER, f"git checkout at {second[:10]}")
    assert read(tree, SHOP, path, release="v1.0") == (BASKET, "git checkout at v1.0")
    # of commit and release the commit is the pin
    assert read(tree, SHOP, path, commit=second, release="v1.0") == (BASKET_LATER, f"git checkout at {second[:10]}")


def test_reads_a_bare_repository_and_a_linked_work_tree(repository, tmp_path):
    commit = repository.commit("basket.py", BASKET)
    repository.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    for folder in ("bare", "linked"):
        assert read(open_source(str(tmp_path / folder)), SHOP, "basket.py", commit=commit) is not None


def test_reads_the_work_tree_where_git_lacks_the_file_and_it_is_unchanged(repository):
    commit = repository.commit("basket.py", BASKET)
    repository.forget("HEAD:basket.py")
    assert read(open_source(str(repository.folder)), SHOP, "basket.py", commit=commit) == (
        BASKET,
        f"git checkout at {commit[:10]}",
    )
    (repository.folder / "basket.py").write_text(BASKET_LATER)
    assert read(open_source(str(repository.folder)), SHOP, "basket.py", commit=commit) is None


def test_does_not_read_the_work_tree_of_another_commit(repository):
    first = repository.commit("basket.py", BASKET)
    repository.commit("other.py", "x = 1\n")
    repository.forget("HEAD:basket.py")
    assert read(open_source(str(repository.folder)), SHOP, "basket.py", commit=first) is None


def test_does_not_fetch_what_a_partial_clone_lacks(repository, tmp_path):
    first = repository.commit("basket.py", BASKET)
    repository.commit("basket.py", BASKET_LATER)
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial"
    repository.git("clone", "--quiet", "--filter=blob:none", f"file://{repository.folder}", str(clone))
    before = sorted(clone.rglob("*.pack"))
    assert read(open_source(str(clone)), SHOP, "basket.py", commit=first) is None
    assert sorted(clone.rglob("*.pack")) == before


def test_runs_no_program_that_a_checkout_names(repository, tmp_path):
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    commit = repository.commit("basket.py", BASKET)
    repository.commit(".gitattributes", "*.py filter=evil diff=evil\n")
    for setting in ("filter.evil.smudge", "diff.evil.textconv", "core.fsmonitor", "core.pager", "core.sshCommand"):
        repository.git("config", setting, str(program))
    repository.git("config", "remote.origin.url", str(tmp_path))
    repository.git("config", "remote.origin.uploadpack", str(program))
    repository.git("config", "extensions.partialClone", "origin")
    repository.git("config", "remote.origin.promisor", "true")
    mark.unlink(missing_ok=True)
    tree = open_source(str(repository.folder))
    assert read(tree, SHOP, "basket.py", commit=commit) is not None
    assert read(tree, SHOP, "missing.py", commit=commit) is None
    assert read(tree, SHOP, "basket.py", commit="f" * 40) is None
    assert not mark.exists()


def test_is_not_led_astray_by_the_callers_git(repository, tmp_path, monkeypatch):
    commit = repository.commit("basket.py", BASKET)
    other = Repository(tmp_path / "other")
    other.commit("basket.py", BASKET_LATER)
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.folder / ".git" / "objects"))
    assert read(open_source(str(repository.folder)), SHOP, "basket.py", commit=commit) is not None


def test_takes_no_branch_for_a_commit_and_no_expression_for_a_tag(repository):
    repository.commit("basket.py", BASKET, tag="v1.0")
    repository.git("branch", "abcdef0123")
    repository.git("tag", "deadbeef00")
    tree = open_source(str(repository.folder))
    for commit in ("abcdef0123", "deadbeef00", "0" * 40, "main", "HEAD", "--help"):
        assert read(tree, SHOP, "basket.py", commit=commit) is None
    for release in ("v1.0^0", "v1.0~0", "v1.0@{0}", "main", "../heads/main", "-v1.0", "v1.0\n", "v9", "\ud800"):
        assert read(tree, SHOP, "basket.py", release=release) is None


def test_follows_links_inside_a_checkout_only(repository, tmp_path):
    (tmp_path / "secret.py").write_text("secret\n")
    repository.commit("real/basket.py", BASKET)
    for name, target in {"inner.py": "real/basket.py", "outer.py": "../secret.py", "loop.py": "loop.py"}.items():
        (repository.folder / name).symlink_to(target)
        repository.git("add", "--", name)
    (repository.folder / "away.py").symlink_to(tmp_path / "secret.py")
    repository.git("add", "--", "away.py")
    commit = repository.commit_index()
    tree = open_source(str(repository.folder))
    assert read(tree, SHOP, "inner.py", commit=commit) is not None
    for name in ("outer.py", "loop.py", "away.py", "real"):
        assert read(tree, SHOP, name, commit=commit) is None
