import json
import subprocess
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from errorkb.models import ErrorEntry, Scan
from tests.commands.test_load_entries import run

pytestmark = pytest.mark.django_db

SOURCE = """
class Basket:
    def add(self, item, count):
        if count < 1:
            raise ValueError(f"cannot add {count} of {item}")
        assert item, "no item"
"""


@pytest.fixture(autouse=True)
def scans_kept_apart(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "basket.py").write_text(SOURCE)
    return tmp_path / "shop"


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def checkout(folder) -> Path:
    git(folder, "init", "-q")
    git(folder, "remote", "add", "origin", "git@github.com:acme/shop.git")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Begin")
    return folder


def test_a_checkout_knows_its_repository_and_pin(checkout):
    status, out, errors = run("scan_source", str(checkout), workers=1)
    assert (status, out) == (0, "2 new, 0 seen, 0 moved, 0 reworded, 0 returned, 0 removed, 0 refused\n")
    assert "1 files, 6 lines" in errors
    assert "sites: 1 assertion, 1 error; texts known: 2 full, 0 partly, 0 none" in errors
    row = ErrorEntry.objects.get(kind="error")
    assert (row.repository.name, row.exception_type, row.symbol) == ("acme/shop", "ValueError", "Basket.add")
    assert (row.message, row.template) == ("cannot add {count} of {item}", "cannot add {count} of {item}")
    assert row.as_document()["conditions"][0] == "In `Basket.add`, when `count < 1`"
    head = subprocess.run(["git", "-C", str(checkout), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    assert row.as_document()["source"]["commit"] == head.stdout.strip()


def test_the_same_scan_again_changes_nothing(checkout):
    run("scan_source", str(checkout), workers=1)
    assert run("scan_source", str(checkout), workers=1)[1].startswith("0 new, 2 seen")
    assert Scan.objects.count() == 1


def test_a_dirty_tree_is_refused_unless_somebody_says_so(checkout):
    (checkout / "basket.py").write_text("\n\n" + SOURCE)
    with pytest.raises(CommandError) as error:
        call_command("scan_source", str(checkout))
    assert error.value.returncode == 2
    assert run("scan_source", str(checkout), allow_dirty=True, workers=1)[1].startswith("2 new")


def test_moves_rewordings_and_removals_through_commits(checkout):
    run("scan_source", str(checkout), workers=1)
    (checkout / "basket.py").write_text("import os\n" + SOURCE.replace("cannot add", "can not add"))
    git(checkout, "commit", "-qam", "Reword")
    assert run("scan_source", str(checkout), workers=1)[1].startswith("0 new, 0 seen, 1 moved, 1 reworded")
    (checkout / "basket.py").write_text("import os\n" + SOURCE.replace('        assert item, "no item"\n', ""))
    git(checkout, "commit", "-qam", "Put back, and drop the assertion")
    with pytest.raises(CommandError, match="--allow-removals"):
        call_command("scan_source", str(checkout), workers=1)
    out = run("scan_source", str(checkout), workers=1, allow_removals=True)[1]
    assert out == "0 new, 0 seen, 0 moved, 1 reworded, 0 returned, 1 removed, 0 refused\n"
    assert ErrorEntry.objects.get(removed=True).kind == "assertion"


def test_a_folder_needs_a_release_and_a_repository(folder):
    with pytest.raises(CommandError, match="--release"):
        call_command("scan_source", str(folder))
    with pytest.raises(CommandError, match="--repository"):
        call_command("scan_source", str(folder), release="v1")
    options = {"release": "v1", "repository": "acme/shop", "path_prefix": "src", "workers": 1}
    assert run("scan_source", str(folder), **options)[0] == 0
    assert set(ErrorEntry.objects.values_list("path", flat=True)) == {"src/basket.py"}


def test_ndjson_touches_no_database_and_keeps_known_ids(checkout, tmp_path):
    out = run("scan_source", str(checkout), output="ndjson", workers=1)[1]
    documents = [json.loads(line) for line in out.splitlines()]
    assert [document["kind"] for document in documents] == ["error", "assertion"]
    assert not ErrorEntry.objects.exists()
    known = tmp_path / "known.ndjson"
    known.write_text(json.dumps(documents[0] | {"id": "a" * 16}))
    out = run("scan_source", str(checkout), output="ndjson", known=str(known), workers=1)[1]
    assert [json.loads(line).get("id") for line in out.splitlines()] == ["a" * 16, None]


def test_a_package_takes_tag_and_prefix_from_its_repositorys_document(loader):
    loader.put(
        "r.json",
        {"schema_version": "1.0", "name": "evansd/whitenoise", "tag_format": "{version}", "path_prefix": "src/"},
        kind="repositories",
    )
    assert run("scan_source", package="whitenoise", workers=1)[0] == 0
    row = ErrorEntry.objects.filter(exception_type="MissingFileError").first() or ErrorEntry.objects.first()
    assert row.path.startswith("src/whitenoise/")
    assert Scan.objects.get().release == Scan.objects.get().version


def test_a_package_whose_tag_is_not_known_gets_no_link():
    assert run("scan_source", package="whitenoise", workers=1)[0] == 0
    scan = Scan.objects.get()
    assert (scan.release, scan.pin) == ("", "")
    assert scan.version
    assert "release" not in ErrorEntry.objects.first().as_document()["source"]


def test_strict_fails_where_a_file_was_passed_over(checkout):
    (checkout / "broken.py").write_text("def raise(:\n")
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "Break")
    status, _, errors = run("scan_source", str(checkout), strict=True, workers=1)
    assert status == 1
    assert "passed over: broken.py" in errors
    assert run("scan_source", str(checkout), workers=1)[0] == 0


def test_two_packages_of_one_repository_take_nothing_from_each_other():
    assert run("scan_source", package="pydantic", workers=1)[0] == 0
    assert run("scan_source", package="pydantic-core", workers=1)[1].endswith("0 removed, 0 refused\n")
    assert not ErrorEntry.objects.filter(removed=True).exists()


def test_names_that_no_column_holds_are_cut_and_found_again_by_that(folder):
    long_names = f"def {'l' * 700}():\n    raise {'E' * 400}('long')\n"
    (folder / "long.py").write_text(long_names)
    options = {"repository": "acme/shop", "workers": 1}
    assert run("scan_source", str(folder), release="v1", **options)[1].startswith("3 new, 0 seen")
    assert run("scan_source", str(folder), release="v2", **options)[1].startswith("0 new, 3 seen")
    row = ErrorEntry.objects.get(message="long")
    assert (row.symbol, row.newest.symbol, row.exception_type) == ("l" * 600, "l" * 600, "E" * 300)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"release": "v" * 301}, "--release: expected at most 300 characters, found 301"),
        ({"path_prefix": "p" * 100}, "--path-prefix: expected at most 100 characters, found 101"),
        ({"repository": "acme/" + "s" * 200}, "--repository: .* at most 200 characters"),
        ({"repository": "no repository"}, "--repository: "),
    ],
)
def test_what_no_document_may_hold_is_refused_before_anything_is_written(folder, options, words):
    with pytest.raises(CommandError, match=words):
        call_command("scan_source", str(folder), **{"repository": "acme/shop", "release": "v1", "workers": 1} | options)
    assert not Scan.objects.exists()


