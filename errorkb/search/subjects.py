"""Search: the entries and pull requests of a page of results, with their repositories, by SQL that is not made anew."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

from errorkb.models import ErrorEntry, PullRequest, Repository
from errorkb.models.kept_plans import plans_kept
from errorkb.models.lookups import among

Subject = ErrorEntry | PullRequest

_FOUND = "SELECT subject.*, found.id AS row FROM errorkb_searchrow AS found JOIN {} AS subject ON subject.id = {}"
_SUBJECTS: Sequence[tuple[type[Subject], str]] = (
    (ErrorEntry, _FOUND.format("errorkb_errorentry", "found.entry_id")),
    (PullRequest, _FOUND.format("errorkb_pullrequest", "found.pull_request_id")),
)


def subjects_of(keys: Sequence[int]) -> dict[int, Subject]:
    """Return what the search rows with these primary keys stand for, by key; three queries at most."""
    found: dict[int, Subject] = {}
    for model, sql in _SUBJECTS:
        if missing := [key for key in keys if key not in found]:
            found.update(_read(model, sql, missing))
    condition, wanted = among("id", {subject.repository_id for subject in found.values()})
    sql = f"SELECT * FROM errorkb_repository WHERE {condition}"
    with plans_kept(connection):
        repositories = {repository.pk: repository for repository in Repository.objects.raw(sql, [wanted])}
    for subject in found.values():
        subject.repository = repositories[subject.repository_id]
    return found


def _read(model: type[Subject], sql: str, keys: Sequence[int]) -> list[tuple[int, Subject]]:
    condition, wanted = among("found.id", keys)
    with plans_kept(connection):
        subjects: Iterable[Any] = model.objects.raw(f"{sql} WHERE {condition}", [wanted])
        return [(subject.row, subject) for subject in subjects]
