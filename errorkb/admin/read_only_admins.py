"""Admin: what the lists and pages of rows that nobody writes by hand have in common."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.safestring import SafeString

from errorkb.admin.provenances import writer_html
from errorkb.models import Batch, Revision


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that nobody writes by hand, each with a page of its own: `template`, with what `shown_context` returns."""

    template: ClassVar[str]

    actions: Any = None
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
    def shown_writer(self, row: Revision | Batch) -> SafeString:
        return writer_html(row.writer)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one row."""
        if object_id is None:
            raise PermissionDenied
        row = self.get_object(request, unquote(object_id))
        if not self.has_view_permission(request, row) or request.method == "POST":
            raise PermissionDenied
        if row is None:
            return self._get_obj_does_not_exist_redirect(  # type: ignore[attr-defined]
                request, self.opts, object_id
            )
        context = self.admin_site.each_context(request) | {"opts": self.opts} | self.shown_context(row)
        return TemplateResponse(request, self.template, context)

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        return self.changeform_view(request, object_id)

    def shown_context(self, row: Any) -> dict[str, Any]:
        """Return what the page of a row shows."""
        raise NotImplementedError
