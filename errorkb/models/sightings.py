"""Models: scans of a repository, and what each saw of an entry at one release or commit."""

from django.db import models
from django.db.models.functions import Coalesce

from errorkb.models.entries import ErrorEntry
from errorkb.models.releases import Release
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
    of_release = models.ForeignKey(Release, null=True, on_delete=models.SET_NULL, related_name="scans")
    follows = models.JSONField(
        default=list, help_text="names of the nearest releases that a commit without a release came from"
    )
    rank = models.PositiveIntegerField(
        default=0, help_text="place among the repository's releases and scans, the oldest release first"
    )

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.repository} at {self.pin}"

    @property
    def label(self) -> str:
        """Return what people call it: the release, else the version, else the commit."""
        return self.release or self.version or self.commit

    @property
    def is_whole(self) -> bool:
        """Say whether all that the scan saw is stored: it was not stopped."""
        return bool(self.counts)

    @property
    def order(self) -> tuple[int, int]:
        """Return what scans of a repository are compared by: those of later releases have higher ones."""
        return self.rank, self.pk

    @property
    def pin(self) -> str:
        """Return the commit, else the release, that the sightings are true for."""
        return self.commit or self.release


def seen(field: str) -> Coalesce:
    """Return the expression for a field of what was seen, for queries on sightings: `seen("path")`."""
    return Coalesce(f"same_as__{field}", field)


class SightingQuerySet(models.QuerySet["Sighting"]):
    """Queries on sightings."""

    def with_content(self) -> "SightingQuerySet":
        """Load what `content` reads, by the same query."""
        return self.select_related("same_as")


class Sighting(models.Model):
    """What one scan saw of an entry: its place, wordings, conditions and the lines around it.

    Most releases have a site as the next one has it, on another line at most. Such a sighting has entry, scan, line,
    end_line and evidence of its own, and is otherwise `same_as` another one of the entry, a whole one; its own other
    fields are empty. Read them through `content`, in queries through `seen`. The newest sighting of an entry
    (`ErrorEntry.newest`) is always a whole one.
    """

    entry = models.ForeignKey(ErrorEntry, on_delete=models.CASCADE, related_name="sightings", db_index=False)
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
    same_as = models.ForeignKey(
        "self", null=True, on_delete=models.CASCADE, related_name="repetitions", help_text="sighting with all the rest"
    )

    objects = SightingQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["entry", "scan"], name="sighting_of_entry_in_scan")]

    def __str__(self) -> str:
        return f"{self.content.path}:{self.line}"

    @property
    def content(self) -> "Sighting":
        """Return the sighting that says path, symbol, wordings, conditions, signature and snippet: this or another.

        The first line of its snippet is for its own `line`.
        """
        return self.same_as or self
