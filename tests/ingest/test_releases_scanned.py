"""Releases scanned one after another, of real git and of the package index: every site is accounted for."""

import subprocess
import sys
from pathlib import Path

import pytest

from errorkb.models import ErrorEntry
from tests.ingest.releases import Project, ordinals
from tests.repositories import Repository

LOCKS = "".join(
    f"""
def take_{n}(key, owner):
    if key is None:
        raise ValueError("key of lock {n} is missing")
    if not owner:
        raise ValueError("owner is missing")
    for part in owner:
        if not part:
            raise ValueError("owner is missing")
    return key
"""
    for n in range(20)
)
KEYS = """
class Keys:
    def find(self, name):
        if not name:
            raise KeyError(f"no key {name}")
        assert self.known, "no keys are known"

    def drop(self, name):
        raise NotImplementedError("keys are for ever")
"""
WITHOUT_DROP = KEYS[: KEYS.index("    def drop")]


@pytest.fixture
def shop(tmp_path) -> Repository:
    return Repository(tmp_path / "shop")


@pytest.fixture
def project(loader) -> Project:
    return Project(loader, "acme/shop")


def test_every_site_of_four_releases_is_accounted_for(project, shop):
    shop.commit("shop/locks.py", LOCKS)
    shop.commit("shop/keys.py", KEYS, tag="v1.0")
    assert project.scan(shop.folder, "v1.0") == {"new": 63}
    assert project.scan(shop.folder, "v1.0") == {"seen": 63}
    shop.git("mv", "shop/keys.py", "shop/names.py")
    reworded = LOCKS.replace("key of lock 7 is missing", "the key of lock 7 is missing")
    shop.commit("shop/locks.py", "import os\n" + reworded, tag="v2.0")
    assert project.scan(shop.folder, "v2.0") == {"moved": 62, "reworded": 1}
    shop.commit("shop/names.py", WITHOUT_DROP + '\n    def take(self):\n        raise OSError("taken")\n', tag="v3.0")
    assert project.scan(shop.folder, "v3.0") == {"seen": 62, "new": 1, "removed": 1}
    shop.commit("shop/names.py", KEYS, tag="v4.0")
    assert project.scan(shop.folder, "v4.0") == {"seen": 62, "returned": 1, "removed": 1}


def keys_folder(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "keys.py").write_text(text)
    return folder


def test_what_was_gone_already_is_not_removed_again(project, tmp_path):
    project.scan(keys_folder(tmp_path / "1", KEYS), "v1.0")
    without = keys_folder(tmp_path / "2", WITHOUT_DROP)
    assert project.scan(without, "v2.0") == {"seen": 2, "removed": 1}
    assert project.scan(without, "v2.0") == {"seen": 2}
    assert project.scan(without, "v3.0") == {"seen": 2}
    assert ErrorEntry.objects.get(removed=True).gone_in == "v2.0"


def test_an_older_release_without_a_site_says_since_when_it_is_gone(project, tmp_path):
    project.scan(keys_folder(tmp_path / "1", KEYS), "v1.0")
    without = keys_folder(tmp_path / "2", WITHOUT_DROP)
    project.scan(without, "v3.0")
    assert project.scan_any(without, "v2.0")[1] == {"seen": 2}
    assert ErrorEntry.objects.get(removed=True).gone_in == "v2.0"


def test_twenty_explained_entries_are_carried_through_beside_twins(project, shop):
    shop.commit("shop/locks.py", LOCKS, tag="v1.0")
    project.scan(shop.folder, "v1.0")
    seconds = [group[1] for group in project.twins()]
    assert len(seconds) == 20
    chosen = project.explain(seconds)
    later = LOCKS.replace("def take_", "\n\ndef take_").replace("key is None", "key is None or key == 0")
    shop.commit("shop/locks.py", later, tag="v2.0")
    assert project.scan(shop.folder, "v2.0") == {"moved": 60}
    shop.git("mv", "shop/locks.py", "shop/takers.py")
    shop.commit("shop/takers.py", later, tag="v3.0")
    assert project.scan(shop.folder, "v3.0") == {"moved": 60}
    shop.commit("shop/takers.py", later.replace("owner is missing", "the owner is missing"), tag="v4.0")
    assert project.scan(shop.folder, "v4.0") == {"seen": 20, "reworded": 40}
    assert_carried(project, chosen)


def assert_carried(project: Project, chosen: dict[str, ErrorEntry], of_twins: dict[int, tuple[int, int]] | None = None):
    """Each entry keeps id and words, and is the same of its twins as before, where there are as many."""
    now = ordinals(project.twins())
    for identifier, before in chosen.items():
        row = ErrorEntry.objects.get(public_id=identifier)
        assert (row.pk, row.as_document()["meaning"]) == (before.pk, f"Words of {identifier}.")
        if row.removed or row.pk not in now:
            continue
        was = of_twins[row.pk] if of_twins else (1, 2)
        assert now[row.pk][1] != was[1] or now[row.pk][0] == was[0], (row, was, now[row.pk])


RELEASES = (
    ("networkx", ("3.1", "3.3", "3.5")),
    ("click", ("8.0.4", "8.1.8", "8.3.1")),
)


@pytest.mark.long
@pytest.mark.parametrize(("package", "versions"), RELEASES)
def test_releases_of_real_packages_lose_nothing(loader, tmp_path, package, versions):
    project = Project(loader, f"{package}/{package}")
    chosen, twins = {}, {}
    for version in versions:
        project.scan(unpacked(package, version, tmp_path / version), version)
        if not chosen:
            groups = project.twins()
            twins = ordinals(groups)
            chosen = project.explain([group[-1] for group in groups][:20])
        assert_carried(project, chosen, twins)
    assert len(chosen) == 20 or package == "click"


def unpacked(package: str, version: str, folder: Path) -> Path:
    """Return a folder with the release's wheel unpacked, without its metadata; skip where the index is out of reach."""
    command = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder))
    done = subprocess.run((*command, f"{package}=={version}"), capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{package} {version} cannot be had here: {done.stderr.strip().splitlines()[-1:]}")
    return folder