def test_walks_through_releases_and_says_what_it_came_to(checkout):
    git(checkout, "tag", "v1.0")
    (checkout / "basket.py").write_text(SOURCE.replace("cannot add", "can not add"))
    git(checkout, "commit", "-qam", "Reword")
    git(checkout, "tag", "v1.1")
    told = "2 releases walked, 0 known before; 4 sites in them, 2 new entries\n"
    assert run("scan_source", str(checkout), releases=["v*"], workers=1)[:2] == (0, told)
    told = "0 releases walked, 2 known before; 0 sites in them, 0 new entries\n"
    assert run("scan_source", str(checkout), releases=["v1.0", "v1.1"], workers=1)[:2] == (0, told)
    git(checkout, "tag", "v0.1-tree", "HEAD^{tree}")
    status, _, errors = run("scan_source", str(checkout), releases=["v*"], workers=1)
    assert status == 1
    assert "passed over: tag v0.1-tree: it leads to a tree, not to a commit\n" in errors


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"releases": ["v9"]}, "shop has no tag 'v9': it has no tags at all."),
        ({"releases": ["v*"]}, "No tag of shop matches 'v[*]'"),
        ({"releases": ["v*"], "release": "v1"}, "--releases walks through tags"),
        ({"releases": ["v*"], "output": "ndjson"}, "--releases walks through tags"),
    ],
)
def test_a_walk_that_leads_nowhere_is_refused(checkout, options, words):
    with pytest.raises(CommandError, match=words) as error:
        call_command("scan_source", str(checkout), **options)
    assert error.value.returncode == 2


def test_a_plain_folder_has_no_releases_to_walk_through(folder):
    with pytest.raises(CommandError, match="shop is not a git checkout: it has no tags"):
        call_command("scan_source", str(folder), releases=["*"], repository="acme/shop")
