import sqlite3
from pathlib import Path

import pytest

from errorkb.scanning.cache import FactsCache, default_folder


def place_in(folder: Path) -> Path:
    return next(folder.glob("*.sqlite3"))


def filled(folder: Path, **contents: bytes) -> None:
    with FactsCache(folder) as cache:
        for key, content in contents.items():
            cache.put(key, content)


def read(folder: Path, *keys: str) -> list[bytes | None]:
    with FactsCache(folder) as cache:
        return [cache.get(key) for key in keys]


def test_keeps_facts_for_later(tmp_path):
    folder = tmp_path / "deep" / "cache"
    filled(folder, a=b"1", b=b"2")
    filled(folder, b=b"3")
    assert read(folder, "a", "b", "c") == [b"1", b"3", None]
    assert folder.stat().st_mode & 0o777 == 0o700


def test_gives_back_what_this_scan_has_put(tmp_path):
    with FactsCache(tmp_path) as cache:
        cache.put("a", b"1")
        assert cache.get("a") == b"1"


def test_works_without_a_folder():
    with FactsCache(None) as cache:
        cache.put("a", b"1" * 20_000_000)
        assert cache.get("a") is None


def garbage(place: Path) -> None:
    place.write_bytes(b"no database at all" * 1000)


def cut(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:5000])


def empty(place: Path) -> None:
    place.write_bytes(b"")


def other_table(place: Path) -> None:
    place.unlink()
    with sqlite3.connect(place) as database:
        database.execute("CREATE TABLE facts (name TEXT)")


@pytest.mark.parametrize("spoil", [garbage, cut, empty, other_table])
def test_begins_anew_after_a_broken_file(tmp_path, spoil):
    filled(tmp_path, **{f"key{number}": b"x" * 5000 for number in range(20)})
    spoil(place_in(tmp_path))
    read(tmp_path, *(f"key{number}" for number in range(20)))
    filled(tmp_path, a=b"1")
    filled(tmp_path, a=b"1")
    assert read(tmp_path, "a") == [b"1"]


def test_goes_on_when_the_file_breaks_in_the_middle(tmp_path):
    filled(tmp_path, **{f"key{number}": b"x" * 5000 for number in range(200)})
    with FactsCache(tmp_path) as cache:
        place_in(tmp_path).write_bytes(b"\0" * 100_000)
        assert [cache.get(f"key{number}") for number in range(200)].count(None) > 100
        cache.put("a", b"1")


def test_does_without_a_file_that_another_scan_is_writing(tmp_path, monkeypatch):
    monkeypatch.setattr("errorkb.scanning.cache._SECONDS_TO_WAIT", 0.1)
    filled(tmp_path, a=b"1")
    other = sqlite3.connect(place_in(tmp_path), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    filled(tmp_path, b=b"2")
    assert read(tmp_path, "a") == [None]
    other.execute("ROLLBACK")
    assert read(tmp_path, "a", "b") == [b"1", None]


@pytest.mark.parametrize("make", [lambda place: place.write_text("a file"), lambda place: place.symlink_to(place)])
def test_does_without_a_folder_that_cannot_be_made(tmp_path, make):
    place = tmp_path / "cache"
    make(place)
    filled(place, a=b"1")
    assert read(place, "a") == [None]


def test_makes_room_by_what_was_put_first(tmp_path):
    for number in range(20):
        with FactsCache(tmp_path, max_bytes=1_000_000) as cache:
            cache.put(f"key{number}", b"x" * 200_000)
    found = read(tmp_path, *(f"key{number}" for number in range(20)))
    assert found[-1] == b"x" * 200_000
    assert found[0] is None
    assert place_in(tmp_path).stat().st_size < 1_500_000


@pytest.mark.parametrize(
    ("stated", "folder"),
    [("/var/cache/me", "/var/cache/me/errorkb"), ("", "/home/me/.cache/errorkb"), ("x", "/home/me/.cache/errorkb")],
)
def test_keeps_caches_where_the_system_wants_them(monkeypatch, stated, folder):
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", stated)
    assert default_folder() == Path(folder)
