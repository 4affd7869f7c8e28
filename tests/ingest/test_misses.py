"""Unknown errors that readers tell the curators of."""

from datetime import UTC, datetime, timedelta

import pytest

from errorkb.core.masking import MaskedError
from errorkb.ingest import misses
from errorkb.ingest.misses import Told, record_miss
from errorkb.models import Miss

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
ERROR = MaskedError("TimeoutError", "no answer from {value}", "x/pool.py", "Pool.get")


def test_stores_type_template_and_place():
    assert record_miss(ERROR, now=NOON) is Told.STORED
    row = Miss.objects.get()
    assert (row.exception_type, row.template, row.path, row.symbol) == (
        "TimeoutError",
        "no answer from {value}",
        "x/pool.py",
        "Pool.get",
    )
    assert (row.count, row.first_at, row.last_at, row.is_done) == (1, NOON, NOON, False)


def test_counts_the_same_error_again_after_a_while():
    record_miss(ERROR, now=NOON)
    assert record_miss(ERROR, now=NOON + timedelta(seconds=5)) is Told.COUNTED
    assert Miss.objects.get().count == 1
    assert record_miss(ERROR, now=NOON + timedelta(minutes=5)) is Told.COUNTED
    assert (Miss.objects.get().count, Miss.objects.get().last_at) == (2, NOON + timedelta(minutes=5))


def test_is_open_again_when_it_comes_again():
    record_miss(ERROR, now=NOON)
    Miss.objects.update(is_done=True)
    record_miss(ERROR, now=NOON + timedelta(minutes=1))
    assert not Miss.objects.get().is_done


def test_tells_errors_apart_by_each_part():
    for field in ("exception_type", "template", "path", "symbol"):
        record_miss(MaskedError(**(vars(ERROR) | {field: "other words here"})), now=NOON)
    assert Miss.objects.count() == 4


def test_stores_nothing_where_the_masks_left_nothing():
    assert record_miss(MaskedError("", "{quoted}", "", ""), now=NOON) is Told.NOTHING
    assert not Miss.objects.exists()


def test_a_flood_ends(monkeypatch):
    monkeypatch.setattr(misses, "MAX_NEW_AN_HOUR", 3)
    told = [record_miss(MaskedError(f"Type{n}Error", "", "", ""), now=NOON) for n in range(5)]
    assert told == [Told.STORED] * 3 + [Told.ENOUGH] * 2
    assert record_miss(ERROR, now=NOON + timedelta(hours=2)) is Told.STORED


def test_the_list_ends(monkeypatch):
    monkeypatch.setattr(misses, "MAX_MISSES", 1)
    record_miss(ERROR, now=NOON)
    assert record_miss(MaskedError("OtherError", "", "", ""), now=NOON + timedelta(days=9)) is Told.ENOUGH
    assert record_miss(ERROR, now=NOON + timedelta(days=9)) is Told.COUNTED
