"""The loading rules, a row each: what is stored, under which id, after documents came in this order."""

import io
import json
from functools import partial
from pathlib import Path

import pytest

from errorkb.core.identity import Site, mint_id
from errorkb.ingest import loading
from errorkb.ingest.edits import Edit, edit
from errorkb.ingest.exporting import export_documents, exported_rows
from errorkb.ingest.integrity import find_strays
from errorkb.models import EntryIdentifier, ErrorEntry, Repository, Revision
from tests.builders import entry, site

X, Y, Z, W = ("aaaaaaaaaaaaaaa1", "bbbbbbbbbbbbbbb2", "ccccccccccccccc3", "ddddddddddddddd4")
MINTED = mint_id("o/n", Site("error", "ValueError", "bad %s", "f"), 0)
TWIN = mint_id("o/n", Site("error", "ValueError", "bad %s", "f"), 1)
AT = {"source": site()}
# How many documents stand between two: both are in one batch of five, or the later is in the next one, first or second.
BETWEEN = [0, 3, 4, 5]


def known() -> dict[str, set[str]]:
    """Return each entry's public id with all that leads to it."""
    found: dict[str, set[str]] = {}
    for identifier in EntryIdentifier.objects.select_related("entry"):
        found.setdefault(identifier.entry.public_id, set()).add(identifier.value)
    return found


def exported() -> list[dict]:
    return [document for _, document in export_documents(exported_rows("entries"))]


@pytest.mark.parametrize(
    ("loads", "statuses", "identifiers"),
    [
        # the same file twice
        ([[entry(**AT)], [entry(**AT)]], [["created"], ["unchanged"]], {MINTED: {MINTED}}),
        ([[entry(id=X)], [entry(id=X)]], [["created"], ["unchanged"]], {X: {X, "*"}}),
        # an id in another letter case is the same id
        ([[entry(id=X)], [entry(id=X.upper())]], [["created"], ["unchanged"]], {X: {X, "*"}}),
        # an edited file
        ([[entry(**AT)], [entry(meaning="m", **AT)]], [["created"], ["updated"]], {MINTED: {MINTED}}),
        # id then site, site then id
        ([[entry(id=X, **AT)], [entry(**AT)]], [["created"], ["unchanged"]], {X: {X, MINTED}}),
        ([[entry(**AT)], [entry(id=X, **AT)]], [["created"], ["updated"]], {X: {X, MINTED}}),
        # of two given ids the first stays
        ([[entry(id=X, **AT)], [entry(id=Y, **AT)]], [["created"], ["updated"]], {X: {X, Y, MINTED}}),
        # alias chains: an alias leads to an entry, never to an alias
        (
            [[entry(id=X, **AT)], [entry(id=Y, aliases=[X], **AT)], [entry(id=Z, aliases=[Y], **AT)]],
            [["created"], ["updated"], ["updated"]],
            {X: {X, Y, Z, MINTED}},
        ),
        (
            [[entry(id=X, aliases=[Y], **AT)], [entry("other", id=Y)]],
            [["created"], ["updated"]],
            {X: {X, Y, MINTED, "*"}},
        ),
        # ids of two entries in one document
        (
            [[entry("one", id=X), entry("two", id=Y)], [entry("three", id=X, aliases=[Y])]],
            [["created", "created"], ["refused"]],
            {X: {X, "*"}, Y: {Y, "*"}},
        ),
        # twins of one function: two lines of one pin are two entries, and each is found again
        (
            [[entry(**AT), entry(source=site(20))], [entry(source=site(20)), entry(**AT)]],
            [["created", "created"], ["unchanged", "unchanged"]],
            {MINTED: {MINTED}, TWIN: {TWIN}},
        ),
        # both move on in another release, in the order of their lines
        (
            [
                [entry(source=site(10)), entry(source=site(20))],
                [entry(source=site(18, release="v2")), entry(source=site(28, release="v2"))],
            ],
            [["created", "created"], ["updated", "updated"]],
            {MINTED: {MINTED}, TWIN: {TWIN}},
        ),
        # a duplicate id in one file: the same again is fine, another document is not
        ([[entry(id=X, **AT), entry(id=X, **AT)]], [["created", "unchanged"]], {X: {X, MINTED}}),
        ([[entry(id=X, **AT), entry("other", id=X)]], [["created", "refused"]], {X: {X, MINTED}}),
        ([[entry(), entry(meaning="m")]], [["created", "refused"]], None),
        # twins of which one is named by its id: the other is not taken for it, wherever it stood before
        (
            [
                [entry(source=site(10)), entry(id=Y, source=site(20))],
                [entry(id=Y, source=site(30, release="v2")), entry(source=site(20, release="v2"))],
            ],
            [["created", "created"], ["updated", "updated"]],
            {MINTED: {MINTED}, Y: {Y, TWIN}},
        ),
        # named by its id and by its place in one load
        (
            [
                [entry(source=site(10)), entry(id=Y, source=site(20))],
                [entry(source=site(20)), entry(id=Y, source=site(20)), entry(source=site(20))],
            ],
            [["created", "created"], ["unchanged", "unchanged", "unchanged"]],
            {MINTED: {MINTED}, Y: {Y, TWIN}},
        ),
        # a load that renames one and brings another of the old name
        (
            [[entry("old", id=X, **AT)], [entry("new", id=X, **AT), entry("old", source=site(50))]],
            [["created"], ["updated", "created"]],
            None,
        ),
        # the same site in another file of the source is another entry
        ([[entry(**AT), entry(source=site(path="b.py"))]], [["created", "created"]], {MINTED: {MINTED}, TWIN: {TWIN}}),
        # in another kind, type, symbol or repository too
        ([[entry(**AT), entry(kind="log", **AT), entry(**AT, repository="o/m")]], [["created"] * 3], None),
    ],
)  # fmt: skip
def test_ids_and_sites(loader, loads, statuses, identifiers):
    assert [loader.put("a.json", *documents) for documents in loads] == statuses
    assert list(find_strays()) == []
    if identifiers is None:
        return
    found = known()
    assert set(found) == set(identifiers)
    for public, names in identifiers.items():
        assert (found[public] > names - {"*"}) if "*" in names else (found[public] == names)


