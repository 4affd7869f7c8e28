"""Ingest: let entries be found by the places where they were seen last."""

from collections.abc import Iterable

from errorkb.ingest.bulk_updates import update_rows
from errorkb.models import ErrorEntry, SearchRow
from errorkb.models.chunks import in_chunks
from errorkb.search.row_tokens import tokens_for_entry

_CHUNK = 200
_COLUMNS = ("title", "names", "parts", "prose")


def index_places(moved: Iterable[ErrorEntry]) -> None:
    """Make the search tokens of entries anew whose path or symbol the newest sighting has changed."""
    for chunk in in_chunks(moved, _CHUNK):
        entries = {entry.pk: entry for entry in chunk}
        rows = list(SearchRow.objects.filter(entry__in=entries))
        for row in rows:
            entry = entries[row.entry_id or 0]
            for column, tokens in tokens_for_entry(entry.as_document(), entry)._asdict().items():
                setattr(row, column, tokens)
        update_rows(rows, _COLUMNS)
