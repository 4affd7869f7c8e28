import json
from pathlib import Path

import pytest

from errorkb.core.identity import Site, mint_id
from errorkb.core.queries import parse_query
from errorkb.ingest.exporting import export_documents, exported_rows
from errorkb.ingest.integrity import find_strays
from errorkb.ingest.scanned import ScanFacts, ScannedSite, TooManyRemovedError
from errorkb.ingest.scans.storing import store_scan
from errorkb.ingest.states import WriteContext
from errorkb.models import EntryIdentifier, ErrorEntry, Sighting
from errorkb.scanning.sites import ThrowSite, Wording
from errorkb.search.searching import search
from tests.builders import entry, site

X = "aaaaaaaaaaaaaaa1"
SEED = json.loads((Path(__file__).parents[2] / "samples/documents/error-0a4a184d34e9a38f.json").read_text("utf-8"))


def throw(
    text: str = "bad %s", line: int = 10, path: str = "a.py", symbol: str = "f", kind: str = "ValueError"
) -> ThrowSite:
    template = text.replace("%s", "{0}")
    wordings = (Wording(text, "percent", template),) if text else ()
    return ThrowSite(
        "error", kind, wordings, "full" if text else "none", path, line, line, symbol, "",
        (f"In `{symbol}`, always",), f"def {symbol}()", line, "raise",
    )  # fmt: skip


def document(site: ThrowSite, repository: str, release: str) -> dict:
    source = {"path": site.path, "line": site.line, "symbol": site.symbol, "release": release, "language": "python"}
    text = {"message": site.wordings[0].message, "placeholders": "percent"} if site.wordings else {"message": ""}
    return (
        {"schema_version": "1.0", "repository": repository, "exception_type": site.exception_type}
        | text
        | {
            "source": source,
            "conditions": list(site.conditions),
            "analysis": {"method": "scanner"},
        }
    )


@pytest.fixture
def scan(loader):
    def run(release: str, *sites: ThrowSite, repository: str = "o/n", **options) -> dict[str, int]:
        scanned = [ScannedSite(site, document(site, repository, release)) for site in sites]
        facts = ScanFacts(repository, release=release)
        report = store_scan(facts, scanned, WriteContext(clock=loader.clock), **options)
        assert report.refused == []
        assert list(find_strays()) == []
        return dict(report.counts)

    return run


def exported() -> list[dict]:
    return [found for _, found in export_documents(exported_rows("entries"))]


def only() -> ErrorEntry:
    return ErrorEntry.objects.select_related("newest__scan").get()


def test_every_site_becomes_an_entry_and_is_found_again(scan):
    sites = [throw("one"), throw("two", 20), throw("", 30, kind="AssertionError")]
    assert scan("v1", *sites) == {"new": 3}
    assert scan("v1", *sites) == {"seen": 3}
    assert (ErrorEntry.objects.count(), Sighting.objects.count()) == (3, 3)


def test_a_document_that_a_scan_made_follows_the_newest_sighting(scan):
    scan("v1", throw(line=10))
    assert scan("v2", throw(line=18)) == {"moved": 1}
    assert (only().line, only().as_document()["source"]["line"]) == (18, 18)
    assert scan("v1.5", throw(line=14)) == {"moved": 1}
    assert (only().line, only().as_document()["source"]["line"]) == (18, 18)
    assert Sighting.objects.count() == 3


@pytest.mark.parametrize("scan_first", [True, False])
def test_a_loaded_document_is_never_edited_and_the_order_does_not_matter(loader, scan, scan_first):
    loaded = entry(id=X, meaning="words", source={"path": "a.py", "line": 10, "symbol": "f", "commit": "0132848349"})
    steps = [lambda: loader.put("a.json", loaded), lambda: scan("v0.5.23", throw(line=285))]
    for step in reversed(steps) if scan_first else steps:
        step()
    assert exported() == [loaded]
    row = only()
    assert (row.public_id, row.line, row.newest.scan.release) == (X, 285, "v0.5.23")
    assert set(EntryIdentifier.objects.values_list("value", flat=True)) == {
        X,
        mint_id("o/n", Site("error", "ValueError", "bad %s", "f"), 0),
        mint_id("o/n", Site("error", "ValueError", "bad {0}", "f"), 0),
    }


def test_the_seed_is_the_same_entry_on_another_line(loader, scan):
    site = throw(SEED["message"], 285, SEED["source"]["path"], SEED["source"]["symbol"], "NotImplementedError")
    loader.put("seed.json", SEED)
    assert scan("v0.5.23", site, repository="sgl-project/sglang") == {"moved": 1}
    assert (only().public_id, only().line) == ("0a4a184d34e9a38f", 285)
    assert exported() == [SEED]


