"""Admin: revisions and batches across all documents, to be read."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from errorkb.admin.differences_in_words import writer_in_words
from errorkb.admin.filters import WriterFilter
from errorkb.admin.history_pages import states_changed
from errorkb.admin.readings import SUBJECTS
from errorkb.admin.titles import title_html, title_in_short
from errorkb.models import Batch, Revision


class _LeanChangeList(ChangeList):
    """A list that leaves the documents in the database."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        subjects = (f"{subject}__document" for subject in SUBJECTS.values())
        big = ("document", *subjects, "entry__message", "entry__template")
        return super().get_queryset(request, exclude_parameters).defer(*big)


class _ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that nobody writes by hand."""

    actions = None
    show_full_result_count = False
    list_per_page = 50
    view_on_site = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="by", ordering="writer")
    def shown_writer(self, row: Revision | Batch) -> str:
        return writer_in_words(row.writer)


@admin.register(Revision)
class RevisionAdmin(_ReadOnlyAdmin):
    """Saved states of all documents, newest first."""

    list_display = ("shown_subject", "at", "shown_writer", "reason", "batch")
    list_filter = (WriterFilter, "at")
    list_select_related = ("entry", "pull_request__repository", "repository", "batch")
    search_fields = ("reason", "writer")
    search_help_text = "In who wrote and why."
    ordering = ("-pk",)

    @admin.display(description="document")
    def shown_subject(self, row: Revision) -> SafeString:
        return title_html(row.subject)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return _LeanChangeList

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one state: who saved it, when, why, and what it changed."""
        if object_id is None:
            raise PermissionDenied
        revision = self.get_object(request, unquote(object_id))
        if not self.has_view_permission(request, revision) or request.method == "POST":
            raise PermissionDenied
        if revision is None:
            return self._get_obj_does_not_exist_redirect(  # type: ignore[attr-defined]
                request, self.opts, object_id
            )
        return TemplateResponse(request, "admin/errorkb/revision.html", self._context(request, revision))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return self.changeform_view(request, object_id)

    def _context(self, request: HttpRequest, revision: Revision) -> dict[str, Any]:
        row = revision.subject
        assert row is not None, "a revision belongs to one row"
        name = f"admin:errorkb_{row._meta.model_name}"
        older = Revision.objects.filter(**{SUBJECTS[type(row)]: row.pk}, pk__lt=revision.pk).first()
        shown, left_out = states_changed(older.as_document(), revision.as_document()) if older else ([], 0)
        return self.admin_site.each_context(request) | {
            "title": "Revision",
            "opts": self.opts,
            "revision": revision,
            "subject": title_in_short(row),
            "writer": writer_in_words(revision.writer),
            "differences": shown,
            "left_out": left_out,
            "is_first": older is None,
            "change_url": reverse(f"{name}_change", args=[row.pk]),
            "history_url": reverse(f"{name}_history", args=[row.pk]),
        }


@admin.register(Batch)
class BatchAdmin(_ReadOnlyAdmin):
    """Runs of commands and saves in the admin."""

    list_display = ("__str__", "shown_writer", "started_at", "finished_at", "shown_counts", "reason")
    list_filter = (WriterFilter, "command", "started_at")
    search_fields = ("writer", "command", "reason")
    search_help_text = "In who wrote, by which command, and why."
    fields = ("command", "shown_writer", "started_at", "finished_at", "reason", "shown_counts", "shown_revisions")
    readonly_fields = ("shown_writer", "shown_counts", "shown_revisions")

    @admin.display(description="counts")
    def shown_counts(self, row: Batch) -> str:
        return ", ".join(f"{count:,} {status}" for status, count in row.counts.items() if count) or "one document"

    @admin.display(description="revisions")
    def shown_revisions(self, row: Batch) -> SafeString:
        address = reverse("admin:errorkb_revision_changelist")
        return format_html('<a href="{}?batch__id__exact={}">{:,}</a>', address, row.pk, row.revisions.count())
