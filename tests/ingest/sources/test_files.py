"""Tests of what documents must not reach, and of how lines are counted."""

import os

import pytest

from errorkb.ingest.sources import SourceFile, open_source
from errorkb.scanning.files import MAX_BYTES
from tests.ingest.sources.trees import BASKET, SHOP

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
