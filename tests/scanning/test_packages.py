from pathlib import Path

import django
import pytest

from errorkb.scanning.packages import find_package, open_package
from errorkb.scanning.trees import Origin, Pin, TreeError
from tests.scanning.trees import contents, problems


def unpack(folder: Path, name: str, metadata: str, record: str) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{metadata}\n")
    (info / "RECORD").write_text(record)


def test_reads_the_files_of_an_installed_package_and_no_others():
    tree = open_package("Django")
    assert (tree.title, tree.pin) == ("Django 5.2.19 as installed", Pin())
    assert tree.origin == Origin("django/django", None, "pkg:pypi/django@5.2.19", "BSD-3-Clause")
    read = contents(tree)
    home = Path(django.__file__).parent
    assert set(read) == {f"django/{path.relative_to(home)}" for path in home.rglob("*.py")}
    assert read["django/db/models/options.py"] == (home / "db/models/options.py").read_text("utf-8")
    assert problems(tree) == {}


def test_takes_tag_and_prefix_from_the_caller():
    tree = open_package("whitenoise", release="6.12.0", path_prefix="src/")
    assert tree.pin == Pin(release="6.12.0")
    assert (tree.origin.repository, tree.origin.path_prefix) == ("evansd/whitenoise", "src/")


@pytest.mark.parametrize(
    ("name", "repository"),
    [
        ("Markdown", "Python-Markdown/markdown"),
        ("pygments", "pygments/pygments"),
        ("asgiref", "django/asgiref"),
        ("pydantic_core", "pydantic/pydantic"),
        ("trio.websocket", "python-trio/trio-websocket"),
    ],
)
def test_knows_the_repositories_of_installed_packages(name, repository):
    assert find_package(name).repository.lower() == repository.lower()


@pytest.mark.parametrize(
    ("metadata", "repository"),
    [
        ("Home-page: https://github.com/shop/shop", "shop/shop"),
        (
            "Project-URL: Source Code, https://github.com/shop/shop\nHome-page: https://github.com/shop/site",
            "shop/shop",
        ),
        ("Project-URL: Bug Tracker, https://github.com/shop/shop/issues", "shop/shop"),
        (
            "Project-URL: Docs, https://github.com/shop/docs\nProject-URL: Homepage, https://gitlab.com/a/b",
            "gitlab.com/a/b",
        ),
        ("Project-URL: Funding, https://github.com/sponsors/shop\nHome-page: https://shop.example.org/a/b", ""),
        ("Project-URL: broken", ""),
        ("", ""),
    ],
)
def test_finds_the_repository_in_the_metadata(tmp_path, metadata, repository):
    unpack(tmp_path, "shop", metadata, "shop.py,,\n")
    assert find_package("shop", folder=tmp_path).repository == repository


@pytest.mark.parametrize(
    ("stated", "known"),
    [("BSD-3-Clause", "BSD-3-Clause"), ("MIT OR (Apache-2.0 AND ISC)", "MIT OR (Apache-2.0 AND ISC)"), ("<b>", "")],
)
def test_reads_a_licence_that_is_an_expression(tmp_path, stated, known):
    unpack(tmp_path, "shop", f"License-Expression: {stated}\nLicense: anything at all", "shop.py,,\n")
    assert find_package("shop", folder=tmp_path).license == known


def test_says_that_a_package_is_missing():
    with pytest.raises(TreeError, match="There is no package 'no-such-package' installed here"):
        open_package("no-such-package")


def test_says_that_a_package_is_only_linked(tmp_path, monkeypatch):
    unpack(tmp_path, "shop", "", "__editable__.shop-1.0.pth,,\nshop-1.0.dist-info/RECORD,,\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(TreeError, match=r"shop 1\.0 lists no Python files as its own"):
        open_package("shop")


def test_reads_nothing_that_a_hostile_record_names(tmp_path, monkeypatch):
    (tmp_path / "secret.py").write_text("secret")
    folder = tmp_path / "site"
    unpack(folder, "shop", "", "../secret.py,,\n/etc/passwd.py,,\nshop.py,,\n.ssh/key.py,,\n")
    (folder / "shop.py").write_text("shop")
    monkeypatch.syspath_prepend(folder)
    assert contents(open_package("shop")) == {"shop.py": "shop"}
