"""Models: scans of a repository, and what each saw of an entry at one release or commit."""

from django.db import models

from errorkb.models.entries import ErrorEntry
from errorkb.models.repositories import Repository
from errorkb.models.revisions import Batch


class Scan(models.Model):
    """One scan of a repository's source at a pin, and which part of it was read."""

    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="scans")
    release = models.CharField(max_length=300, blank=True)
    version = models.CharField(max_length=300, blank=True, help_text="where the tag is not known: of the package")
    package = models.CharField(max_length=300, blank=True, help_text="the distribution, if only that was read")
    commit = models.CharField(max_length=40, blank=True)
    dirty = models.BooleanField(default=False, help_text="the work tree differed from the commit")
    committed_at = models.DateTimeField(null=True)
    at = models.DateTimeField()
    languages = models.JSONField(default=list)
    path_prefix = models.CharField(max_length=600, blank=True, help_text="what stands before each path that was read")
    counts = models.JSONField(default=dict)
    batch = models.ForeignKey(Batch, null=True, on_delete=models.SET_NULL, related_name="scans")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.repository} at {self.pin}"

    @property
    def label(self) -> str:
        """Return what people call it: the release, else the version, else the commit."""
        return self.release or self.version or self.commit

    @property
    def pin(self) -> str:
        """Return the commit, else the release, that the sightings are true for."""
        return self.commit or self.release


class Sighting(models.Model):
    """What one scan saw of an entry: its place, wordings, conditions and the lines around it."""

    entry = models.ForeignKey(ErrorEntry, on_delete=models.CASCADE, related_name="sightings")
    scan = models.ForeignKey(Scan, on_delete=models.CASCADE, related_name="sightings")
    path = models.CharField(max_length=600)
    line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    symbol = models.CharField(max_length=600)
    template = models.TextField()
    wordings = models.JSONField(default=list, help_text="message, template, placeholders")
    conditions = models.JSONField(default=list)
    signature = models.TextField(blank=True)
    snippet = models.JSONField(default=dict, help_text="start_line, code")
    evidence = models.CharField(max_length=100, blank=True, help_text="why it is this entry's site")

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["entry", "scan"], name="sighting_of_entry_in_scan")]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"
