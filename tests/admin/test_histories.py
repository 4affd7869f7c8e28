"""The states that a document has had, and the way back."""

import re

import pytest
from django.utils import timezone

from errorkb.ingest.edits import Edit, edit
from errorkb.models import Batch, ErrorEntry, Revision
from tests.admin.browsing import opened_form
from tests.admin.conftest import address, sample

SEED = sample("error-0a4a184d34e9a38f.json")


@pytest.fixture
def changed(ada, seed) -> ErrorEntry:
    filled = opened_form(ada, address(seed)).fill(
        doc__meaning="Quite another text!", doc__retryable="true", reason="clearer"
    )
    filled.fill(doc__solutions__3__text="A fourth").send()
    return seed


def edit_often(row: ErrorEntry, times: int) -> None:
    for number in range(times):
        edit(row, SEED | {"meaning": f"version {number}."}, Edit("ada", f"step {number}"), clock=timezone.now)


def restore_address(row: ErrorEntry, revision: Revision) -> str:
    return f"{address(row, 'history')}{revision.pk}/"


def test_a_document_that_was_never_changed_has_its_first_state(ada, seed):
    html = ada.get(address(seed, "history")).content.decode()
    assert "First state" in html
    assert "the file " in html
    assert "Go back" not in html


def test_every_state_says_who_when_why_and_what(ada, changed):
    html = ada.get(address(changed, "history")).content.decode()
    newest, first = html.split('class="state"')[1:]
    assert "<strong>ada</strong>" in newest
    assert "“clearer”" in newest
    assert "<code>meaning</code>" in newest
    assert "<ins>Quite another text!</ins>" in newest
    assert "<code>retryable</code>" in newest
    assert "<em>not there</em>" in newest
    assert "<em>yes</em>" in newest
    assert "<code>solutions[3]</code>" in newest
    assert "First state" in first
    assert f'href="{restore_address(changed, Revision.objects.last())}"' in first
    assert "Go back" not in newest


def test_going_back_asks_first_and_is_a_new_state(ada, changed):
    first = Revision.objects.last()
    page = opened_form(ada, restore_address(changed, first), "sheet")
    assert "<del>Quite another text!</del>" in page.html
    assert page.fill(reason="was better").send().url == address(changed, "history")
    assert ErrorEntry.objects.get().as_document() == SEED
    assert (Revision.objects.first().writer, Revision.objects.first().reason) == ("person:ada", "was better")


def test_going_back_needs_a_reason(ada, changed):
    page = opened_form(ada, restore_address(changed, Revision.objects.last()), "sheet")
    assert "Say why you go back" in page.send().content.decode()
    assert Revision.objects.count() == 2


def test_going_back_from_another_state_than_was_read_is_held_back(ada, changed):
    page = opened_form(ada, restore_address(changed, Revision.objects.last()), "sheet")
    opened_form(ada, address(changed)).fill(doc__trigger="new", reason="r").send()
    html = page.fill(reason="was better").send().content.decode()
    assert "Somebody saved another state meanwhile" in html
    assert "<code>trigger</code>" in html
    assert ErrorEntry.objects.get().as_document()["trigger"] == "new"


def test_going_back_to_what_is_stored_is_not_offered(ada, changed):
    html = ada.get(restore_address(changed, Revision.objects.first())).content.decode()
    assert "there is nothing to go back to" in html
    assert "<button" not in html.split('id="content"')[1]


def test_states_of_another_document_are_not_found(ada, changed, loader):
    loader.put("b.json", SEED | {"id": "0" * 16, "message": "other"})
    other = ErrorEntry.objects.get(message="other")
    assert ada.get(restore_address(other, Revision.objects.last())).status_code == 404


def test_the_history_has_pages(ada, seed):
    edit_often(seed, 21)
    newest, oldest = (ada.get(address(seed, "history"), {"page": page}).content.decode() for page in (1, 2))
    assert (newest.count('class="state"'), oldest.count('class="state"')) == (20, 2)
    assert "First state" not in newest
    assert "First state" in oldest
    assert "“step 0”" in oldest


def test_a_page_of_the_history_costs_few_queries(ada, seed, django_assert_max_num_queries):
    edit_often(seed, 5)
    with django_assert_max_num_queries(5):
        assert ada.get(address(seed, "history")).content.decode().count('class="state"') == 6


def test_a_revision_is_shown_by_itself(ada, changed):
    html = ada.get(f"/admin/errorkb/revision/{Revision.objects.first().pk}/change/").content.decode()
    assert "<ins>Quite another text!</ins>" in html
    assert f'href="{address(changed, "history")}"' in html


def test_a_batch_is_shown_and_leads_to_its_revisions(ada, changed):
    revision = Revision.objects.first()
    batch = revision.batch
    html = ada.get(f"/admin/errorkb/batch/{batch.pk}/change/").content.decode()
    assert "<h1>Change of an entry</h1>" in html
    assert f'<a href="/admin/errorkb/revision/{revision.pk}/change/">NotImplementedError' in html
    assert f'href="/admin/errorkb/revision/?batch__id__exact={batch.pk}"' in html
    listed = ada.get("/admin/errorkb/revision/", {"batch__id__exact": batch.pk})
    assert listed.context["cl"].result_count == 1


def test_a_batch_that_only_made_documents_says_that_it_has_no_revisions(ada, seed):
    batch = Batch.objects.get()
    html = ada.get(f"/admin/errorkb/batch/{batch.pk}/change/").content.decode()
    assert "<h1>Loading of entries</h1>" in html
    assert "<dd>files</dd>" in html
    assert "None: the first state of a document is kept as a revision when" in html


@pytest.mark.parametrize(
    "page",
    ["batch/", "batch/{batch}/change/", "revision/", "revision/{revision}/change/", "errorentry/{entry}/history/"],
)
def test_pages_have_one_form_of_date_and_name_files_without_their_folders(ada, changed, page):
    places = {"batch": Batch.objects.last().pk, "revision": Revision.objects.last().pk, "entry": changed.pk}
    html = ada.get("/admin/errorkb/" + page.format(**places)).content.decode().split('id="content"')[1]
    shown = re.sub(r"<[^>]+>", " ", html)
    assert re.search(r"\b20\d\d-\d\d-\d\d \d\d:\d\d UTC\b", shown)
    assert not re.search(r"\b(a|p)\.m\.|:\d\d:\d\d|edit_|load_|person:|file:|/seed\.json", shown)
