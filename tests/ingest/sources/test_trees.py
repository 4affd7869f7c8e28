from errorkb.ingest.sources import open_source
from errorkb.ingest.sources.trees import _KEPT_BYTES
from tests.ingest.sources.trees import BASKET, SHOP


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
