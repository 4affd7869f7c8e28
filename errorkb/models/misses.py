"""Models: errors that people pasted and nobody here knows, told to the curators on purpose."""

from django.db import models


class Miss(models.Model):
    """One unknown error, with its values masked: what was pasted is never stored."""

    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="of type, template and place")
    exception_type = models.CharField(max_length=300, blank=True)
    template = models.TextField(blank=True, help_text="the message, each value in it masked")
    path = models.CharField(max_length=600, blank=True, help_text="below the library's own folder, never a home")
    symbol = models.CharField(max_length=600, blank=True)
    count = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    is_done = models.BooleanField(default=False, help_text="a curator has dealt with it")

    class Meta:
        ordering = ["-count", "-last_at"]
        verbose_name_plural = "misses"

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.exception_type, self.template)))
