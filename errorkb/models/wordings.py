"""Models: the wordings of entries, each with the releases that have it and the keys by which match finds it."""

from django.db import models

from errorkb.models.entries import ErrorEntry

KEY_LENGTH = 40


class Wording(models.Model):
    """One template of an entry: of its document, or of what scans saw.

    `key` and `check_key` are made from the template alone (`core.match_keys`); both are empty for a template whose
    literal text is too short to be looked for.
    """

    entry = models.ForeignKey(ErrorEntry, on_delete=models.CASCADE, related_name="wordings")
    position = models.PositiveIntegerField(help_text="of the entry's wordings, current ones first, from 0")
    template = models.TextField()
    message = models.TextField(blank=True, help_text="as source has it, where that is known")
    first = models.CharField(max_length=300, blank=True, help_text="first release that has it, where that is known")
    last = models.CharField(max_length=300, blank=True, help_text="last release that has it, where that is known")
    is_current = models.BooleanField(default=True, help_text="the newest sighting or the document has it")
    key = models.CharField(max_length=KEY_LENGTH, blank=True)
    check_key = models.CharField(max_length=KEY_LENGTH, blank=True)

    class Meta:
        ordering = ["entry", "position"]
        constraints = [models.UniqueConstraint(fields=["entry", "position"], name="wording_position_in_entry")]
        indexes = [
            models.Index(fields=["key", "check_key"], name="wording_keys"),
            models.Index(fields=["check_key", "key"], name="wording_check_keys"),
        ]

    def __str__(self) -> str:
        return self.template
