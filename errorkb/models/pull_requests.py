"""Models: pull requests and the reports on them."""

from django.db import models

from errorkb.models.documents import DocumentRow
from errorkb.models.repositories import Repository


class PullRequest(DocumentRow):
    """A pull request; every column but the key is made from its document."""

    repository = models.ForeignKey(Repository, on_delete=models.PROTECT, related_name="pull_requests")
    number = models.PositiveIntegerField(editable=False)
    title = models.TextField(editable=False)
    merged_at = models.CharField(max_length=40, editable=False, help_text="as the document states it")
    merge_commit = models.CharField(max_length=40, editable=False)

    class Meta:
        ordering = ["repository", "-number"]
        indexes = [models.Index(fields=["number"], name="pull_request_by_number")]
        constraints = [models.UniqueConstraint(fields=["repository", "number"], name="pull_request_number")]

    def __str__(self) -> str:
        return f"{self.repository}#{self.number}"

    def get_absolute_url(self) -> str:
        return f"{self.repository.get_absolute_url()}pulls/{self.number}/"

    def forge_url(self) -> str:
        """Return the pull request's address on its forge, or nothing where the forge is unknown."""
        links = self.repository.links()
        return links.pull_request(self.number) if links else ""
