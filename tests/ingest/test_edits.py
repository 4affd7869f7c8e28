import pytest

from errorkb.core.problems import DocumentError
from errorkb.ingest.edits import Edit, EditedMeanwhileError, create_entry, edit, restore
from errorkb.ingest.integrity import find_strays
from errorkb.models import ErrorEntry, PullRequest, Repository, Revision
from tests.builders import entry, site

ADA = Edit("ada", "clearer")


@pytest.fixture
def stored(loader):
    loader.put("a.json", entry(meaning="from the file", trigger="t", source=site()))
    return ErrorEntry.objects.get()


def test_a_person_changes_a_field_and_the_file_no_longer_does(loader, stored):
    edit(stored, stored.as_document() | {"meaning": "by hand"}, ADA, clock=loader.clock)
    (outcome,) = loader.load(loader.file("a.json", [entry(meaning="new in file", trigger="t", source=site())]))
    assert [(c.field, c.stored, c.offered, c.owner) for c in outcome.conflicts] == [
        ("meaning", "by hand", "new in file", "person:ada")
    ]
    assert ErrorEntry.objects.get().as_document()["meaning"] == "by hand"


def test_what_a_person_removed_stays_removed(loader, stored):
    document = stored.as_document()
    del document["trigger"]
    edit(stored, document, ADA, clock=loader.clock)
    path = loader.file("a.json", [entry(meaning="from the file", trigger="t", source=site())])
    assert [outcome.status.value for outcome in loader.load(path)] == ["conflicting"]
    assert "trigger" not in ErrorEntry.objects.get().as_document()


def test_fields_that_the_person_left_alone_still_follow_the_file(loader, stored):
    edit(stored, stored.as_document() | {"meaning": "by hand"}, ADA, clock=loader.clock)
    (outcome,) = loader.load(loader.file("a.json", [entry(meaning="by hand", trigger="new", source=site())]))
    assert outcome.status == "updated"


def test_an_edit_is_a_revision_with_its_reason(loader, stored):
    edit(stored, stored.as_document() | {"meaning": "by hand"}, ADA, clock=loader.clock)
    first, second = Revision.objects.order_by("pk")
    assert (first.writer, first.as_document()["meaning"]) == (stored.created_by, "from the file")
    assert (second.writer, second.reason, second.batch.reason) == ("person:ada", "clearer", "clearer")
    assert list(find_strays()) == []


def test_an_edit_of_a_state_that_is_no_longer_stored_is_refused(loader, stored):
    edit(stored, stored.as_document() | {"meaning": "by hand"}, ADA, clock=loader.clock)
    with pytest.raises(EditedMeanwhileError):
        edit(stored, stored.as_document(), Edit("bob", "r", read_hash=stored.content_hash), clock=loader.clock)
    assert ErrorEntry.objects.get().as_document()["meaning"] == "by hand"


def test_an_edit_of_the_site_stays_with_its_entry_even_where_it_meets_another(loader, stored):
    loader.put("b.json", entry("other", source=site(20)))
    edit(stored, stored.as_document() | {"message": "other", "source": site(20)}, ADA, clock=loader.clock)
    assert ErrorEntry.objects.filter(message="other").count() == 2
    assert list(find_strays()) == []


@pytest.mark.parametrize("change", [{"message": None}, {"kind": "oops"}, {"unknown": 1}])
def test_a_wrong_document_is_refused_and_changes_nothing(loader, stored, change):
    with pytest.raises(DocumentError):
        edit(stored, stored.as_document() | change, ADA, clock=loader.clock)
    assert ErrorEntry.objects.get().content_hash == stored.content_hash
    assert not Revision.objects.exists()


def test_going_back_is_a_new_state(loader, stored):
    edit(stored, stored.as_document() | {"meaning": "by hand", "tags": ["x"]}, ADA, clock=loader.clock)
    restore(Revision.objects.order_by("pk").first(), Edit("bob", "was better"), clock=loader.clock)
    assert ErrorEntry.objects.get().as_document() == stored.as_document()
    assert Revision.objects.count() == 3


def test_a_person_makes_an_entry_but_not_a_second_one_of_its_site(loader, stored):
    made = create_entry(entry("made by hand"), ADA, clock=loader.clock)
    assert made.created_by == "person:ada"
    with pytest.raises(DocumentError, match=f"has an entry already: {stored.public_id}"):
        create_entry(entry(source=site(), meaning="m"), ADA, clock=loader.clock)


def test_a_pull_request_keeps_its_number_and_repository(loader):
    loader.put("p.json", {"schema_version": "1.0", "repository": "o/n", "number": 7}, kind="pull_requests")
    row = PullRequest.objects.get()
    edit(row, row.as_document() | {"title": "t"}, ADA, clock=loader.clock)
    assert PullRequest.objects.get().title == "t"
    with pytest.raises(DocumentError, match="keeps its number"):
        edit(row, row.as_document() | {"number": 8}, ADA, clock=loader.clock)
    with pytest.raises(DocumentError, match="keeps its repository"):
        edit(row, row.as_document() | {"repository": "x/y"}, ADA, clock=loader.clock)
    assert PullRequest.objects.count() == 1


def test_a_person_renames_a_repository(loader, stored):
    loader.put("r.json", {"schema_version": "1.0", "name": "o/n"}, kind="repositories")
    row = Repository.objects.get()
    edit(row, row.as_document() | {"name": "new/n"}, ADA, clock=loader.clock)
    assert Repository.objects.get().name == "new/n"
    assert Repository.objects.named("o/n").get() == row
    assert Revision.objects.filter(repository=row).count() == 2


def test_an_alias_that_leads_to_another_entry_is_refused(loader, stored):
    loader.put("b.json", entry("other", id="b" * 16))
    with pytest.raises(DocumentError, match="expected ids of one entry"):
        edit(stored, stored.as_document() | {"aliases": ["B" * 16]}, ADA, clock=loader.clock)
    edit(stored, stored.as_document() | {"aliases": [stored.public_id, "c" * 16]}, ADA, clock=loader.clock)
    assert ErrorEntry.objects.identified("c" * 16).get() == stored
