import os

import pytest

from errorkb.scanning.files import MAX_BYTES
from errorkb.scanning.folders import ListedTree
from errorkb.scanning.opening import open_tree
from errorkb.scanning.trees import Origin, Pin, TreeError
from tests.scanning.trees import BASKET, BASKET_ID, contents, is_python, problems

LOOPS = "a link that leads back to itself"
LEAVES = "a link that leads out of the tree"
IRREGULAR = "it cannot be read (it is not a regular file)"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "secret.py").write_text("secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "inner.py").write_text("secret")
    folder = tmp_path / "shop-1.0"
    (folder / "shop" / "deep").mkdir(parents=True)
    (folder / "shop" / "basket.py").write_text(BASKET)
    (folder / "shop" / "deep" / "a.py").write_text("a")
    return folder


@pytest.fixture
def hostile_folder(folder, tmp_path):
    for name, target in {
        "loop.py": "loop.py",
        "up": "..",
        "shop/self": ".",
        "shop/above": "..",
        "out.py": "../secret.py",
        "outside": str(tmp_path / "outside"),
        "fine.py": "shop/basket.py",
        "broken.py": "nowhere.py",
    }.items():
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "pipe.py")
    (folder / "large.py").write_bytes(b"x" * (MAX_BYTES + 1))
    (folder / ".hidden.py").write_text("secret")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "inner.py").write_text("secret")
    (folder / "shop" / "back\\slash.py").write_text(BASKET)
    with open(os.fsencode(folder) + b"/caf\xe9.py", "w") as file:  # noqa: PTH123
        file.write(BASKET)
    return folder


def test_reads_a_folder_at_a_release_with_the_names_that_git_would_give(folder):
    tree = open_tree(str(folder), release="v1.0", path_prefix="/src")
    assert (tree.pin, tree.origin) == (Pin(release="v1.0"), Origin(path_prefix="src/"))
    assert tree.title == "the folder shop-1.0"
    assert contents(tree) == {"shop/basket.py": BASKET, "shop/deep/a.py": "a"}
    assert {blob.path: blob.id for blob in tree.blobs(is_python)}["shop/basket.py"] == BASKET_ID


def test_wants_a_release_for_a_folder(folder):
    with pytest.raises(TreeError) as raised:
        open_tree(str(folder))
    assert str(raised.value) == "shop-1.0 is not a git checkout: say with --release which release it is."


@pytest.mark.parametrize("path", ["", "nowhere", "a\0b", "shop/basket.py", "\ud800"])
def test_says_that_a_path_is_no_folder(folder, monkeypatch, path):
    monkeypatch.chdir(folder)
    with pytest.raises(TreeError):
        open_tree(path, release="v1")


def test_passes_over_links_and_what_cannot_be_read(hostile_folder):
    tree = open_tree(str(hostile_folder), release="v1.0")
    unusual = "its name holds characters that paths in documents cannot have"
    assert contents(tree) == {"shop/basket.py": BASKET, "shop/deep/a.py": "a"}
    assert problems(tree) == {
        **dict.fromkeys(("loop.py", "shop/self", "shop/above"), LOOPS),
        **dict.fromkeys(("up", "out.py", "outside"), LEAVES),
        "pipe.py": IRREGULAR,
        "large.py": "it has more than 4 MiB",
        "caf\\xe9.py": unusual,
        "shop/back\\slash.py": unusual,
    }


def test_reads_what_a_list_names_and_nothing_outside(hostile_folder):
    listed = [
        "shop/basket.py",
        "shop/basket.py",
        "shop/../shop/basket.py",
        "../secret.py",
        "/etc/passwd.py",
        "outside/inner.py",
        "up/secret.py",
        "out.py",
        "loop.py",
        "fine.py",
        ".hidden/inner.py",
        "pipe.py",
        "gone.py",
        "shop",
        "",
        "shop/notes.txt",
    ]
    tree = ListedTree(hostile_folder, listed, "a list", Pin(), Origin())
    assert contents(tree) == {"shop/basket.py": BASKET}
    assert problems(tree) == {
        "/etc/passwd.py": "its name holds characters that paths in documents cannot have",
        **dict.fromkeys(("outside/inner.py", "up/secret.py", "out.py"), LEAVES),
        "loop.py": LOOPS,
        "pipe.py": IRREGULAR,
        "gone.py": "it cannot be read (No such file or directory)",
    }


def test_stops_where_folders_in_each_other_are_too_deep(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(500):
        os.mkdir("tenletters")  # noqa: PTH102
        os.chdir("tenletters")
    (tmp_path / "a.py").write_text("a")
    tree = open_tree(str(tmp_path), release="v1")
    assert contents(tree) == {"a.py": "a"}
    assert list(problems(tree).values()) == ["it cannot be read (File name too long)"]
