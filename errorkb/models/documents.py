"""Models: what every row that holds a document has: the document verbatim, who wrote which field, and when."""

import json
from typing import Any

from django.db import models


class DocumentRow(models.Model):
    """A row whose truth is its document; every other column is made from it by the one write path (`ingest`)."""

    document = models.TextField(editable=False, help_text="JSON, as loaded, keys in order")
    owners = models.JSONField(default=dict, editable=False, help_text="writer of each field; '' is everybody else's")
    content_hash = models.CharField(max_length=64, editable=False, help_text="SHA-256 of the document, in hex")
    created_at = models.DateTimeField(editable=False)
    created_by = models.TextField(editable=False)
    modified_at = models.DateTimeField(editable=False, db_index=True)

    class Meta:
        abstract = True

    def as_document(self) -> dict[str, Any]:
        """Return the document as loaded; a new object at each call."""
        loaded: dict[str, Any] = json.loads(self.document) if self.document else {}
        return loaded
