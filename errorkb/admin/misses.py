"""Admin: unknown errors that readers told of, most frequent first: a list to work through."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from errorkb.admin.provenances import moment_html
from errorkb.admin.read_only_admins import ReadOnlyAdmin
from errorkb.core.rendering import render_plain
from errorkb.models import Miss


@admin.register(Miss)
class MissAdmin(ReadOnlyAdmin):
    """Errors that nobody here knew, their values masked; all that can be done is to mark them as done."""

    list_display = ("shown_error", "shown_place", "count", "shown_last", "is_done")
    list_display_links = None
    list_filter = ("is_done",)
    search_fields = ("exception_type", "template", "path")
    search_help_text = "In type, text and file. What stands in braces was somebody's value."
    ordering = ("-count", "-last_at")
    actions = ("mark_done",)

    @admin.display(description="error", ordering="template")
    def shown_error(self, row: Miss) -> SafeString:
        return mark_safe(render_plain(str(row) or "text that is all values"))

    @admin.display(description="in", ordering="path")
    def shown_place(self, row: Miss) -> str:
        if not row.path:
            return "–"
        return format_html("<code>{}</code> {}", row.path, row.symbol)

    @admin.display(description="last told", ordering="last_at")
    def shown_last(self, row: Miss) -> SafeString:
        return moment_html(row.last_at)

    @admin.action(description="Mark as done", permissions=["mark"])
    def mark_done(self, request: HttpRequest, rows: QuerySet[Miss]) -> None:
        """Mark errors as dealt with; one that is told again is open again."""
        count = rows.filter(is_done=False).update(is_done=True)
        self.message_user(request, f"{count} marked as done.", messages.SUCCESS)

    def has_mark_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("errorkb.change_miss")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(
            request, {"title": "Unknown errors, as readers told them"} | (extra_context or {})
        )

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Lead to the list, which shows all that there is of each."""
        return redirect("admin:errorkb_miss_changelist")
