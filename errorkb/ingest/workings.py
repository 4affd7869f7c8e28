"""Ingest: an entry while a batch is written."""

from dataclasses import dataclass, field

from errorkb.core.assignment import Place
from errorkb.ingest.prepared import Prepared, Raw, StatedPin, entry_place, identifiers_of, stated_pin
from errorkb.models import ErrorEntry

SiteKey = tuple[int, str]


@dataclass(eq=False)
class Working:
    """An entry while a batch is written: its row, and what has to be stored.

    `origin` is the document that made it, as prepared, until another state of it is known. `writer` is who brought it
    last in this load, empty before anybody did; `revised` says that the batch keeps revisions of it.
    """

    row: ErrorEntry
    origin: Prepared | None = None
    identifiers: set[str] = field(default_factory=set)
    changed: bool = False
    created: bool = False
    revised: bool = False
    writer: str = ""
    _document: Raw | None = None

    @property
    def document(self) -> Raw:
        """The document as it stands; read when it is first asked for."""
        if self._document is None:
            self._document = self.row.as_document()
        return self._document

    def change(self, document: Raw) -> None:
        """Note that the row has another document."""
        self._document, self.origin, self.changed = document, None, True

    @property
    def place(self) -> Place:
        return self.origin.meant.place if self.origin and self.origin.meant else entry_place(self.document)

    @property
    def pin(self) -> StatedPin:
        """What its source is true for."""
        return self.origin.meant.pin if self.origin and self.origin.meant else stated_pin(self.document)

    @property
    def stated_identifiers(self) -> tuple[str, ...]:
        """The id and aliases that its document brings."""
        return identifiers_of(self.document)

    @property
    def site_key(self) -> SiteKey:
        return self.row.repository_id, self.row.site_key
