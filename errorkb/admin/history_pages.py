"""Admin: the states that a document has had, what each changed, and the way back to one of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.safestring import SafeString

from errorkb.admin.differences_in_words import MOST_DIFFERENCES, ShownDifference, shown_differences
from errorkb.admin.document_pages import DocumentPages
from errorkb.admin.provenances import moment_html, moment_in_short, writer_html
from errorkb.admin.readings import SUBJECTS, Row
from errorkb.admin.titles import title_in_short
from errorkb.core.differences import differences
from errorkb.core.problems import DocumentError
from errorkb.ingest.edits import Edit, EditedMeanwhileError, restore
from errorkb.models import Revision

STATES_A_PAGE = 20


class RestoreForm(forms.Form):
    """Why a document goes back, and which state it leaves."""

    reason = forms.CharField(
        label="Why do you go back?",
        max_length=2_000,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Say why you go back; it is kept with the change."},
    )
    read_hash = forms.CharField(max_length=64, widget=forms.HiddenInput)


@dataclass(frozen=True)
class ShownState:
    """One saved state: who saved it, when and why, and what it changed; the first one changed nothing."""

    writer: SafeString
    at: SafeString
    reason: str
    differences: list[ShownDifference]
    left_out: int
    is_first: bool
    is_current: bool
    restore_url: str = ""


def states_changed(older: dict[str, Any], newer: dict[str, Any]) -> tuple[list[ShownDifference], int]:
    """Return what differs between two states, and how many differences more there are than can be read."""
    found = differences(older, newer)
    return shown_differences(found), max(0, len(found) - MOST_DIFFERENCES)


def history_page(admin: DocumentPages, request: HttpRequest, row: Row) -> HttpResponse:
    """Show a page of a document's states, newest first."""
    revisions = Revision.objects.filter(**{SUBJECTS[type(row)]: row.pk})
    page = Paginator(revisions, STATES_A_PAGE).get_page(request.GET.get("page"))
    context = admin.page_context(request, row) | {
        "title": "Revisions",
        "states": _states(revisions, page, partial(admin.restore_address, row)) or [_only_state(row)],
        "page": page,
        "may_restore": admin.has_change_permission(request, row),
    }
    return TemplateResponse(request, "admin/errorkb/history.html", context)


def restore_page(admin: DocumentPages, request: HttpRequest, row: Row, revision_id: int) -> HttpResponse:
    """Show what going back to a state would change and ask why, or go back."""
    revision = get_object_or_404(Revision, **{SUBJECTS[type(row)]: row.pk}, pk=revision_id)
    form = RestoreForm(request.POST if request.method == "POST" else None, initial={"read_hash": row.content_hash})
    problems: list[str] = []
    if form.is_valid():
        problems = _go_back(request, row, revision, form)
        if not problems:
            admin.log_change(request, row, form.cleaned_data["reason"])
            messages.success(request, f"{title_in_short(row)} is back at the state of {moment_in_short(revision.at)}.")
            return HttpResponseRedirect(admin.address(row, "history"))
        row.refresh_from_db()
        form = RestoreForm(initial={"reason": form.cleaned_data["reason"], "read_hash": row.content_hash})
    shown, left_out = states_changed(row.as_document(), revision.as_document())
    context = admin.page_context(request, row) | {
        "title": "Go back to this state?",
        "revision": revision,
        "at": moment_html(revision.at),
        "writer": writer_html(revision.writer),
        "differences": shown,
        "left_out": left_out,
        "form": form,
        "problems": problems,
    }
    return TemplateResponse(request, "admin/errorkb/restore.html", context)


def _go_back(request: HttpRequest, row: Row, revision: Revision, form: RestoreForm) -> list[str]:
    """Go back, and return what stands against it."""
    by = Edit(request.user.get_username(), form.cleaned_data["reason"], form.cleaned_data["read_hash"])
    try:
        restore(revision, by, clock=timezone.now)
    except DocumentError as error:
        return [str(problem).removeprefix("$: ") for problem in error.problems]
    except EditedMeanwhileError:
        return ["Somebody saved another state meanwhile. What going back would change now is shown below."]
    return []


def _states(revisions: QuerySet[Revision], page: Page, address: Callable[[Revision], str]) -> list[ShownState]:
    """Return the states of a page, each compared with the one before it; `address` is that of going back to one."""
    first = max(0, page.start_index() - 1)
    # Two at a time: a document may have 8 MiB.
    found = revisions[first : first + STATES_A_PAGE + 1].iterator(chunk_size=1)
    states = islice(_with_older(found), STATES_A_PAGE)
    return [
        _state(revision, before, "" if page.number == 1 and not n else address(revision))
        for n, (revision, before) in enumerate(states)
    ]


def _with_older(revisions: Iterator[Revision]) -> Iterator[tuple[Revision, Revision | None]]:
    """Yield each revision, newest first, with the one before it; the first state has none."""
    revision = next(revisions, None)
    while revision is not None:
        older = next(revisions, None)
        yield revision, older
        revision = older


def _state(revision: Revision, before: Revision | None, restore_url: str) -> ShownState:
    shown, left_out = states_changed(before.as_document(), revision.as_document()) if before else ([], 0)
    return ShownState(
        writer=writer_html(revision.writer),
        at=moment_html(revision.at),
        reason=revision.reason,
        differences=shown,
        left_out=left_out,
        is_first=before is None,
        is_current=not restore_url,
        restore_url=restore_url,
    )


def _only_state(row: Row) -> ShownState:
    """Return the state of a document that was never changed: no revision is kept of it yet."""
    return ShownState(
        writer_html(row.created_by), moment_html(row.created_at), "", [], 0, is_first=True, is_current=True
    )
