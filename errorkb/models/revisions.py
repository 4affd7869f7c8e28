"""Models: batches of writes, and the states that documents have had."""

import json
from typing import Any

from django.db import models

from errorkb.models.entries import ErrorEntry
from errorkb.models.pull_requests import PullRequest
from errorkb.models.repositories import Repository


class Batch(models.Model):
    """One run of a command, or one save in the admin: who wrote, why, and how it ended."""

    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    writer = models.TextField(help_text="person:<name>, file:<path> or tool:<name>")
    command = models.CharField(max_length=100)
    reason = models.TextField(blank=True)
    counts = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return f"{self.command} by {self.writer}"


class Revision(models.Model):
    """One saved state of a document, written from its second state on (the first is then written too)."""

    entry = models.ForeignKey(ErrorEntry, null=True, on_delete=models.CASCADE, related_name="revisions")
    pull_request = models.ForeignKey(PullRequest, null=True, on_delete=models.CASCADE, related_name="revisions")
    repository = models.ForeignKey(Repository, null=True, on_delete=models.CASCADE, related_name="revisions")
    document = models.TextField()
    writer = models.TextField()
    reason = models.TextField(blank=True)
    at = models.DateTimeField()
    batch = models.ForeignKey(Batch, null=True, on_delete=models.SET_NULL, related_name="revisions")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.subject} at {self.at:%Y-%m-%d %H:%M}"

    @property
    def subject(self) -> ErrorEntry | PullRequest | Repository | None:
        """Return the row whose state this is."""
        return self.entry or self.pull_request or self.repository

    def as_document(self) -> dict[str, Any]:
        """Return the document as it was."""
        loaded: dict[str, Any] = json.loads(self.document) if self.document else {}
        return loaded
