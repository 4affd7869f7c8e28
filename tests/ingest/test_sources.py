"""Tests of source trees: real git repositories, the installed Django, folders, and what must not be read."""

import json
import os
import subprocess
from pathlib import Path

import django
import pytest

from errorkb.core.documents import EntryDocument, validate_document
from errorkb.ingest.sources import RepositoryFacts, SourceError, SourceFile, examine, open_source
from errorkb.ingest.sources.files import MAX_BYTES
from errorkb.ingest.sources.trees import _KEPT_BYTES

DJANGO = RepositoryFacts("django/django", "pkg:pypi/django")
OPTIONS = "django/db/models/options.py"
PINNED = "5.2.19"
SHOP = RepositoryFacts("shop/shop", "pkg:pypi/shop", "src", "v{version}")

# In Django 5.2.19, counted by hand.
GET_FIELD = {"path": OPTIONS, "line": 685, "end_line": 687, "symbol": "Options.get_field", "release": PINNED}

BASKET = """\
class Basket:
    def add(self, item):
        if item is None:
            raise ValueError("An item is missing")
"""
BASKET_LATER = "import logging\n\n\n" + BASKET


def entry(message, exception_type, source, **more):
    document = {"schema_version": "1.0", "repository": "shop/shop", "message": message, "source": source, **more}
    return validate_document(EntryDocument, document | {"exception_type": exception_type})


def read(tree, facts, path, *, commit=None, release=None):
    file = tree.read(facts, path, commit=commit, release=release)
    return file and ("\n".join(file.lines) + "\n", file.origin)


class Repository:
    """A git repository in a folder of the test, written by git itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=A Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false")
        command = ("git", "-C", str(self.folder), *identity, *arguments)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.strip()

    def commit(self, path: str, content: str | bytes, *, tag: str = "") -> str:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.git("add", "--force", "--", path)
        return self.commit_index(tag=tag)

    def commit_index(self, *, tag: str = "") -> str:
        self.git("commit", "--quiet", "--no-verify", "--message", "A change")
        if tag:
            self.git("tag", "--annotate", "--message", tag, tag)
        return self.git("rev-parse", "HEAD")

    def forget(self, revision: str) -> None:
        """Remove an object from git's store."""
        name = self.git("rev-parse", revision)
        (self.folder / ".git" / "objects" / name[:2] / name[2:]).unlink()


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "shop")


# Opening


@pytest.mark.parametrize("spec", ["", "no/such/folder", "nul\0", "x" * 5_000, __file__])
def test_refuses_what_is_no_folder_in_a_sentence(spec):
    with pytest.raises(SourceError, match=r"Give `installed`, `none`, or the path of a checkout"):
        open_source(spec)


def test_refuses_a_checkout_that_git_cannot_read(tmp_path):
    (tmp_path / ".git").mkdir()
    with pytest.raises(SourceError, match="git cannot read"):
        open_source(str(tmp_path))


def test_none_has_no_files():
    assert open_source("none").read(DJANGO, OPTIONS, commit=None, release=PINNED) is None


# Installed distributions


def test_reads_an_installed_distribution_of_the_pinned_version():
    text, origin = read(open_source("installed"), DJANGO, OPTIONS, release=PINNED)
    assert origin == "Django 5.2.19 as installed"
    assert text == (Path(django.__file__).parent / "db/models/options.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("facts", "release"),
    [
        (RepositoryFacts("django/django", "pkg:pypi/Django", "", "v{version}"), "v5.2.19"),
        (RepositoryFacts("django/django", "pkg:pypi/django@5.2", "", ""), "v5.2.19"),
        (RepositoryFacts("django/django", "pkg:pypi/django", "", "stable/{version}"), "stable/5.2.19"),
    ],
)
def test_reads_the_version_out_of_the_tag(facts, release):
    assert read(open_source("installed"), facts, OPTIONS, release=release) is not None


def test_drops_the_prefix_of_a_repositorys_paths():
    facts = RepositoryFacts("django/django", "pkg:pypi/django", "lib/", "")
    assert read(open_source("installed"), facts, f"lib/{OPTIONS}", release=PINNED) is not None
    assert read(open_source("installed"), facts, f"other/{OPTIONS}", release=PINNED) is None


