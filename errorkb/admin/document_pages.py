"""Admin: what the pages about a document ask of its admin: addresses, what a form opens on, what every page shows."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from errorkb.admin.readings import Row
from errorkb.admin.titles import title_in_short
from errorkb.core.documents import Document
from errorkb.models import Revision


class DocumentPages(admin.ModelAdmin):
    """The part of a document's admin that its pages know."""

    document_model: ClassVar[type[Document]]

    def address(self, row: Row | None = None, page: str = "change") -> str:
        """Return the address of a row's page, or of the list."""
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}"
        return reverse(f"{name}_{page}", args=[row.pk]) if row else reverse(f"{name}_changelist")

    def restore_address(self, row: Row, revision: Revision) -> str:
        """Return the address at which a person goes back to a state."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_restore", args=[row.pk, revision.pk])

    def opened(self, row: Row | None) -> dict[str, Any]:
        """Return the document that a form opens on."""
        return row.as_document() if row else {"schema_version": "1.0"}

    def completed(self, before: dict[str, Any], after: dict[str, Any], reason: str) -> dict[str, Any]:
        """Return what is stored where a person has made `after` of `before`."""
        return after

    def form_context(self, row: Row | None) -> dict[str, Any]:
        """Return what the form shows beside the document, read-only."""
        return {}

    def page_context(self, request: HttpRequest, row: Row | None) -> dict[str, Any]:
        """Return what every page about a row needs."""
        return self.admin_site.each_context(request) | {
            "opts": self.opts,
            "original": row,
            "subtitle": row and title_in_short(row),
            "list_url": self.address(),
            "change_url": self.address(row) if row else "",
            "history_url": self.address(row, "history") if row else "",
            "site_page_url": row.get_absolute_url() if row else "",
            "preview_url": reverse("admin:errorkb_preview"),
        }
