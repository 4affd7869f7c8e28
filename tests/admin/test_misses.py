"""The list of unknown errors that readers told of."""

from datetime import UTC, datetime

import pytest

from errorkb.models import Miss

ADDRESS = "/admin/errorkb/miss/"
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)


@pytest.fixture
def misses(db) -> None:
    for number, (template, count, is_done) in enumerate([("rare", 1, False), ("often", 9, False), ("old", 5, True)]):
        Miss.objects.create(
            digest=f"{number}",
            exception_type="TimeoutError",
            template=f"{template} <b>\u202e",
            path="x/pool.py",
            symbol="get",
            count=count,
            first_at=NOON,
            last_at=NOON,
            is_done=is_done,
        )


def listed(client, **query: str) -> list[str]:
    response = client.get(ADDRESS, query)
    assert response.status_code == 200
    return [row.template.partition(" ")[0] for row in response.context["cl"].result_list]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["often", "old", "rare"]),
        ({"is_done__exact": "0"}, ["often", "rare"]),
        ({"is_done__exact": "1"}, ["old"]),
        ({"q": "rare"}, ["rare"]),
        ({"q": "pool"}, ["often", "old", "rare"]),
    ],
)
def test_lists_the_most_frequent_first(ada, misses, query, found):
    assert listed(ada, **query) == found


def test_marks_as_done(ada, misses):
    chosen = list(Miss.objects.filter(template__startswith="often").values_list("pk", flat=True))
    response = ada.post(ADDRESS, {"action": "mark_done", "_selected_action": chosen}, follow=True)
    assert "1 marked as done." in response.content.decode()
    assert listed(ada, is_done__exact="0") == ["rare"]


def test_nothing_else_can_be_written(ada, misses):
    row = Miss.objects.first()
    for page in ("add/", f"{row.pk}/change/", f"{row.pk}/delete/", f"{row.pk}/history/"):
        for answer in (ada.get(ADDRESS + page), ada.post(ADDRESS + page, {"count": "100", "template": "x"})):
            assert answer.status_code in (302, 403)
    ada.post(ADDRESS, {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
    assert sorted(Miss.objects.values_list("count", flat=True)) == [1, 5, 9]


def test_who_may_only_look_marks_nothing(viewer, misses):
    assert len(listed(viewer)) == 3
    assert 'name="action"' not in viewer.get(ADDRESS).content.decode()
    viewer.post(ADDRESS, {"action": "mark_done", "_selected_action": [Miss.objects.first().pk]})
    assert Miss.objects.filter(is_done=True).count() == 1


def test_shows_an_attack_as_text(ada, misses):
    html = ada.get(ADDRESS).content.decode()
    assert "&lt;b&gt;" in html
    assert "often <b>" not in html
    assert '<bdi class="ctrl"' in html
