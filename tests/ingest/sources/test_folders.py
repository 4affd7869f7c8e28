from pathlib import Path

import pytest

from errorkb.ingest.sources import RepositoryFacts, open_source
from tests.ingest.sources.trees import BASKET, DJANGO, SHOP, read


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
