"""What in an entry's words its source does not have: looked up by scans and while loading, the newest release kept."""

from pathlib import Path

import pytest

from errorkb.ingest import word_checks
from errorkb.ingest.scans.scanning import ScanRequest, scan_into_base
from errorkb.models import ErrorEntry
from errorkb.scanning.folders import FolderTree
from tests.builders import entry
from tests.repositories import Repository

KEYS = """
import torch

class KeyManager:
    def send_keys(self, keys):
        if not keys:
            raise ValueError("no keys")
"""
ARGUMENTS = 'parser.add_argument("--enable-cache")\n'
MEANING = "`KeyManager.send_keys` needs --enable-cache; see `lock_all_keys` and `torch.lock_all_keys`."
RENAMED = KEYS.replace("class KeyManager:", "class KeyManager:\n    def lock_all_keys(self): ...\n")


def written(meaning: str = MEANING, release: str = "v1.0", **fields) -> dict:
    source = {"path": "keys.py", "line": 7, "symbol": "KeyManager.send_keys", "release": release, "language": "python"}
    return entry("no keys", repository="acme/shop", meaning=meaning, source=source) | fields


def folder(tmp_path: Path, name: str, keys: str = KEYS) -> Path:
    place = tmp_path / name
    (place / "tests").mkdir(parents=True)
    (place / "keys.py").write_text(keys)
    (place / "arguments.py").write_text(ARGUMENTS)
    return place


def scan(place: Path, release: str, clock) -> None:
    request = ScanRequest(path=str(place), repository="acme/shop", release=release, workers=1)
    scan_into_base(request, clock=clock, allow_removals=True)


def checked() -> dict:
    row = ErrorEntry.objects.get(message="no keys")
    return {key: value for key, value in row.checked.items() if key != "scan"}


def test_a_scan_looks_up_the_words_of_what_it_saw(loader, tmp_path):
    loader.put("a.json", written())
    scan(folder(tmp_path, "one"), "v1.0", loader.clock)
    assert checked() == {"release": "v1.0", "missing": ["lock_all_keys"]}


def test_a_name_may_stand_in_any_file_of_the_tree(loader, tmp_path):
    place = folder(tmp_path, "one")
    (place / "tests" / "notes.txt").write_text("lock_all_keys")
    loader.put("a.json", written())
    scan(place, "v1.0", loader.clock)
    assert checked() == {"release": "v1.0", "missing": []}


@pytest.mark.parametrize("first", ["v1.0", "v2.0"])
def test_the_newest_release_is_kept_whichever_was_scanned_first(loader, tmp_path, first):
    releases = {"v1.0": folder(tmp_path, "one"), "v2.0": folder(tmp_path, "two", RENAMED)}
    loader.put("a.json", written())
    for release in (first, *(releases.keys() - {first})):
        scan(releases[release], release, loader.clock)
    assert checked() == {"release": "v2.0", "missing": []}


def test_loading_looks_up_words_at_the_documents_own_pin(loader, tmp_path):
    file = loader.file("a.json", [written()])
    loader.load(file, source=str(folder(tmp_path, "one")))
    assert checked() == {"release": "v1.0", "missing": ["lock_all_keys"]}


def test_loading_again_with_a_source_looks_words_up_that_were_not_before(loader, tmp_path):
    file = loader.file("a.json", [written()])
    loader.load(file)
    assert checked() == {}
    (outcome,) = loader.load(file, source=str(folder(tmp_path, "one")))
    assert outcome.status.value == "unchanged"
    assert checked()["missing"] == ["lock_all_keys"]


def test_what_a_later_scan_found_is_kept_when_an_older_source_is_loaded(loader, tmp_path):
    loader.put("a.json", written())
    scan(folder(tmp_path, "two", RENAMED), "v2.0", loader.clock)
    loader.load(loader.file("a.json", [written()]), source=str(folder(tmp_path, "one")))
    assert checked() == {"release": "v2.0", "missing": []}


def test_a_checkout_is_read_at_the_pin_of_the_document(loader, tmp_path):
    repository = Repository(tmp_path / "shop")
    repository.commit("keys.py", KEYS + ARGUMENTS, tag="v1.0")
    repository.commit("keys.py", RENAMED + ARGUMENTS, tag="v2.0")
    for release, missing in (("v1.0", ["lock_all_keys"]), ("v2.0", [])):
        loader.load(loader.file("a.json", [written(release=release)]), source=str(repository.folder))
        assert checked() == {"release": release, "missing": missing}


def test_names_that_the_words_no_longer_use_are_missed_no_longer(loader, tmp_path):
    loader.put("a.json", written())
    scan(folder(tmp_path, "one"), "v1.0", loader.clock)
    loader.put("a.json", written("`KeyManager.send_keys` only."))
    assert checked() == {"release": "v1.0", "missing": []}
    loader.put("a.json", written("Plain words."))
    assert checked() == {}


def test_names_of_the_standard_library_are_not_missed(loader, tmp_path):
    loader.put("a.json", written("`ThreadPoolExecutor`, `field_names` of `DictReader`, and `no_such_keys`"))
    scan(folder(tmp_path, "one"), "v1.0", loader.clock)
    assert "ThreadPoolExecutor" not in checked()["missing"]
    assert "no_such_keys" in checked()["missing"]


def test_a_tree_is_read_once_for_all_entries_and_not_at_all_without_names(loader, tmp_path, monkeypatch):
    reads = []
    read = word_checks.read_vocabulary
    monkeypatch.setattr(word_checks, "read_vocabulary", lambda tree: reads.append(tree) or read(tree))
    place = folder(tmp_path, "one", KEYS + "    def f(self): raise KeyError('none')\n")
    loader.put("a.json", written("Plain words."))
    scan(place, "v1.0", loader.clock)
    assert reads == []
    other = entry("none", repository="acme/shop", meaning="`lock_me_too`", exception_type="KeyError")
    loader.put("b.json", other | {"source": {"path": "keys.py", "line": 8, "symbol": "KeyManager.f"}})
    loader.put("a.json", written())
    scan(place, "v1.0", loader.clock)
    assert len(reads) == 1
    assert isinstance(reads[0], FolderTree)
    assert ErrorEntry.objects.get(message="none").checked["missing"] == ["lock_me_too"]


def test_a_scan_that_says_the_same_again_changes_nothing(loader, tmp_path):
    loader.put("a.json", written())
    scan(folder(tmp_path, "one"), "v1.0", loader.clock)
    before = ErrorEntry.objects.values_list("modified_at", "checked").get(message="no keys")
    scan(tmp_path / "one", "v1.0", loader.clock)
    assert ErrorEntry.objects.values_list("modified_at", "checked").get(message="no keys") == before