def test_after_a_rewording_the_id_that_would_be_minted_leads_here_too(loader):
    loader.put("a.json", entry("old", id=X, source=site()))
    loader.put("a.json", entry("new", id=X, source=site()))
    assert mint_id("o/n", Site("error", "ValueError", "new", "f"), 0) in known()[X]


def test_a_reworded_twin_gets_no_alias(loader):
    loader.put("a.json", entry("new", source=site(30)), entry("old", id=X, source=site()))
    loader.put("a.json", entry("new", id=X, source=site()))
    assert mint_id("o/n", Site("error", "ValueError", "new", "f"), 1) not in known()[X]


def test_minted_ids_do_not_depend_on_the_base(loader):
    loader.put("a.json", entry("something else"), entry(**AT))
    assert ErrorEntry.objects.get(message="bad %s").public_id == MINTED


# Two sources and a person


def test_another_source_adds_what_nobody_wrote_and_changes_nothing_else(loader):
    loader.put("a.json", entry(meaning="from a", **AT))
    (outcome,) = loader.load(loader.file("b.json", [entry(meaning="from b", trigger="from b", **AT)]))
    assert outcome.status == "conflicting"
    (conflict,) = outcome.conflicts
    assert (conflict.field, conflict.stored, conflict.offered) == ("meaning", "from a", "from b")
    assert conflict.owner == f"file:{loader.folder / 'a.json'}"
    (document,) = exported()
    assert (document["meaning"], document["trigger"]) == ("from a", "from b")


def test_each_source_may_change_what_it_wrote_itself(loader):
    loader.put("a.json", entry(meaning="from a", **AT))
    loader.put("b.json", entry(trigger="from b", **AT))
    assert loader.put("b.json", entry(trigger="again", **AT)) == ["updated"]
    assert loader.put("a.json", entry(meaning="again", **AT)) == ["updated"]
    (document,) = exported()
    assert (document["meaning"], document["trigger"]) == ("again", "again")


def test_a_source_may_take_back_what_it_wrote(loader):
    loader.put("a.json", entry(meaning="m", **AT))
    loader.put("b.json", entry(trigger="t", **AT))
    assert loader.put("a.json", entry(**AT)) == ["updated"]
    assert exported() == [entry(trigger="t", **AT)]


def test_what_a_source_took_back_is_free_for_another(loader):
    loader.put("a.json", entry(meaning="from a", **AT))
    loader.put("a.json", entry(**AT))
    assert loader.put("b.json", entry(meaning="from b", **AT)) == ["updated"]


