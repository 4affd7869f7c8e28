"""Admin: batches of writes: runs of commands and saves in the admin, to be read."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.safestring import SafeString

from errorkb.admin.filters import CommandFilter, WriterFilter
from errorkb.admin.provenances import command_in_words, moment_html, writer_html
from errorkb.admin.read_only_admins import ReadOnlyAdmin
from errorkb.admin.revisions import listed_revisions
from errorkb.admin.titles import title_html
from errorkb.models import Batch

SHOWN_REVISIONS = 50


@dataclass(frozen=True)
class ShownRevision:
    """A revision in the list of its batch."""

    title: SafeString
    at: SafeString
    address: str


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    """Runs of commands and saves in the admin."""

    template = "admin/errorkb/batch.html"

    list_display = ("shown_command", "shown_writer", "shown_started", "shown_finished", "shown_counts", "reason")
    list_filter = (WriterFilter, CommandFilter, "started_at")
    search_fields = ("writer", "command", "reason")
    search_help_text = "In who wrote, by which command, and why."

    @admin.display(description="what", ordering="command")
    def shown_command(self, row: Batch) -> str:
        return command_in_words(row.command)

    @admin.display(description="started", ordering="started_at")
    def shown_started(self, row: Batch) -> SafeString:
        return moment_html(row.started_at)

    @admin.display(description="finished", ordering="finished_at")
    def shown_finished(self, row: Batch) -> SafeString:
        return moment_html(row.finished_at)

    @admin.display(description="counts")
    def shown_counts(self, row: Batch) -> str:
        return ", ".join(f"{count:,} {status}" for status, count in row.counts.items() if count) or "one document"

    def shown_context(self, row: Batch) -> dict[str, Any]:
        """Return one batch: what it was, who started it, how it ended, and its newest revisions."""
        address = reverse("admin:errorkb_revision_changelist")
        revisions = listed_revisions(row.revisions.all())[:SHOWN_REVISIONS]
        return {
            "title": command_in_words(row.command),
            "batch": row,
            "facts": [
                ("By", writer_html(row.writer)),
                ("Started", moment_html(row.started_at)),
                ("Finished", moment_html(row.finished_at)),
                ("Why", row.reason or "–"),
                ("Counts", self.shown_counts(row)),
            ],
            "revisions": [
                ShownRevision(
                    title_html(revision.subject),
                    moment_html(revision.at),
                    reverse("admin:errorkb_revision_change", args=[revision.pk]),
                )
                for revision in revisions
            ],
            "count": row.revisions.count(),
            "all_url": f"{address}?batch__id__exact={row.pk}",
        }
