"""Admin: entries."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.safestring import SafeString

from errorkb.admin.checks import failed_checks
from errorkb.admin.document_admins import DocumentAdmin
from errorkb.admin.filters import DisagreeingFilter, KindFilter, RepositoryFilter, StateFilter
from errorkb.admin.found_pull_requests import found_list_address
from errorkb.admin.previews import preview
from errorkb.admin.readings import Row
from errorkb.admin.searches import searched_entries
from errorkb.admin.sightings import shown_sightings
from errorkb.admin.titles import title_html
from errorkb.core.documents import EntryDocument
from errorkb.models import ErrorEntry


@admin.register(ErrorEntry)
class EntryAdmin(DocumentAdmin):
    """Entries: found by the site's search, drafts and withdrawn ones too."""

    document_model = EntryDocument

    list_display = ("shown_title", "repository", "kind", "language", "state", "explained", "reviewed", "shown_modified")
    list_filter = (
        StateFilter,
        "explained",
        "reviewed",
        DisagreeingFilter,
        KindFilter,
        "removed",
        "stale",
        ("language", admin.AllValuesFieldListFilter),
        RepositoryFilter,
    )
    list_select_related = ("repository",)
    search_fields = ("message",)
    search_help_text = "As on the site: words, “phrases”, repo: type: path: kind: lang: code: is:, or an id."

    @admin.display(description="entry", ordering="message_key")
    def shown_title(self, row: ErrorEntry) -> SafeString:
        return title_html(row)

    def get_urls(self) -> list[URLPattern]:
        shown = self.admin_site.admin_view(preview)
        return [path("preview/", shown, name="errorkb_preview"), *super().get_urls()]

    def form_context(self, row: Row | None) -> dict[str, Any]:
        """Return what the form shows of an entry beside its document: what scans saw of it, and failed checks."""
        if not isinstance(row, ErrorEntry):
            return {}
        found = found_list_address(row)
        return {"sightings": shown_sightings(row), "checks": failed_checks(row), "found_list": found}

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[ErrorEntry], search_term: str
    ) -> tuple[QuerySet[ErrorEntry], bool]:
        if not search_term.strip():
            return queryset, False
        return searched_entries(queryset, search_term, is_ranked="o" not in request.GET), False

    def completed(self, before: dict[str, Any], after: dict[str, Any], reason: str) -> dict[str, Any]:
        """Say when and why an entry was withdrawn, where the person has not said so in the form."""
        if after.get("state") != "withdrawn" or before.get("state") == "withdrawn" or after.get("withdrawn"):
            return after
        return after | {"withdrawn": {"at": timezone.now().isoformat(timespec="seconds"), "reason": reason}}
