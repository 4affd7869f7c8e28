"""Admin: revisions across all documents, to be read."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from errorkb.admin.filters import WriterFilter
from errorkb.admin.history_pages import states_changed
from errorkb.admin.provenances import command_in_words, moment_html, writer_html
from errorkb.admin.read_only_admins import ReadOnlyAdmin
from errorkb.admin.readings import SUBJECTS
from errorkb.admin.titles import title_html, title_in_short
from errorkb.models import Revision


def listed_revisions(revisions: QuerySet[Revision]) -> QuerySet[Revision]:
    """Return revisions with what a list shows of them, and without the documents: one may have 8 MiB."""
    subjects = (f"{subject}__document" for subject in SUBJECTS.values())
    big = ("document", *subjects, "entry__message", "entry__template")
    return revisions.select_related("entry", "pull_request__repository", "repository", "batch").defer(*big)


class _LeanChangeList(ChangeList):
    """A list that leaves the documents in the database."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        return listed_revisions(super().get_queryset(request, exclude_parameters))


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    """Saved states of all documents, newest first."""

    template = "admin/errorkb/revision.html"

    list_display = ("shown_subject", "shown_at", "shown_writer", "reason", "shown_batch")
    list_filter = (WriterFilter, "at")
    search_fields = ("reason", "writer")
    search_help_text = "In who wrote and why."
    ordering = ("-pk",)

    @admin.display(description="document")
    def shown_subject(self, row: Revision) -> SafeString:
        return title_html(row.subject)

    @admin.display(description="at", ordering="at")
    def shown_at(self, row: Revision) -> SafeString:
        return moment_html(row.at)

    @admin.display(description="batch", ordering="batch")
    def shown_batch(self, row: Revision) -> str:
        if row.batch is None:
            return "–"
        address = reverse("admin:errorkb_batch_change", args=[row.batch.pk])
        return format_html('<a href="{}">{}</a>', address, command_in_words(row.batch.command))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return _LeanChangeList

    def shown_context(self, row: Revision) -> dict[str, Any]:
        """Return one state: who saved it, when, why, and what it changed."""
        subject = row.subject
        assert subject is not None, "a revision belongs to one row"
        name = f"admin:errorkb_{subject._meta.model_name}"
        older = Revision.objects.filter(**{SUBJECTS[type(subject)]: subject.pk}, pk__lt=row.pk).first()
        shown, left_out = states_changed(older.as_document(), row.as_document()) if older else ([], 0)
        return {
            "title": "Revision",
            "revision": row,
            "subject": title_in_short(subject),
            "at": moment_html(row.at),
            "writer": writer_html(row.writer),
            "differences": shown,
            "left_out": left_out,
            "is_first": older is None,
            "change_url": reverse(f"{name}_change", args=[subject.pk]),
            "history_url": reverse(f"{name}_history", args=[subject.pk]),
        }
