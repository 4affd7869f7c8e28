"""Admin: what the lists and pages of all documents have in common: nothing is written past the one write path."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.safestring import SafeString

from errorkb.admin.change_pages import ChangePage
from errorkb.admin.document_pages import DocumentPages
from errorkb.admin.history_pages import history_page, restore_page
from errorkb.admin.provenances import moment_html
from errorkb.admin.readings import Row


class LeanChangeList(ChangeList):
    """A list that leaves the documents in the database: one may have 8 MiB."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        big = {"document", "owners", "message", "template"}
        columns = {field.name for field in self.model._meta.get_fields()}
        return super().get_queryset(request, exclude_parameters).defer(*(big & columns))


class DocumentAdmin(DocumentPages):
    """Rows whose truth is a document: edited as a form of the document, with a reason, and never deleted."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-modified_at", "-pk")

    @admin.display(description="modified", ordering="modified_at")
    def shown_modified(self, row: Any) -> SafeString:
        return moment_html(row.modified_at)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LeanChangeList

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def view_on_site(self, obj: Row) -> str:
        return obj.get_absolute_url()

    def get_urls(self) -> list[URLPattern]:
        restore = self.admin_site.admin_view(self.restore_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_restore"
        return [path("<path:object_id>/history/<int:revision_id>/", restore, name=name), *super().get_urls()]

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a document's form, or take what was typed into it."""
        if object_id is None:
            if not self.has_add_permission(request):
                raise PermissionDenied
            return ChangePage(self, request, None).respond()
        row = self.row(request, object_id)
        return ChangePage(self, request, row).respond() if row else self.missing(request, object_id)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Show the states that a document has had."""
        row = self.row(request, object_id)
        return history_page(self, request, row) if row else self.missing(request, object_id)

    def restore_view(self, request: HttpRequest, object_id: str, revision_id: int) -> HttpResponse:
        """Ask whether to go back to a state, and go back."""
        row = self.row(request, object_id)
        if row is None:
            return self.missing(request, object_id)
        if not self.has_change_permission(request, row):
            raise PermissionDenied
        return restore_page(self, request, row, revision_id)

    def row(self, request: HttpRequest, object_id: str) -> Row | None:
        """Return the row of an address, None where there is none. Raises PermissionDenied where it may not be seen."""
        row: Row | None = self.get_object(request, unquote(object_id))
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        return row

    def missing(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Say that there is no such row."""
        return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined]
