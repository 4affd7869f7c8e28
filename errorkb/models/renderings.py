"""Models: HTML made from documents, kept so that later reads need not render again."""

from django.db import models


class Rendering(models.Model):
    """The rendered fragments of one content by one version of the renderer; it may be deleted at any time."""

    content_hash = models.CharField(max_length=64)
    version = models.PositiveIntegerField()
    fragments = models.JSONField(help_text="HTML by name")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["content_hash", "version"], name="rendering_of_content")]

    def __str__(self) -> str:
        return f"{self.content_hash[:12]} by renderer {self.version}"