def test_another_source_may_bring_fields_of_a_later_minor_version(loader):
    loader.put("a.json", entry(**AT))
    later = entry(schema_version="1.3", invented=1, **AT)
    assert loader.put("b.json", later) == ["updated"]
    assert loader.put("a.json", entry(**AT)) == ["unchanged"]
    assert exported() == [later]


@pytest.mark.parametrize("between", BETWEEN)
def test_files_of_one_load_are_sources_each(loader, batches_of_five, between):
    others = [entry(f"message {n}") for n in range(between)]
    paths = [
        loader.file("a.json", [entry(meaning="from a", **AT), *others]),
        loader.file("b.json", [entry(trigger="from b", **AT)]),
        loader.file("c.json", [entry(trigger="from c", meaning="from a", **AT)]),
    ]
    first, *_, second, third = loader.load(*paths)
    assert (first.status, second.status, third.status) == ("created", "updated", "conflicting")
    assert exported()[0] == entry(meaning="from a", **AT) | {"trigger": "from b"}
    assert [r.writer.rpartition("/")[2] for r in Revision.objects.order_by("pk")] == ["a.json", "b.json"]
    assert loader.put("a.json", entry(meaning="again", **AT)) == ["updated"]
    assert list(find_strays()) == []


@pytest.mark.parametrize("between", BETWEEN)
def test_a_document_that_stands_twice_is_one_beside_what_others_wrote_too(loader, batches_of_five, between):
    others = [entry(f"message {n}") for n in range(between)]
    documents = [entry(meaning="m", **AT), *others, entry(meaning="m", **AT)]
    loader.put("a.json", entry(meaning="m", **AT))
    loader.put("b.json", entry(trigger="t", **AT))
    assert loader.put("a.json", *documents)[:: len(documents) - 1] == ["unchanged", "unchanged"]


def test_a_reworded_entry_meets_each_document_of_its_old_site(loader):
    loader.put("a.json", entry("old", id=X, **AT))
    loader.put("a.json", entry("new", id=X, **AT))
    assert loader.put("b.json", entry("old", **AT), entry("old", **AT)) == ["conflicting", "conflicting"]
    assert ErrorEntry.objects.count() == 1


def test_twins_beyond_a_batch_are_each_found_again_and_not_read_for_each_other(loader, monkeypatch):
    read = []
    monkeypatch.setattr(ErrorEntry, "as_document", lambda row: read.append(row.pk) or json.loads(row.document))
    monkeypatch.setattr(loading, "BATCH_DOCUMENTS", 200)
    documents = [entry(source=site(line)) for line in range(1, 451)]
    assert set(loader.put("a.json", *documents)) == {"created"}
    assert read == []
    assert set(loader.put("a.json", *documents)) == {"unchanged"}
    assert len(read) == 450
    moved = [entry(source=site(line, release="v2")) for line in range(451, 901)]
    assert set(loader.put("a.json", *moved)) == {"updated"}
    assert ErrorEntry.objects.count() == 450


@pytest.mark.parametrize(("piped", "stored"), [(False, [10] * 10 + [12] * 2), (True, [5] * 5 + [10] * 5 + [12] * 2)])
def test_several_batches_of_files_are_one_transaction_and_each_of_a_pipe(
    loader, batches_of_five, monkeypatch, piped, stored
):
    monkeypatch.setattr(loading, "TRANSACTION_BATCHES", 2)
    file = loader.file("a.ndjson", "\n".join(json.dumps(entry(f"message {n}")) for n in range(12)).encode())
    told: list[int] = []
    load = partial(loading.load, "entries", options=loading.LoadOptions(), clock=loader.clock)
    load(
        paths=["-" if piped else file],
        report=lambda _: told.append(ErrorEntry.objects.count()),
        standard_input=io.BytesIO(Path(file).read_bytes()),
    )
    assert told == stored


def test_force_overrides(loader):
    loader.put("a.json", entry(meaning="from a", **AT))
    assert loader.put("b.json", entry(meaning="from b", **AT), force=True) == ["updated"]
    assert exported()[0]["meaning"] == "from b"


def test_a_named_tool_is_one_writer_whatever_file_it_brings(loader):
    loader.put("a.json", entry(meaning="1", **AT), writer="tool:x")
    assert loader.put("b.json", entry(meaning="2", **AT), writer="tool:x") == ["updated"]


# Renamed repositories


def repository(name: str, *aliases: str) -> dict:
    return {"schema_version": "1.0", "name": name, "aliases": list(aliases)}


