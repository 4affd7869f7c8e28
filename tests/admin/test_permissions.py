"""Who may do what: Django's own permissions on the models."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from errorkb.models import ErrorEntry, Revision
from tests.admin.browsing import opened_form
from tests.admin.conftest import address

PAGES = ("", "errorkb/errorentry/", "errorkb/errorentry/add/", "errorkb/revision/", "errorkb/batch/")


@pytest.fixture
def changed(ada, seed) -> ErrorEntry:
    opened_form(ada, address(seed)).fill(doc__meaning="by ada", reason="r").send()
    return seed


def addresses(row: ErrorEntry) -> list[str]:
    revision = Revision.objects.last()
    return [
        *(f"/admin/{page}" for page in PAGES),
        address(row),
        address(row, "history"),
        f"{address(row, 'history')}{revision.pk}/",
        f"/admin/errorkb/revision/{revision.pk}/change/",
        "/admin/errorkb/errorentry/preview/",
    ]


@pytest.mark.parametrize("method", ["get", "post"])
def test_strangers_are_asked_to_sign_in(changed, method):
    for place in addresses(changed):
        response = getattr(Client(), method)(place)
        assert (response.status_code, response.url.split("?")[0]) == (302, "/admin/login/"), place


def test_people_without_staff_status_are_asked_to_sign_in(changed):
    client = Client()
    client.force_login(User.objects.create_user("reader"))
    assert {client.get(place).status_code for place in addresses(changed)} == {302}


def test_staff_without_permissions_see_nothing(changed):
    client = Client()
    client.force_login(User.objects.create_user("new", is_staff=True))
    refused = addresses(changed)[1:-1]
    assert {client.get(place).status_code for place in refused} == {403}


def test_who_may_only_look_sees_values_and_no_boxes(viewer, changed):
    html = viewer.get(address(changed)).content.decode().split('id="content"')[1]
    assert "View entry" in html
    assert "by ada" in html
    assert "Disable the hierarchical cache" in html
    assert not any(f"<{tag}" in html for tag in ("textarea", "select", "button"))
    assert html.count("<input") == 3, "the CSRF token and two hashes"


def test_who_may_only_look_changes_nothing(viewer, changed):
    before = ErrorEntry.objects.get().document
    revision = Revision.objects.last()
    sent = {"reason": "r", "read_hash": changed.content_hash, "doc-meaning": "x", "_save": ""}
    assert viewer.post(address(changed), sent).status_code == 403
    assert viewer.post(f"{address(changed, 'history')}{revision.pk}/", sent).status_code == 403
    assert viewer.get("/admin/errorkb/errorentry/add/").status_code == 403
    assert ErrorEntry.objects.get().document == before


def test_who_may_only_look_reads_the_history(viewer, changed):
    html = viewer.get(address(changed, "history")).content.decode()
    assert "by ada" in html
    assert "Go back" not in html


def test_who_may_change_entries_does_so_in_their_own_name(changed):
    client = Client()
    user = User.objects.create_user("eve", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="change_errorentry"))
    client.force_login(user)
    opened_form(client, address(changed)).fill(doc__trigger="by eve", reason="r").send()
    assert Revision.objects.first().writer == "person:eve"
    assert client.get(address(changed.repository)).status_code == 403


def test_saving_needs_the_token_of_the_form(changed):
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(username="ada"))
    sent = {"reason": "r", "_save": ""}
    restore = f"{address(changed, 'history')}{Revision.objects.last().pk}/"
    assert {client.post(place, sent).status_code for place in (address(changed), restore)} == {403}
    assert client.post("/admin/errorkb/errorentry/preview/", {"text": "x"}).status_code == 403


@pytest.mark.parametrize("place", ["9999/change", "x/change", "9999/history", "9999/history/1", "1/history/9999"])
def test_what_is_not_there_is_said_to_be_missing(ada, seed, place):
    response = ada.get(f"/admin/errorkb/errorentry/{place}/")
    assert response.status_code in (302, 404)
