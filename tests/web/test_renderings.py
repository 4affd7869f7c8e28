"""Rendered HTML is made once, kept, and used again; keeping it never fails a page and never waits."""

import sqlite3
import time

import pytest
from django.db import DatabaseError, connection

from errorkb.models import ErrorEntry, Rendering
from errorkb.web.pages import renderings
from tests.builders import entry

X = "aaaaaaaaaaaaaaa1"
AT_X = f"/errors/{X}/"


def test_keeps_what_the_first_reader_made(read, put):
    put(entry(id=X, meaning="It *is*."))
    assert Rendering.objects.count() == 0
    first = read(AT_X)
    kept = Rendering.objects.get()
    assert kept.content_hash == ErrorEntry.objects.get().content_hash
    assert kept.fragments["prose"]["meaning"].strip() == "<p>It <em>is</em>.</p>"
    assert read(AT_X).text == first.text


def test_uses_what_was_kept(read, put):
    put(entry(id=X, meaning="made"))
    read(AT_X)
    kept = Rendering.objects.get()
    kept.fragments["prose"]["meaning"] = "<p>kept</p>"
    kept.save()
    assert read(AT_X).one("div", class_="prose lead").text == "kept"


@pytest.mark.parametrize("change", [{"version": 0}, {"content_hash": "0" * 64}, {"fragments": {"prose": 3}}])
def test_makes_anew_what_was_kept_for_something_else(read, put, change):
    put(entry(id=X, meaning="made"))
    read(AT_X)
    Rendering.objects.update(**change)
    assert read(AT_X).one("div", class_="prose lead").text.strip() == "made"


def test_shows_the_page_when_nothing_can_be_kept(read, put, monkeypatch):
    def refuse(*args, **kwargs) -> None:
        raise DatabaseError("disk full")

    put(entry(id=X, meaning="made"))
    monkeypatch.setattr(Rendering.objects, "bulk_create", refuse)
    assert "made" in read(AT_X).text
    assert Rendering.objects.count() == 0


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite has one writer at a time")
def test_does_not_wait_for_another_writer(tmp_path):
    other = sqlite3.connect(tmp_path / "base")
    mine = sqlite3.connect(tmp_path / "base", timeout=20, isolation_level=None)
    other.execute("CREATE TABLE t (x)")
    other.execute("BEGIN IMMEDIATE")
    began = time.process_time()
    with renderings.without_waiting(mine.cursor()), pytest.raises(sqlite3.OperationalError):
        mine.execute("BEGIN IMMEDIATE")
    assert time.process_time() - began < 5
    assert mine.execute("PRAGMA busy_timeout").fetchone()[0] == 20_000
