"""Models: repositories and the names that they had before."""

from urllib.parse import quote

from django.db import models
from django.db.models.expressions import RawSQL

from errorkb.core.forges import RepositoryLinks, repository_links, split_host
from errorkb.models.documents import DocumentRow


class RepositoryQuerySet(models.QuerySet["Repository"]):
    """Queries on repositories."""

    def named(self, name: str) -> "RepositoryQuerySet":
        """Filter by a present or former name, in any letter case; no name has a NUL, which PostgreSQL refuses."""
        if "\x00" in name:
            return self.none()
        key = name.lower()
        return self.filter(models.Q(key=key) | models.Q(aliases__key=key)).distinct()

    def with_counts(self) -> "RepositoryQuerySet":
        """Annotate `entry_count`, `explained_count`, `reviewed_count` of public entries, counted in an index alone."""
        return self.annotate(
            entry_count=_public_entries("TRUE, FALSE", "TRUE, FALSE"),
            explained_count=_public_entries("TRUE", "TRUE, FALSE"),
            reviewed_count=_public_entries("TRUE, FALSE", "TRUE"),
        )


def _public_entries(explained: str, reviewed: str) -> RawSQL:
    """Return how many public entries of the repository at hand have one of these standings, as an expression.

    All columns of the index `entry_standings` are named, so that it is looked into and nothing else.
    """
    conditions = f"explained IN ({explained}) AND reviewed IN ({reviewed}) AND state = 'published'"
    counted = f"errorkb_errorentry WHERE repository_id = errorkb_repository.id AND {conditions}"
    return RawSQL(f"(SELECT count(*) FROM {counted})", (), models.IntegerField())


class Repository(DocumentRow):
    """A repository on a forge: made when a document first names it, described by its own document later."""

    name = models.CharField(max_length=200, help_text="owner/name; host/owner/name on other forges than GitHub")
    key = models.CharField(max_length=200, unique=True, editable=False)
    forge = models.CharField(max_length=20, blank=True, editable=False)
    url = models.TextField(blank=True, editable=False)
    default_branch = models.TextField(blank=True, editable=False)
    touched_at = models.DateTimeField(
        editable=False, help_text="last write to the repository, its entries or its pull requests"
    )

    objects = RepositoryQuerySet.as_manager()

    class Meta:
        ordering = ["key"]
        verbose_name_plural = "repositories"

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"/r/{quote(self.name)}/"

    def links(self) -> RepositoryLinks | None:
        """Return the repository's addresses on its forge; None where the forge is unknown."""
        return repository_links(self.name, forge=self.forge, url=self.url)

    @property
    def tag_format(self) -> str:
        """Return how a version becomes a tag, as `v{version}`; empty where its document does not say."""
        return str(self.as_document().get("tag_format") or "")

    @property
    def short_name(self) -> str:
        """Return the last part of the name: `sglang`."""
        return split_host(self.name)[1].rpartition("/")[2]


class RepositoryAlias(models.Model):
    """A former name; it leads to the repository of today."""

    key = models.CharField(max_length=200, unique=True)
    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="aliases")

    class Meta:
        verbose_name_plural = "repository aliases"

    def __str__(self) -> str:
        return self.key