def test_a_renamed_repository_keeps_its_entries(loader):
    loader.put("a.json", entry(id=X, **AT))
    assert loader.put("r.json", repository("new/n", "o/n"), kind="repositories") == ["created"]
    assert loader.put("b.json", entry(repository="new/n", **AT)) == ["unchanged"]
    assert ErrorEntry.objects.get().repository.name == "new/n"
    assert exported() == [entry(id=X, **AT)]


def test_a_rename_in_the_document_itself_makes_the_old_name_an_alias(loader):
    loader.put("r.json", repository("o/n"), kind="repositories")
    loader.put("a.json", entry(**AT))
    assert loader.put("r.json", repository("new/n", "o/n"), kind="repositories") == ["updated"]
    assert Repository.objects.named("O/N").get().name == "new/n"
    assert loader.put("a.json", entry(**AT)) == ["unchanged"]


def test_entries_that_came_under_both_names_become_one(loader):
    loader.put("a.json", entry(id=X, meaning="m", **AT), entry("only old", id=Z))
    loader.put(
        "b.json", entry(id=Y, repository="new/n", trigger="t", **AT), entry("only new", id=W, repository="new/n")
    )
    loader.put("r.json", repository("new/n", "o/n"), kind="repositories")
    found = known()
    assert set(found) == {X, Z, W}
    assert {X, Y} <= found[X]
    joined = ErrorEntry.objects.get(public_id=X).as_document()
    assert (joined["meaning"], joined["trigger"]) == ("m", "t")
    assert list(find_strays()) == []


def test_what_differs_under_both_names_is_reported_and_kept_as_a_revision(loader):
    loader.put("a.json", entry(meaning="from a", **AT))
    loader.put("b.json", entry(meaning="from b", trigger="t", repository="new/n", **AT))
    (outcome,) = loader.load(loader.file("r.json", [repository("new/n", "o/n")]), kind="repositories")
    assert outcome.status == "conflicting"
    found = [(conflict.field, conflict.stored, conflict.offered) for conflict in outcome.conflicts]
    assert found == [(f"{MINTED}: meaning", "from a", "from b")]
    assert exported() == [entry(meaning="from a", **AT) | {"trigger": "t"}]
    assert [r.as_document().get("meaning") for r in Revision.objects.order_by("pk")] == ["from a", "from b", "from a"]
    assert list(find_strays()) == []


def test_what_a_person_wrote_under_either_name_stays(loader):
    loader.put("a.json", entry(meaning="from a", **AT))
    loader.put("b.json", entry(meaning="from b", repository="new/n", **AT))
    young = ErrorEntry.objects.get(repository__name="new/n")
    edit(young, young.as_document() | {"meaning": "by hand"}, Edit("ada", "r"), clock=loader.clock)
    loader.put("r.json", repository("new/n", "o/n"), kind="repositories")
    assert exported() == [entry(meaning="by hand", **AT)]
    assert ErrorEntry.objects.get().owners["meaning"] == "person:ada"


def test_after_a_repository_was_renamed_the_ids_of_its_new_name_lead_here_too(loader):
    loader.put("a.json", entry(**AT), entry("twin", source=site(20)), entry("twin", source=site(30)))
    loader.put("r.json", repository("new/n", "o/n"), kind="repositories")
    new = mint_id("new/n", Site("error", "ValueError", "bad %s", "f"), 0)
    found = known()
    assert found[MINTED] == {MINTED, new}
    assert sum(map(len, found.values())) == 4
    assert loader.put("a.json", entry(id=new, repository="new/n", **AT)) == ["updated"]
    assert list(find_strays()) == []


def test_a_repository_with_a_document_of_its_own_is_no_alias(loader):
    loader.put("r.json", repository("a/b"), repository("c/d"), kind="repositories")
    assert loader.put("s.json", repository("a/b", "c/d"), kind="repositories") == ["refused"]
    assert Repository.objects.count() == 2


# All or nothing


def test_atomic_with_one_bad_document_loads_none(loader):
    documents = [entry(f"message {n}") for n in range(500)] + [{"schema_version": "1.0"}]
    path = loader.file("a.json", documents)
    outcomes = loader.load(path, atomic=True)
    assert [outcome.status.value for outcome in outcomes] == ["refused"]
    assert outcomes[0].where == f"{path}, index 500 (line 1)"
    assert not ErrorEntry.objects.exists()


