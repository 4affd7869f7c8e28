"""Pull requests that were found: a curator confirms, gives another role, rejects; loading again changes none of it."""

import pytest

from errorkb.models import ErrorEntry, FoundPullRequest, PullRequestJudgement
from errorkb.serving.known_pull_requests import known_numbers, touched_entries
from errorkb.serving.pull_requests import linked_pull_requests
from tests.builders import entry

ADDRESS = "/admin/errorkb/foundpullrequest/"
JUDGED = "/admin/errorkb/pullrequestjudgement/"
REPORT = {
    "schema_version": "1.0",
    "repository": "o/n",
    "number": 7,
    "fixes": [{"exception_type": "ValueError", "message": "no such key for ada"}],
}


@pytest.fixture
def found(loader) -> FoundPullRequest:
    loader.put("e.json", entry("no such key for {name}", placeholders="fstring"))
    loader.put("r.json", REPORT, kind="pull_requests")
    return FoundPullRequest.objects.get()


def act(client, action: str, **fields):
    chosen = list(FoundPullRequest.objects.values_list("pk", flat=True))
    return client.post(ADDRESS, {"action": action, "_selected_action": chosen} | fields, follow=True)


def shown() -> list[tuple[int, str, bool]]:
    links = linked_pull_requests(ErrorEntry.objects.select_related("repository").get())
    return [(link.number, link.role, link.is_confirmed) for link in links]


def load_again(loader) -> None:
    loader.put("r.json", REPORT | {"fixes": []}, kind="pull_requests", force=True)
    loader.put("r.json", REPORT, kind="pull_requests", force=True)
    loader.put("e.json", entry("no such key for {name}", placeholders="fstring", meaning="More."))


def test_lists_what_was_found_with_its_evidence(ada, found):
    body = ada.get(ADDRESS).content.decode()
    assert "o/n #7" in body
    assert "it says that it fixes ValueError: no such key for ada" in body
    assert ADDRESS in ada.get(f"/admin/errorkb/errorentry/{found.entry_id}/change/").content.decode()


def test_a_rejected_link_is_not_shown_and_stays_so(ada, loader, found):
    assert shown() == [(7, "fixed", False)]
    assert "1 rejected." in act(ada, "reject", reason="another key").content.decode()
    assert shown() == []
    load_again(loader)
    assert shown() == []
    judgement = PullRequestJudgement.objects.get()
    assert (judgement.person, judgement.reason) == ("ada", "another key")
    assert touched_entries(found.repository_id, 7) == []


def test_a_confirmed_link_keeps_its_role_and_outlives_what_it_was_found_by(ada, loader, found):
    act(ada, "confirm", role="introduced")
    assert shown() == [(7, "introduced", True)]
    load_again(loader)
    assert shown() == [(7, "introduced", True)]
    loader.put("r.json", REPORT | {"fixes": []}, kind="pull_requests", force=True)
    assert shown() == [(7, "introduced", True)]


def test_the_last_verdict_counts_and_can_be_taken_back(ada, found):
    act(ada, "reject")
    act(ada, "confirm")
    assert PullRequestJudgement.objects.count() == 1
    chosen = list(PullRequestJudgement.objects.values_list("pk", flat=True))
    response = ada.post(JUDGED, {"action": "take_back", "_selected_action": chosen}, follow=True)
    assert "1 taken back." in response.content.decode()
    assert shown() == [(7, "fixed", False)]


def test_counts_the_entry_as_changed(ada, found):
    before = ErrorEntry.objects.get().modified_at
    act(ada, "reject")
    assert ErrorEntry.objects.get().modified_at > before


def test_a_number_that_was_rejected_everywhere_is_not_known(ada, found, loader):
    FoundPullRequest.objects.update(number=9)
    assert known_numbers(found.repository) == [9]
    act(ada, "reject")
    assert known_numbers(found.repository) == []


def test_a_viewer_changes_nothing(viewer, found):
    assert viewer.get(ADDRESS).status_code == 200
    act(viewer, "reject")
    assert not PullRequestJudgement.objects.exists()


@pytest.mark.parametrize("role", ["nonsense", "<script>"])
def test_takes_no_role_that_there_is_not(ada, found, role):
    act(ada, "confirm", role=role)
    assert not PullRequestJudgement.objects.exists()


def test_nothing_else_can_be_written(ada, found):
    for page in ("add/", f"{found.pk}/change/", f"{found.pk}/delete/", f"{found.pk}/history/"):
        for answer in (ada.get(ADDRESS + page), ada.post(ADDRESS + page, {"role": "introduced"})):
            assert answer.status_code in (302, 403)
