"""Models: the tokens that full-text search indexes, one row for each entry and pull request."""

from django.db import models

from errorkb.models.entries import ErrorEntry
from errorkb.models.pull_requests import PullRequest


class SearchRow(models.Model):
    """Tokens made in Python, separated by spaces; triggers carry the columns into the index of the database."""

    entry = models.OneToOneField(ErrorEntry, null=True, on_delete=models.CASCADE, related_name="search_row")
    pull_request = models.OneToOneField(PullRequest, null=True, on_delete=models.CASCADE, related_name="search_row")
    title = models.TextField(help_text="of the message or title")
    names = models.TextField(help_text="identifiers, symbols, paths, types: whole")
    parts = models.TextField(help_text="parts of identifiers")
    prose = models.TextField(help_text="all other text")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(entry__isnull=False, pull_request__isnull=True)
                | models.Q(entry__isnull=True, pull_request__isnull=False),
                name="search_row_has_one_subject",
            )
        ]

    def __str__(self) -> str:
        return f"search row {self.pk}"