@pytest.mark.parametrize(
    ("facts", "path", "pin"),
    [
        (DJANGO, OPTIONS, {"release": "5.2.18"}),
        (DJANGO, OPTIONS, {"release": "release-5.2.19"}),
        # wheels know no commit
        (DJANGO, OPTIONS, {"commit": "0132848349"}),
        (DJANGO, OPTIONS, {}),
        (RepositoryFacts("django/django"), OPTIONS, {"release": PINNED}),
        (RepositoryFacts("a/b", "pkg:npm/django"), OPTIONS, {"release": PINNED}),
        (RepositoryFacts("a/b", "pkg:pypi/no-such-package-here"), OPTIONS, {"release": PINNED}),
        # another distribution's file
        (DJANGO, "whitenoise/base.py", {"release": PINNED}),
        (DJANGO, "django/no_such.py", {"release": PINNED}),
        # a binary file, by its RECORD Django's
        (DJANGO, "django/conf/locale/de/LC_MESSAGES/django.mo", {"release": PINNED}),
    ],
)
def test_finds_nothing_for_another_version_package_or_path(facts, path, pin):
    assert read(open_source("installed"), facts, path, **pin) is None


# Checkouts


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


# Folders


def wheel(folder: Path, name: str, version: str, files: dict[str, str]) -> Path:
    metadata = folder / f"{name}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (metadata / "RECORD").write_text("".join(f"{path},,\n" for path in files))
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    return folder


def test_reads_an_unpacked_wheel_of_the_pinned_version(tmp_path):
    tree = open_source(str(wheel(tmp_path / "unpacked", "shop", "1.0", {"shop/basket.py": BASKET})))
    expected = (BASKET, "shop 1.0 in the folder unpacked")
    assert read(tree, SHOP, "shop/basket.py", release="v1.0") == expected
    assert read(tree, SHOP, "src/shop/basket.py", release="v1.0.0") == expected
    # the only distribution of the folder needs no name
    assert read(tree, RepositoryFacts("shop/shop"), "shop/basket.py", release="1.0") == expected
    assert read(tree, SHOP, "shop/basket.py", release="v1.1") is None
    assert read(tree, SHOP, "shop/basket.py", commit="0132848349") is None


def test_reads_of_site_packages_only_what_is_the_packages_own(tmp_path):
    folder = wheel(tmp_path / "site", "shop", "1.0", {"shop/basket.py": BASKET})
    wheel(folder, "market", "1.0", {"market/stall.py": BASKET})
    (folder / "unlisted.py").write_text(BASKET)
    tree = open_source(str(folder))
    assert read(tree, SHOP, "shop/basket.py", release="v1.0") is not None
    assert read(tree, SHOP, "market/stall.py", release="v1.0") is None
    assert read(tree, SHOP, "unlisted.py", release="v1.0") is None
    assert read(tree, RepositoryFacts("shop/shop"), "shop/basket.py", release="1.0") is None


