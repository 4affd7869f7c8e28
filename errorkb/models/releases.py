"""Models: the releases of repositories, scanned or only known of, and which came from which."""

from django.db import models

from errorkb.models.repositories import Repository


class Release(models.Model):
    """A release of a repository: one that was scanned, one that a walk found in git, one that a document states.

    `name` is what people call it: the tag, else the version. `parents` are names of the nearest releases known here
    that it came from, as git tells; none where it is the first, or where nobody asked git.
    """

    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="releases", db_index=False)
    name = models.CharField(max_length=300)
    tag = models.CharField(max_length=300, blank=True, help_text="empty where only the version is known")
    version = models.CharField(max_length=300, blank=True, help_text="of the document, else by the tag format")
    commit = models.CharField(max_length=40, blank=True)
    date = models.CharField(max_length=40, blank=True, help_text="ISO 8601: of the document, else of the commit")
    parents = models.JSONField(default=list, help_text="names of releases")
    is_stated = models.BooleanField(default=False, help_text="the repository's document has it")
    rank = models.PositiveIntegerField(
        default=0, help_text="place among the repository's releases and scans, the oldest release first"
    )

    class Meta:
        ordering = ["repository", "rank", "name"]
        constraints = [models.UniqueConstraint(fields=["repository", "name"], name="release_name_in_repository")]

    def __str__(self) -> str:
        return self.name
