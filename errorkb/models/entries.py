"""Models: entries, the ids and aliases that lead to them, and the pull requests that their documents name."""

from django.db import models
from django.db.models.functions import Upper

from errorkb.core.identity import MESSAGE_KEY_LENGTH, entry_title
from errorkb.models.documents import DocumentRow
from errorkb.models.expressions import folded_last_name
from errorkb.models.repositories import Repository


class ErrorEntryQuerySet(models.QuerySet["ErrorEntry"]):
    """Queries on entries."""

    def public(self) -> "ErrorEntryQuerySet":
        """Filter to entries that lists, search and match may show."""
        return self.filter(state="published")

    def readable(self) -> "ErrorEntryQuerySet":
        """Filter to entries whose own address answers: the public ones and the withdrawn ones."""
        return self.filter(state__in=("published", "withdrawn"))

    def identified(self, identifier: str) -> "ErrorEntryQuerySet":
        """Filter to the entry with this id or alias, in any letter case."""
        return self.filter(identifiers__value=identifier.lower())

    def titled(self, prefix: str) -> "ErrorEntryQuerySet":
        """Filter to entries whose message starts with `prefix`, exactly."""
        key = prefix[:MESSAGE_KEY_LENGTH]
        found = self.filter(message_key__gte=key, message_key__lt=key + "\U0010ffff")
        return found.filter(message__startswith=prefix) if len(prefix) > MESSAGE_KEY_LENGTH else found

    def for_page(self) -> "ErrorEntryQuerySet":
        """Load what an entry's page and its JSON need beside the row."""
        return self.select_related("repository", "newest__scan").prefetch_related("identifiers")


class ErrorEntry(DocumentRow):
    """One error of one repository. All columns but the id are made from the document."""

    repository = models.ForeignKey(Repository, on_delete=models.PROTECT, related_name="entries")
    public_id = models.CharField(max_length=16, unique=True, editable=False)
    id_given = models.BooleanField(default=False, editable=False, help_text="given by a document; else minted")
    kind = models.CharField(max_length=20, db_index=True, editable=False)
    exception_type = models.CharField(max_length=300, editable=False)
    code = models.CharField(max_length=300, editable=False)
    message = models.TextField(editable=False)
    message_key = models.CharField(max_length=MESSAGE_KEY_LENGTH, editable=False)
    template = models.TextField(editable=False)
    site_key = models.CharField(max_length=16, editable=False)
    document_path = models.CharField(max_length=600, editable=False)
    path = models.CharField(max_length=600, db_index=True, editable=False, help_text="of the newest sighting, if any")
    module = models.CharField(max_length=600, editable=False)
    line = models.PositiveIntegerField(null=True, editable=False)
    symbol = models.CharField(max_length=600, editable=False)
    language = models.CharField(max_length=300, editable=False, help_text="of the source")
    explained = models.BooleanField(editable=False)
    reviewed = models.BooleanField(editable=False)
    removed = models.BooleanField(editable=False)
    state = models.CharField(max_length=20, default="published", db_index=True, editable=False)
    stale = models.BooleanField(
        default=False, editable=False, help_text="the code around the site has changed since its analysis"
    )
    frame_key = models.CharField(
        max_length=200,
        default="",
        db_index=True,
        editable=False,
        help_text="of the place as a traceback's frame has it",
    )
    type_key = models.CharField(
        max_length=200, default="", editable=False, help_text="last name of the type, where it is no builtin one"
    )
    gone_in = models.CharField(
        max_length=300, blank=True, editable=False, help_text="release or commit whose scan no longer found it"
    )
    newest = models.ForeignKey(
        "errorkb.Sighting", null=True, on_delete=models.SET_NULL, related_name="+", db_index=False, editable=False
    )
    filled = models.JSONField(
        default=dict, editable=False, help_text="snippet read from source: start_line, code, origin; disagreements"
    )

    checked = models.JSONField(
        default=dict, editable=False, help_text="names in its words that the pinned tree lacks: release, missing"
    )

    objects = ErrorEntryQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "entries"
        verbose_name = "entry"
        indexes = [
            models.Index(fields=["repository", "site_key", "document_path"]),
            models.Index(fields=["repository", "message_key"]),
            models.Index(fields=["repository", "module"]),
            models.Index(fields=["id"], condition=models.Q(reviewed=True), name="entry_reviewed"),
            models.Index(fields=["id"], condition=models.Q(explained=True), name="entry_explained"),
            models.Index(fields=["id"], condition=models.Q(removed=True), name="entry_removed"),
            models.Index(fields=["id"], condition=models.Q(stale=True), name="entry_stale"),
            models.Index(fields=["newest"], condition=models.Q(newest__isnull=False), name="entry_newest"),
            models.Index(fields=["type_key"], name="entry_type_key"),
            models.Index(folded_last_name("exception_type"), name="entry_type_name"),
            models.Index(folded_last_name("symbol"), name="entry_symbol_name"),
            models.Index(Upper("code"), condition=~models.Q(code=""), name="entry_code"),
            # The state behind the others: of two columns that are equal to something, SQLite without statistics would
            # think more than of the one that tells.
            models.Index(
                fields=["repository", "kind", "exception_type", "stale", "removed", "state"], name="entry_plots"
            ),
            models.Index(fields=["repository", "explained", "reviewed", "state"], name="entry_standings"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return f"/errors/{self.public_id}/"

    @property
    def title(self) -> str:
        """Return exception type and message; type and place where there is no message."""
        return entry_title(self.exception_type, self.message, self.symbol)

    @property
    def is_public(self) -> bool:
        return self.state == "published"


class EntryIdentifier(models.Model):
    """An id or alias: one namespace, each leading straight to an entry."""

    value = models.CharField(max_length=16, unique=True)
    entry = models.ForeignKey(ErrorEntry, on_delete=models.CASCADE, related_name="identifiers")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.value


class EntryPullRequest(models.Model):
    """A pull request that an entry's document names, and what it did to the entry."""

    entry = models.ForeignKey(ErrorEntry, on_delete=models.CASCADE, related_name="pull_request_links")
    repository = models.ForeignKey(Repository, on_delete=models.PROTECT, related_name="pull_request_links")
    number = models.PositiveIntegerField()
    role = models.CharField(max_length=20, blank=True)
    position = models.PositiveIntegerField(help_text="in the document's list, from 0")

    class Meta:
        ordering = ["entry", "position"]
        indexes = [models.Index(fields=["number", "repository"], name="entry_pull_request_number")]
        constraints = [models.UniqueConstraint(fields=["entry", "position"], name="entry_pull_request_position")]

    def __str__(self) -> str:
        return f"#{self.number} {self.role}".rstrip()
