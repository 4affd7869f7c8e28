from errorkb.scanning import vocabularies
from errorkb.scanning.folders import FolderTree
from errorkb.scanning.trees import Origin, Pin
from errorkb.scanning.vocabularies import python_vocabulary, read_vocabulary


def tree(folder) -> FolderTree:
    return FolderTree(folder, "a folder", Pin(), Origin())


def test_words_are_those_of_all_files_that_hold_text(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "usage.rst").write_text("Use ``lock_keys`` or --lock-fast.")
    (tmp_path / "shop.py").write_text("import torch.nn as nn\nfrom shop import keys\n")
    (tmp_path / "image.png").write_text("not_read")
    (tmp_path / ".hidden").write_text("not_read")
    words = read_vocabulary(tree(tmp_path))
    assert {"lock_keys", "--lock-fast", "docs", "usage", "torch", "keys"} <= words.words
    assert "not_read" not in words.words
    assert words.foreign == {"torch", "nn"}
    assert (words.owns("shop"), words.owns("keys"), words.owns("torch"), words.owns("absent")) == (
        True, True, False, False,
    )  # fmt: skip


def test_nothing_is_said_of_a_tree_that_is_too_large(tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text("a_b" * 100)
    monkeypatch.setattr(vocabularies, "MOST_BYTES", 99)
    assert read_vocabulary(tree(tmp_path)) is None
    assert read_vocabulary(tree(tmp_path / "absent")).words == set()


def test_python_has_its_own_words_and_no_packages():
    words = python_vocabulary().words
    assert {"ThreadPoolExecutor", "lru_cache"} <= words
    assert "DisallowedHost" not in words