def test_an_entry_is_found_at_its_new_place_and_at_the_one_that_its_words_were_written_for(loader, scan):
    loader.put("one.json", entry("bad %s", id=X, placeholders="percent", source=site(10, "old/place.py", "Old.f")))
    scan("v2", throw(path="new/spot.py", symbol="Old.f"))
    for query in ("path:new/spot.py", "path:*/spot.py", "module:new bad", "symbol:Old.f", "spot.py", "place.py"):
        assert [found.entry.public_id for found in search(parse_query(query)).results] == [X], query
    assert not search(parse_query("path:old/place.py")).results


def test_a_reworded_message_keeps_its_entry_and_the_new_id_becomes_an_alias(loader, scan):
    loader.put(
        "a.json",
        entry("cannot open %s", placeholders="percent", id=X, source={"path": "a.py", "line": 9, "symbol": "f"}),
    )
    scan("v1", throw("cannot open %s"))
    assert scan("v2", throw("cannot open file %s")) == {"reworded": 1}
    assert only().public_id == X
    minted = mint_id("o/n", Site("error", "ValueError", "cannot open file {0}", "f"), 0)
    assert EntryIdentifier.objects.filter(value=minted, entry=only()).exists()


def test_what_is_gone_is_marked_and_comes_back(scan):
    sites = [throw(f"message {n}", n) for n in range(1, 31)]
    scan("v1", *sites)
    assert scan("v2", *sites[1:]) == {"seen": 29, "removed": 1}
    gone = ErrorEntry.objects.get(message="message 1")
    assert (gone.removed, gone.gone_in) == (True, "v2")
    assert scan("v3", *sites) == {"seen": 29, "returned": 1}
    assert not ErrorEntry.objects.filter(removed=True).exists()


def test_scanning_an_old_release_takes_nothing_away(scan):
    sites = [throw(f"message {n}", n) for n in range(1, 31)]
    scan("v2", *sites)
    assert scan("v1", *sites[5:], throw("only in the old one", 99)) == {"seen": 25, "new": 1}
    assert [row.message for row in ErrorEntry.objects.filter(removed=True)] == ["only in the old one"]
    assert ErrorEntry.objects.get(removed=True).gone_in == "v2"


def test_scanning_an_old_release_again_brings_nothing_back(scan):
    sites = [throw(f"message {n}", n) for n in range(1, 31)]
    scan("v1", *sites)
    scan("v2", *sites[1:])
    assert scan("v1", *sites) == {"seen": 30}
    assert ErrorEntry.objects.get(removed=True).gone_in == "v2"


def test_more_than_a_tenth_gone_needs_somebodys_word(scan):
    sites = [throw(f"message {n}", n) for n in range(1, 21)]
    scan("v1", *sites)
    with pytest.raises(TooManyRemovedError, match="3 of 20 entries of o/n"):
        scan("v2", *sites[3:])
    assert Sighting.objects.count() == 20
    assert scan("v2", *sites[3:], allow_removals=True) == {"seen": 17, "removed": 3}


def test_words_are_carried_through_two_releases_with_decoy_twins_beside_them(loader, scan):
    v1 = [throw(line=10 * n, symbol=f"f{m}") for m in range(20) for n in (1, 2)]
    v2 = [throw(line=10 * n + 7, symbol=f"f{m}") for m in range(20) for n in (1, 2)]
    scan("v1", *v1)
    words = [
        entry(
            "bad %s", id=f"{m:016x}", placeholders="percent", meaning=f"second in f{m}",
            source={"path": "a.py", "line": 20, "symbol": f"f{m}", "release": "v1"},
        )
        for m in range(20)
    ]  # fmt: skip
    loader.put("words.json", *words)
    assert scan("v2", *v2) == {"moved": 40}
    for m in range(20):
        row = ErrorEntry.objects.get(public_id=f"{m:016x}")
        assert (row.symbol, row.line, row.as_document()["meaning"]) == (f"f{m}", 27, f"second in f{m}")


def test_a_person_who_edits_a_scans_document_owns_it(loader, scan):
    scan("v1", throw())
    loader.put("a.json", entry(placeholders="percent", meaning="m", source={"path": "a.py", "line": 10, "symbol": "f"}))
    scan("v2", throw(line=50))
    assert only().as_document()["source"]["line"] == 10
    assert only().line == 50
