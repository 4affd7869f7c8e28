"""Documents that are stored already are told before they are prepared, and nothing else becomes of them for that."""

import json

import pytest

from errorkb.ingest import preparing
from errorkb.ingest.prepared import find_unchanged, prepare_entry
from errorkb.models import ErrorEntry
from tests.builders import entry, site

X, Y, ALIAS = "aaaaaaaaaaaaaaa1", "bbbbbbbbbbbbbbb2", "ccccccccccccccc3"
STORED = entry(id=X, aliases=[ALIAS], meaning="m", source=site())
CHANGED = STORED | {"meaning": "n"}
SAME_SITE = entry(meaning="n", source=site())
OTHER = entry("other", id=Y)


@pytest.fixture
def stored(loader):
    loader.put("a.json", STORED)
    return loader


@pytest.fixture
def nothing_prepared(stored, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whatever is prepared from here on fail."""
    monkeypatch.setitem(preparing._PREPARE, "entries", None)


@pytest.mark.parametrize(
    "data",
    [
        json.dumps([STORED]),
        json.dumps(STORED, indent=2),
        json.dumps(STORED).replace('"id": ', '"id" \t:  '),
        json.dumps(STORED | {"html_url": "https://example.org/", "computed": {"id": Y}}),
        json.dumps(STORED) + "\n" + json.dumps(STORED),
    ],
)
@pytest.mark.parametrize("options", [{}, {"atomic": True}, {"dry_run": True}, {"force": True}])
@pytest.mark.usefixtures("nothing_prepared", "batches_of_five")
def test_what_is_stored_is_not_prepared_again(stored, data, options):
    found = stored.load(stored.file("a.json", data.encode()), **options)
    assert {(outcome.status.value, outcome.name) for outcome in found} == {("unchanged", X)}


@pytest.mark.parametrize("between", [0, 3, 4, 5])
@pytest.mark.parametrize(
    ("documents", "statuses", "meaning"),
    [
        ([CHANGED], ["updated"], "n"),
        ([STORED, CHANGED], ["unchanged", "refused"], "m"),
        ([CHANGED, STORED], ["updated", "refused"], "n"),
        ([STORED, SAME_SITE], ["unchanged", "refused"], "m"),
        ([SAME_SITE, STORED], ["updated", "refused"], "n"),
        ([OTHER, STORED], ["created", "unchanged"], "m"),
    ],
)
@pytest.mark.usefixtures("batches_of_five")
def test_documents_are_told_in_their_order_wherever_batches_end(stored, documents, statuses, meaning, between):
    first, *rest = documents
    others = [entry(f"message {n}") for n in range(between)]
    found = stored.put("a.json", first, *others, *rest)
    assert [found[0], *found[between + 1 :]] == statuses
    assert ErrorEntry.objects.get(public_id=X).as_document()["meaning"] == meaning


@pytest.mark.usefixtures("nothing_prepared")
def test_an_entry_whose_source_is_at_hand_is_looked_at(stored):
    (stored.folder / "a.py").write_text("\n" * 9 + "raise ValueError('bad %s')\n")
    with pytest.raises(TypeError):
        stored.put("a.json", STORED, source=str(stored.folder))


@pytest.mark.parametrize(
    ("raw", "is_unchanged"),
    [
        (STORED, True),
        (STORED | {"modified": "2026-01-01"}, True),
        (STORED | {"id": X.upper()}, False),
        (CHANGED, False),
        (STORED | {"id": Y}, False),
        (STORED | {"id": None}, False),
        (STORED | {"id": ["x"], "aliases": 3}, False),
        ({}, False),
    ],
)
def test_a_document_is_unchanged_by_the_hash_of_its_own_fields(raw, is_unchanged):
    hashes = {X: prepare_entry(STORED, where="", writer="").content_hash}
    found = find_unchanged(raw, hashes, where="a.json", writer="file:a.json")
    assert (found is not None) == is_unchanged
    if found:
        assert found.identifiers == (X, ALIAS)
