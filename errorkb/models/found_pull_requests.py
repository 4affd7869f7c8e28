"""Models: pull requests that the product has found for entries, by git and by reports, and what people say of them."""

from django.db import models

from errorkb.models.entries import ErrorEntry
from errorkb.models.pull_requests import PullRequest
from errorkb.models.repositories import Repository
from errorkb.models.sightings import Scan


class FoundPullRequest(models.Model):
    """What a pull request, or a commit whose pull request nobody knows, did to an entry, as the product found it.

    Those of origin `git` belong to `scan`, the one that saw the change; those of origin `report` follow from documents.
    """

    class Origin(models.TextChoices):
        GIT = "git", "commits between two scans"
        REPORT = "report", "a report on the pull request"

    entry = models.ForeignKey(ErrorEntry, on_delete=models.CASCADE, related_name="found_pull_requests")
    repository = models.ForeignKey(Repository, on_delete=models.PROTECT, related_name="found_pull_requests")
    number = models.PositiveIntegerField(null=True, help_text="empty where only the commit is known")
    role = models.CharField(max_length=20)
    origin = models.CharField(max_length=10, choices=Origin.choices)
    scan = models.ForeignKey(Scan, null=True, on_delete=models.CASCADE, related_name="found_pull_requests")
    commit = models.CharField(max_length=40, blank=True)
    committed_at = models.CharField(max_length=40, blank=True, help_text="ISO 8601")
    since = models.CharField(max_length=300, blank=True, help_text="release or commit that was before the change")
    until = models.CharField(max_length=300, blank=True, help_text="release or commit that has the change")
    evidence = models.JSONField(default=list, help_text="kind and text of each piece")

    class Meta:
        ordering = ["entry", "pk"]
        verbose_name = "found pull request"
        indexes = [models.Index(fields=["number", "repository"], name="found_pull_request_number")]

    def __str__(self) -> str:
        return f"{self.role} by {f'#{self.number}' if self.number else self.commit[:10]}"


class PullRequestJudgement(models.Model):
    """What a person says of a pull request that was found for an entry; loading and scanning again never undo it."""

    class Verdict(models.TextChoices):
        CONFIRMED = "confirmed"
        REJECTED = "rejected"

    entry = models.ForeignKey(ErrorEntry, on_delete=models.CASCADE, related_name="pull_request_judgements")
    repository = models.ForeignKey(Repository, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(null=True, blank=True)
    commit = models.CharField(max_length=40, blank=True, help_text="where the pull request is not known")
    verdict = models.CharField(max_length=20, choices=Verdict.choices)
    role = models.CharField(max_length=20, blank=True, help_text="empty: as it was found")
    reason = models.TextField(blank=True)
    person = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        verbose_name = "judgement of a found pull request"
        verbose_name_plural = "judgements of found pull requests"
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "repository", "number"],
                condition=models.Q(number__isnull=False),
                name="judgement_of_pull_request",
            ),
            models.UniqueConstraint(
                fields=["entry", "repository", "commit"],
                condition=models.Q(number__isnull=True),
                name="judgement_of_commit",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verdict}: {f'#{self.number}' if self.number else self.commit[:10]}"


class QuotedMessage(models.Model):
    """An error's message that a report quotes, with the keys by which match and entries find it.

    `key` and `check_key` are of the message with its numbers and paths as slots, empty where it says too little to be
    looked for; `plain_key` is of what stays of it without any value.
    """

    class Kind(models.TextChoices):
        STATED = "stated", "the document says that it fixes this error"
        FIXED = "fixed", "its text says that it fixes this error"
        QUOTED = "quoted", "its text quotes this error"
        THROWN = "thrown", "its snippet throws this error"
        ADDED = "added", "its snippet adds this throw"
        TAKEN = "taken", "its snippet takes this throw away"

    pull_request = models.ForeignKey(PullRequest, on_delete=models.CASCADE, related_name="quoted_messages")
    position = models.PositiveIntegerField(help_text="of the report's quotes, from 0")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    exception_type = models.CharField(max_length=300, blank=True)
    message = models.TextField()
    template = models.TextField()
    path = models.CharField(max_length=600, blank=True, help_text="of the snippet, else the first key file")
    symbol = models.CharField(max_length=600, blank=True, help_text="function in the snippet, where it begins there")
    key = models.CharField(max_length=40, blank=True)
    check_key = models.CharField(max_length=40, blank=True)
    plain_key = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["pull_request", "position"]
        constraints = [models.UniqueConstraint(fields=["pull_request", "position"], name="quoted_message_position")]
        indexes = [
            models.Index(fields=["key"], condition=~models.Q(key=""), name="quoted_message_key"),
            models.Index(fields=["plain_key"], condition=~models.Q(plain_key=""), name="quoted_message_plain_key"),
        ]

    def __str__(self) -> str:
        return self.message


class PullRequestMention(models.Model):
    """A pull request of which a report says that it brought the error: known from then on, report or not."""

    report = models.ForeignKey(PullRequest, on_delete=models.CASCADE, related_name="mentions")
    repository = models.ForeignKey(Repository, on_delete=models.PROTECT, related_name="mentions")
    number = models.PositiveIntegerField()
    position = models.PositiveIntegerField(help_text="of the report's mentions, from 0")
    text = models.TextField(blank=True, help_text="the sentence that says so; empty where the document states it")

    class Meta:
        ordering = ["report", "position"]
        constraints = [models.UniqueConstraint(fields=["report", "position"], name="mention_position")]
        indexes = [models.Index(fields=["repository", "number"], name="mention_number")]

    def __str__(self) -> str:
        return f"#{self.number}"


class ReportTrait(models.Model):
    """A risk flag of a report, or a module that it is about: what lists of pull requests are filtered by."""

    class Kind(models.TextChoices):
        FLAG = "flag", "risk flag"
        MODULE = "module", "module, by name or by folder"

    pull_request = models.ForeignKey(PullRequest, on_delete=models.CASCADE, related_name="traits")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    value = models.CharField(max_length=300)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["pull_request", "kind", "value"], name="report_trait_once")]
        indexes = [models.Index(fields=["kind", "value"], name="report_trait_value")]

    def __str__(self) -> str:
        return self.value
