"""API: whether a release has an entry: of one entry, and of many at once for a release or a list of packages."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from errorkb.api.answers import answer, one_form, passing_answer
from errorkb.api.entries import readable_entry
from errorkb.api.operations import ASK, READ, EntryId, asking, reading
from errorkb.api.problems import PROBLEM_TYPES
from errorkb.api.requests.affected_bodies import EXAMPLE, SCHEMA, Question, read_question
from errorkb.api.requests.parameters import ReleaseParameters, refuse_strangers
from errorkb.api.shapes.releases import AffectedAnswer, AffectedBatch
from errorkb.core.releases.versions import plain_name
from errorkb.core.source_checks import package_name
from errorkb.models import EntryIdentifier, ErrorEntry
from errorkb.models.chunks import in_chunks
from errorkb.serving.addresses import absolute_url
from errorkb.serving.affected import affected, affected_each, served_affected
from errorkb.serving.entry_histories import EntryHistory, entry_histories, entry_history

router = Router(tags=["Releases"])


@router.api_operation(
    READ,
    "/errors/{identifier}/affected",
    **reading(AffectedAnswer, "unknown-entry", "wrong-parameters", redirects=True),
    operation_id="isAffected",
    summary="Does a release have this error?",
)
def is_affected(request: HttpRequest, identifier: EntryId, parameters: Query[ReleaseParameters]) -> HttpResponse:
    """`yes`, with the place and its link at that release; `no`: introduced later, removed before, or on another branch
    only; `unknown`, with what is known. It is never a guess: a version between two releases that were read is answered
    where both agree, one that is newer than all of them is not.

    A release is a tag, a version (by PEP 440 for Python, else semantic) or a commit that was read.
    """
    refuse_strangers(request, ReleaseParameters)
    entry = readable_entry(identifier)
    if elsewhere := one_form(request, f"/api/errors/{entry.public_id}/affected"):
        return elsewhere
    found = affected(entry_history(entry), parameters.release)
    return answer(request, served_affected(found, parameters.release))


@router.api_operation(
    ASK,
    "/affected",
    **asking(
        AffectedBatch,
        "wrong-parameters",
        "too-large",
        "unsupported-media-type",
        bodies={"application/json": EXAMPLE},
        schema=SCHEMA,
    ),
    operation_id="areAffected",
    summary="Which of many errors a release, or an environment, has",
)
def are_affected(request: HttpRequest) -> HttpResponse:
    """Up to 1,000 `ids`, each answered as on its own and in the same order, for one `release`; or for what is
    installed: `freeze` is the text of `pip freeze`, `pip list` or a requirements file, and each entry is answered for
    the version of its repository's package there.
    """
    return passing_answer({"results": _answers(read_question(request))})


def _answers(question: Question) -> list[dict[str, Any]]:
    entries = _entries(question.ids)
    histories = entry_histories(entries.values())
    asked = {key: _release(histories[key], question) for key in histories}
    keys = [key for key, release in asked.items() if release]
    found = dict(zip(keys, affected_each([(histories[key], asked[key]) for key in keys]), strict=True))
    told: dict[int, dict[str, Any]] = {key: served_affected(one, asked[key]) for key, one in found.items()}
    told |= {key: _not_listed(history) for key, history in histories.items() if key not in told}
    return [_result(given, entries.get(given.lower()), told, asked) for given in question.ids]


def _entries(ids: Iterable[str]) -> dict[str, ErrorEntry]:
    """Return the entries that ids and aliases lead to, by these in lower case."""
    wanted = sorted({given.lower() for given in ids})
    rows = EntryIdentifier.objects.select_related("entry__repository")
    return {
        row.value: row.entry
        for chunk in in_chunks(wanted)
        for row in rows.filter(value__in=chunk, entry__state__in=("published", "withdrawn"))
    }


def _release(history: EntryHistory, question: Question) -> str:
    """Return the release that is asked about, or that is installed of an entry's package; empty where none is."""
    if question.versions is None:
        return question.release
    source = history.entry.as_document().get("source") or {}
    names = {*history.releases.names, package_name(source.get("package") or "")} - {""}
    versions = (question.versions.get(plain_name(name), "") for name in sorted(names))
    return next(filter(None, versions), "")


def _not_listed(history: EntryHistory) -> dict[str, Any]:
    names = " or ".join(sorted({plain_name(name) for name in history.releases.names}))
    return {
        "answer": "unknown",
        "reason": f"The list states no version of {names}.",
        "source": None,
        "html_url": absolute_url(history.entry.get_absolute_url()),
    }


def _result(
    given: str, entry: ErrorEntry | None, told: dict[int, dict[str, Any]], asked: dict[int, str]
) -> dict[str, Any]:
    if entry is None:
        kind = PROBLEM_TYPES["unknown-entry"]
        return {"id": given, "error": {"status": kind.status, "detail": f"No entry has the id {given}."}}
    return {"id": entry.public_id, "release": asked[entry.pk] or None} | told[entry.pk]