def test_atomic_rolls_back_when_a_document_is_refused_while_writing(loader):
    loader.put("a.json", entry("one", id=X), entry("two", id=Y))
    documents = [entry("three"), entry("one", id=X, aliases=[Y])]
    assert loader.put("b.json", *documents, atomic=True) == ["refused"]
    assert ErrorEntry.objects.count() == 2


def test_atomic_loads_all(loader):
    documents = [entry(f"message {n}") for n in range(450)]
    assert loader.put("a.json", *documents, atomic=True) == ["created"] * 450
    assert exported() == documents


def test_dry_run_shows_each_field_and_changes_nothing(loader):
    loader.put("a.json", entry(meaning="old", tags=["a", "b"], **AT))
    path = loader.file("a.json", [entry(meaning="new", tags=["a"], **AT), entry("another")])
    updated, created = loader.load(path, dry_run=True)
    assert (updated.status, created.status) == ("updated", "created")
    assert [(d.path, d.old, d.new) for d in updated.differences[:1]] == [("$.meaning", "old", "new")]
    assert [d.path for d in updated.differences] == ["$.meaning", "$.tags[1]"]
    assert "$.message" in [d.path for d in created.differences]
    assert exported() == [entry(meaning="old", tags=["a", "b"], **AT)]
    assert not Revision.objects.exists()


# Export equals what was loaded


@pytest.mark.parametrize(
    "document",
    [
        entry(),
        entry(id=X.upper(), aliases=[Y]),
        entry(meaning=None, solutions=["text", {"text": "object", "kind": None}], tags=[]),
        entry("", kind="assertion", source={"symbol": "Join._join_condition"}),
        entry("\u202eabc\u2011 ‘’ <script>\r\n\t\x07 中文 😀"),
        entry(schema_version="1.7", invented={"deep": [None, 1.5, True]}, source={"line": 3, "odd": ""}),
        entry(schema_version="1.7", name="n", number=3),
        entry(analysis={"date": "2026-08-05T09:54", "reviewed": False}),
    ],
)
def test_export_equals_what_was_loaded(loader, document):
    loader.put("a.json", document)
    assert json.dumps(exported()) == json.dumps([document])


def test_what_the_product_serves_beside_a_document_is_ignored_on_load(loader):
    served = entry(**AT) | {"computed": {"x": 1}, "html_url": "http://x", "modified": "2026-01-01T00:00:00"}
    loader.put("a.json", served)
    assert exported() == [entry(**AT)]


def test_export_with_ids_keeps_them_for_another_base(loader):
    loader.put("a.json", entry(id=X, **AT))
    loader.put("b.json", entry(id=Y, **AT), entry("plain"))
    first, second = (document for _, document in export_documents(exported_rows("entries"), with_ids=True))
    assert first == entry(id=X, aliases=[MINTED, Y], **AT)
    assert second["id"] == ErrorEntry.objects.get(message="plain").public_id


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("turned", [False, True])
def test_twins_keep_their_ids_in_another_base_whatever_comes_first(loader, batches_of_five, between, turned):
    twins = [entry(id=Y, source=site(20), aliases=[MINTED]), entry(id=X, source=site(30), aliases=[TWIN])]
    first, second = reversed(twins) if turned else twins
    others = [entry(f"message {n}") for n in range(between)]
    assert set(loader.put("a.json", first, *others, second)) == {"created"}
    found = known()
    assert (MINTED in found[Y], TWIN in found[X]) == (True, True)
    assert set(loader.put("a.json", first, *others, second)) == {"unchanged"}
    assert list(find_strays()) == []


# Revisions


def test_revisions_begin_with_the_second_state_and_hold_the_first_too(loader):
    loader.put("a.json", entry(meaning="1", **AT))
    assert not Revision.objects.exists()
    loader.put("a.json", entry(meaning="2", **AT), reason="better")
    loader.put("a.json", entry(meaning="3", **AT))
    found = list(Revision.objects.order_by("pk"))
    assert [revision.as_document()["meaning"] for revision in found] == ["1", "2", "3"]
    assert [revision.reason for revision in found] == ["", "better", ""]
    assert found[0].batch is None
    loader.put("a.json", entry(meaning="4", **AT), entry(aliases=[X], meaning="4", **AT))
    assert Revision.objects.count() == 5
    assert found[1].batch.counts == {"created": 0, "updated": 1, "unchanged": 0, "conflicting": 0, "refused": 0}
