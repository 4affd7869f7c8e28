"""What scans saw, stored once for all releases that have the same."""

import pytest

from errorkb.models import ErrorEntry, Sighting
from errorkb.models.sightings import seen
from tests.scans import store, throw

pytestmark = pytest.mark.django_db


def stored() -> list[tuple]:
    """Return the sightings by release: whether one is whole, line, path, first line of its snippet."""
    rows = Sighting.objects.with_content().select_related("scan").order_by("scan__rank", "scan")
    return [(row.scan.release, row.same_as_id is None, row.line, row.content.path, _start(row)) for row in rows]


def _start(row: Sighting) -> int:
    return row.content.snippet["start_line"] - row.content.line


def moved(line: int, **fields):
    return throw(line=line, snippet="raise ValueError", **fields)


def test_a_site_that_only_moves_is_stored_once_with_the_newest_release():
    for release, line in (("v1.0", 10), ("v2.0", 12), ("v3.0", 12)):
        store(release, moved(line))
    assert stored() == [
        ("v1.0", False, 10, "a.py", -1),
        ("v2.0", False, 12, "a.py", -1),
        ("v3.0", True, 12, "a.py", -1),
    ]
    row = ErrorEntry.objects.select_related("newest__scan").get()
    assert (row.newest.scan.release, row.newest.path, row.line) == ("v3.0", "a.py", 12)
    assert set(Sighting.objects.values_list(seen("path"), seen("symbol"))) == {("a.py", "f")}


def test_releases_come_in_any_order():
    for release, line in (("v2.0", 12), ("v3.0", 13), ("v1.0", 10)):
        store(release, moved(line))
    assert stored() == [
        ("v1.0", False, 10, "a.py", -1),
        ("v2.0", False, 12, "a.py", -1),
        ("v3.0", True, 13, "a.py", -1),
    ]


def test_a_site_that_changes_is_stored_again():
    store("v1.0", moved(10))
    store("v2.0", moved(10, path="b.py"))
    store("v3.0", moved(11, path="b.py"))
    assert stored() == [("v1.0", True, 10, "a.py", -1), ("v2.0", False, 10, "b.py", -1), ("v3.0", True, 11, "b.py", -1)]


def test_the_same_scan_again_changes_nothing():
    for release in ("v1.0", "v2.0"):
        store(release, moved(10))
    before = list(Sighting.objects.order_by("pk").values())
    store("v1.0", moved(10))
    store("v2.0", moved(10))
    assert list(Sighting.objects.order_by("pk").values()) == before


def test_what_others_lean_on_stays_for_them_when_a_scan_sees_something_else():
    for release, line in (("v1.0", 10), ("v2.0", 12), ("v3.0", 13)):
        store(release, moved(line))
    store("v3.0", moved(20, symbol="f", signature="def f(x, y)"))
    assert stored() == [("v1.0", False, 10, "a.py", -1), ("v2.0", True, 12, "a.py", -1), ("v3.0", True, 20, "a.py", -1)]
    assert list(Sighting.objects.filter(same_as=None).order_by("line").values_list("signature", flat=True)) == [
        "def f(x)",
        "def f(x, y)",
    ]
    assert ErrorEntry.objects.get().line == 20


def test_a_release_in_between_leans_on_the_newer_one():
    store("v1.0", moved(10))
    store("v3.0", moved(12))
    store("v2.0", moved(11))
    assert [row[:3] for row in stored()] == [("v1.0", False, 10), ("v2.0", False, 11), ("v3.0", True, 12)]


def test_wordings_keep_their_releases():
    for release, line in (("v1.0", 10), ("v2.0", 12), ("v3.0", 13)):
        store(release, moved(line))
    store("v4.0", throw("worse %s", line=13))
    wordings = ErrorEntry.objects.get().wordings.values_list("template", "first", "last", "is_current")
    assert list(wordings) == [("worse {0}", "v4.0", "v4.0", True), ("bad {0}", "v1.0", "v3.0", False)]
