"""When the words of an entry are stale, whatever came first: the document or the scans."""

import json
from itertools import permutations
from pathlib import Path

import pytest

from errorkb.ingest.integrity import find_strays, rebuild_rows
from errorkb.ingest.standings import sync_standings
from errorkb.models import ErrorEntry
from errorkb.serving.computed import served_entry
from tests.builders import entry
from tests.scans import store, throw

pytestmark = pytest.mark.django_db

SEED = json.loads((Path(__file__).parents[1] / "samples/documents/error-0a4a184d34e9a38f.json").read_text("utf-8"))
OLD = "if x is None:\n    raise ValueError('bad %s' % x)\nreturn x"
NEW = "if x is None or x < 0:\n    raise ValueError('bad %s' % x)\nreturn x"
FIRST, SECOND, THIRD = "a" * 40, "b" * 40, "c" * 40


def seen(code: str, line: int = 50):
    return throw(line=line, snippet=code)


def written(code: str | None = OLD, *, pin: dict | None = None, analysis: dict | None = None, **fields) -> dict:
    source = {"path": "a.py", "line": 10, "symbol": "f"} | (pin or {"release": "v1"})
    source |= {"snippet": {"start_line": 9, "code": code}} if code else {}
    stated = {"analysis": {"method": "human"} | analysis} if analysis else {}
    return entry(placeholders="percent", meaning="m", source=source) | stated | fields


def only() -> ErrorEntry:
    assert list(find_strays()) == []
    return ErrorEntry.objects.for_page().get()


def put(loader, document: dict) -> None:
    assert loader.put("words.json", document)[0] in ("created", "updated")


@pytest.mark.parametrize(
    ("document", "code", "stale"),
    [
        (written(), NEW, True),
        (written(), OLD, False),
        (written(), "\n" + OLD.replace("\n", " \n\n"), False),
        (written(meaning=None, solutions=["s"]), NEW, True),
        (written(meaning=None, trigger="t"), NEW, False),
        (written(pin={"release": None}), NEW, False),
        (written(pin={"release": None}, analysis={"commit": FIRST[:10]}), NEW, True),
        (written(None), NEW, False),
        (written(pin={"commit": FIRST}, analysis={"commit": THIRD}), NEW, False),
        (written(pin={"release": "v3"}), NEW, False),
        (written(pin={"release": "v2", "line": 50}), NEW, False),
        (written("raise X\n" * 3, pin={"line": 99, "release": "v1"}), NEW, False),
    ],
)
@pytest.mark.parametrize("scan_first", [True, False])
def test_words_are_stale_where_the_code_around_has_changed_since(loader, document, code, stale, scan_first):
    at = next(n for n, text in enumerate(code.split("\n")) if "raise" in text)
    steps = [lambda: put(loader, document), lambda: store("v2", throw(line=49 + at, snippet_start=49, snippet=code))]
    for step in reversed(steps) if scan_first else steps:
        step()
    assert only().stale is stale


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_every_order_ends_in_the_same_state(loader, order):
    steps = [lambda: put(loader, written(None)), lambda: store("v1", seen(OLD, 10)), lambda: store("v2", seen(NEW))]
    for n in order:
        steps[n]()
    row = only()
    assert (row.stale, row.line) == (True, 50)


def test_an_older_scan_changes_nothing(loader):
    put(loader, written())
    store("v2", seen(NEW))
    stale = only()
    store("v1.5", seen(OLD, 30))
    row = only()
    assert (row.stale, row.modified_at) == (True, stale.modified_at)
    put(loader, written(meaning="other words"))
    assert only().stale


def test_a_reload_for_the_newer_commit_clears_it_and_a_later_change_brings_it_back(loader):
    put(loader, written(pin={"commit": FIRST[:10]}))
    store("", seen(NEW), commit=SECOND)
    assert only().stale
    put(loader, written(pin={"commit": FIRST[:10]}, analysis={"commit": SECOND[:12]}))
    assert not only().stale
    store("", seen(OLD), commit=THIRD)
    assert only().stale
    put(loader, written(NEW.replace("x < 0", "x < 1"), pin={"commit": THIRD}))
    assert not only().stale


def test_a_new_snippet_that_agrees_clears_it(loader):
    put(loader, written())
    store("v2", seen(NEW))
    put(loader, written(NEW))
    assert not only().stale


def test_code_that_changes_back_clears_it(loader):
    put(loader, written())
    store("v2", seen(NEW))
    store("v3", seen(OLD))
    assert not only().stale


def test_a_scans_own_document_is_never_stale_until_somebody_explains_it(loader):
    store("v1", seen(OLD))
    store("v2", seen(NEW))
    assert not only().stale
    put(loader, written(None, pin={"line": 50, "release": "v2"}))
    store("v3", seen(OLD))
    assert only().stale


def test_rebuilding_mends_it(loader):
    put(loader, written())
    store("v2", seen(NEW))
    ErrorEntry.objects.update(stale=False)
    assert [stray.text for stray in find_strays()] == ["its being stale does not follow"]
    rebuild_rows()
    assert only().stale


def test_the_difference_is_served(loader):
    put(loader, written())
    store("v2", seen(NEW))
    computed = served_entry(only())["computed"]
    assert computed["standing"]["stale"]
    assert computed["code_changes"] == {
        "since": "v1",
        "now": "v2",
        "lines": [
            {"change": "removed", "line": 9, "text": "if x is None:"},
            {"change": "added", "line": 49, "text": "if x is None or x < 0:"},
            {"change": "same", "line": 50, "text": "    raise ValueError('bad %s' % x)"},
            {"change": "same", "line": 51, "text": "return x"},
        ],
    }


@pytest.mark.parametrize("scan_first", [True, False])
def test_the_seed_is_stale_in_0_5_23(loader, scan_first):
    """By hand: sixteen lines for hybrid MLA were put in three lines behind the raise; the scan sees the first."""
    lines = SEED["source"]["snippet"]["code"].split("\n")[14:25]
    begins = "        # Hybrid MLA prefill stages expose PP-local entries, while a PP=1"
    site = throw(
        SEED["message"],
        285,
        SEED["source"]["path"],
        SEED["source"]["symbol"],
        exception_type="NotImplementedError",
        end_line=288,
        snippet_start=281,
        snippet="\n".join([*lines, begins]),
    )
    steps = [
        lambda: loader.put("seed.json", SEED),
        lambda: store("v0.5.23", site, repository=SEED["repository"]),
    ]
    for step in reversed(steps) if scan_first else steps:
        step()
    row = only()
    assert (row.public_id, row.stale, row.line) == ("0a4a184d34e9a38f", True, 285)
    changes = served_entry(row)["computed"]["code_changes"]
    assert (changes["since"], changes["now"]) == ("0132848349", "v0.5.23")
    assert [line["text"] for line in changes["lines"] if line["change"] != "same"] == [begins]


@pytest.mark.parametrize("count", [2, 60])
def test_asks_the_base_by_chunks_only(loader, count, django_assert_num_queries):
    sites = [throw(f"message {n}", 10 * n + 10, symbol=f"f{n}", snippet=OLD) for n in range(count)]
    store("v1", *sites)
    keys = list(ErrorEntry.objects.values_list("pk", flat=True))
    with django_assert_num_queries(1):
        sync_standings(keys)
    ErrorEntry.objects.update(explained=True)
    with django_assert_num_queries(2):
        sync_standings(keys)
    ErrorEntry.objects.update(stale=True)
    with django_assert_num_queries(3):
        assert sync_standings(keys) == count