@pytest.mark.parametrize("broken", ["RECORD", "METADATA"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\0", b'"' * 200_000, b"a,sha256,x,y\n", None])
def test_survives_broken_metadata(tmp_path, broken, content):
    folder = wheel(tmp_path / "site", "shop", "1.0", {"shop/basket.py": BASKET})
    place = folder / "shop-1.0.dist-info" / broken
    place.unlink()
    if content is not None:
        place.write_bytes(content)
    assert read(open_source(str(folder)), SHOP, "shop/basket.py", release="v2.0") is None


def test_reads_an_unpacked_source_archive_of_the_pinned_version(tmp_path):
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: Shop\nVersion: 1.0\n")
    (tmp_path / "basket.py").write_text(BASKET)
    tree = open_source(str(tmp_path))
    assert read(tree, SHOP, "basket.py", release="v1.0") == (BASKET, f"Shop 1.0 in the folder {tmp_path.name}")
    assert read(tree, SHOP, "basket.py", release="v1.1") is None
    assert read(tree, DJANGO, "basket.py", release="1.0") is None


def test_takes_a_folder_without_metadata_at_its_word(tmp_path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "basket.py").write_text(BASKET)
    tree = open_source(str(tmp_path))
    expected = (BASKET, f"the folder {tmp_path.name}")
    assert read(tree, SHOP, "shop/basket.py", commit="0132848349") == expected
    assert read(tree, SHOP, "src/shop/basket.py", release="v1.0") == expected
    assert read(tree, SHOP, "shop/basket.py") is None


# What documents must not reach

HOSTILE_PATHS = [
    "../secret.py",
    "shop/../../secret.py",
    "shop/../shop/basket.py",
    "/etc/passwd",
    "//etc/passwd",
    "./shop/basket.py",
    "shop//basket.py",
    "shop/basket.py/",
    "shop/basket.py\0",
    "shop/basket.py\n",
    "shop\\basket.py",
    "",
    ".",
    "..",
    "shop",
    "shop/basket.py/x",
    "x" * 600,
    "/".join("x" * 300),
    "\ud800",
    ":(top)shop/basket.py",
    "-",
    ".env",
    ".git/config",
    "shop/.hidden.py",
    "link.py",
    "linked/secret.py",
    "loop.py",
    "pipe.py",
    "large.py",
    "binary.py",
    "latin.py",
]


@pytest.fixture
def hostile_folder(tmp_path):
    (tmp_path / "secret.py").write_text("secret\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").write_text("secret\n")
    folder = tmp_path / "folder"
    (folder / "shop").mkdir(parents=True)
    (folder / "shop" / "basket.py").write_text(BASKET)
    (folder / "shop" / ".hidden.py").write_text("secret\n")
    (folder / ".env").write_text("SECRET=1\n")
    (folder / "link.py").symlink_to(tmp_path / "secret.py")
    (folder / "linked").symlink_to(tmp_path / "outside")
    (folder / "loop.py").symlink_to("loop.py")
    os.mkfifo(folder / "pipe.py")
    (folder / "large.py").write_bytes(b"x\n" * (MAX_BYTES // 2 + 1))
    (folder / "binary.py").write_bytes(b"x\0y\n")
    (folder / "latin.py").write_bytes("x = 'é'\n".encode("latin-1"))
    return folder


@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_reads_nothing_but_plain_text_below_a_folder(hostile_folder, path):
    assert open_source(str(hostile_folder)).read(SHOP, path, commit="0132848349", release="v1.0") is None


@pytest.mark.parametrize("path", [path for path in HOSTILE_PATHS if path != "pipe.py"])
def test_reads_nothing_but_plain_text_out_of_git(repository, path):
    for name in ("large.py", "binary.py", "latin.py"):
        content = {"large.py": b"x\n" * (MAX_BYTES // 2 + 1), "binary.py": b"x\0y\n", "latin.py": b"\xe9\n"}[name]
        (repository.folder / name).write_bytes(content)
    repository.git("add", "--", ".")
    commit = repository.commit("shop/basket.py", BASKET)
    assert open_source(str(repository.folder)).read(SHOP, path, commit=commit, release=None) is None


def test_reads_a_file_of_exactly_four_mebibytes(tmp_path):
    (tmp_path / "large.py").write_bytes(b"x" * (MAX_BYTES - 1) + b"\n")
    assert open_source(str(tmp_path)).read(SHOP, "large.py", commit=None, release="v1") is not None


def test_counts_lines_as_compilers_do(tmp_path):
    (tmp_path / "ends.py").write_bytes("\ufeffone\r\ntwo\x0c\u2028\rthree\n\n".encode())
    file = open_source(str(tmp_path)).read(SHOP, "ends.py", commit=None, release="v1")
    assert file == SourceFile(("one", "two\x0c\u2028", "three", ""), f"the folder {tmp_path.name}")


def test_keeps_the_last_files_within_a_bound(tmp_path):
    (tmp_path / "first.py").write_text(BASKET)
    for number in range(3):
        (tmp_path / f"large{number}.py").write_bytes(b"\n" * (_KEPT_BYTES // 64 // 2))
    tree = open_source(str(tmp_path))
    first = tree.read(SHOP, "first.py", commit=None, release="v1")
    assert tree.read(SHOP, "first.py", commit=None, release="v1") is first
    for number in range(3):
        tree.read(SHOP, f"large{number}.py", commit=None, release="v1")
    again = tree.read(SHOP, "first.py", commit=None, release="v1")
    assert again == first
    assert again is not first


# Examination


def test_fills_in_the_snippet_of_an_installed_package():
    document = entry("%s has no field named '%s'", "FieldDoesNotExist", GET_FIELD, placeholders="percent")
    filled = examine(document, DJANGO, open_source("installed"))
    lines = (Path(django.__file__).parent / "db/models/options.py").read_text("utf-8").split("\n")
    assert filled.disagreements == ()
    assert filled.snippet == {
        "start_line": 673,
        "code": "\n".join(lines[672:699]),
        "origin": "Django 5.2.19 as installed",
    }
    shown = filled.snippet["code"].split("\n")
    assert shown[685 - 673] == "            raise FieldDoesNotExist("
    assert json.loads(json.dumps(filled.snippet)) == filled.snippet


def test_takes_the_entrys_own_package_before_the_repositorys():
    source = GET_FIELD | {"package": "pkg:pypi/django"}
    document = entry("%s has no field named '%s'", "FieldDoesNotExist", source, placeholders="percent")
    assert examine(document, RepositoryFacts("a/b", "pkg:pypi/other"), open_source("installed")).snippet is not None


def test_keeps_a_snippet_that_is_there_and_says_what_does_not_agree():
    snippet = {"start_line": 685, "code": "            raise FieldDoesNotExist(\n                '%s has no field'\n"}
    document = entry("%s has no field named '%s'", "FieldDoesNotExist", GET_FIELD | {"snippet": snippet})
    filled = examine(document, DJANGO, open_source("installed"))
    assert filled.snippet is None
    assert filled.disagreements == (
        f"{OPTIONS} (Django 5.2.19 as installed): the snippet's line 686 reads `'%s has no field'`, "
        "the source `\"%s has no field named '%s'\" % (self.object_name, field_name)`",
    )


def test_fills_nothing_in_around_a_line_that_is_not_the_throw():
    document = entry(
        "%s has no field named '%s'",
        "FieldDoesNotExist",
        GET_FIELD | {"line": 683, "end_line": None},
        placeholders="percent",
    )
    filled = examine(document, DJANGO, open_source("installed"))
    assert filled.snippet is None
    assert filled.disagreements == (
        f"line 683 of {OPTIONS} (Django 5.2.19 as installed) reads `return self.fields_map[field_name]`, "
        "not the throw of FieldDoesNotExist; its message is at line 685",
    )


@pytest.mark.parametrize(
    "source",
    [
        None,
        {"line": 3, "release": PINNED},
        {"path": OPTIONS, "release": "5.2.18", "line": 685},
        {"path": "../options.py", "release": PINNED, "line": 685},
    ],
)
def test_says_nothing_without_the_source(source):
    document = entry("x", "ValueError", source)
    filled = examine(document, DJANGO, open_source("installed"))
    assert (filled.snippet, filled.disagreements) == (None, ())


def test_has_no_snippet_for_an_entry_without_a_line():
    filled = examine(entry("x", "ValueError", {"path": OPTIONS, "release": PINNED}), DJANGO, open_source("installed"))
    assert (filled.snippet, filled.disagreements) == (None, ())


def test_tells_the_old_line_from_the_new_at_each_pin(repository):
    first = repository.commit("shop/basket.py", BASKET)
    second = repository.commit("shop/basket.py", BASKET_LATER)
    tree = open_source(str(repository.folder))
    source = {"path": "shop/basket.py", "line": 4, "symbol": "Basket.add"}
    at_first = examine(entry("An item is missing", "ValueError", source | {"commit": first[:10]}), SHOP, tree)
    assert at_first.snippet == {
        "start_line": 1,
        "code": BASKET.removesuffix("\n"),
        "origin": f"git checkout at {first[:10]}",
    }
    at_second = examine(entry("An item is missing", "ValueError", source | {"commit": second[:10]}), SHOP, tree)
    assert at_second.snippet is None
    assert at_second.disagreements == (
        f"line 4 of shop/basket.py (git checkout at {second[:10]}) reads `class Basket:`, "
        "not the throw of ValueError; its message is at line 7",
    )
