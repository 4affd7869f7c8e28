"""Matching: what is weighed of an entry, in one narrow row; whole entries are loaded only to be told."""

from collections.abc import Collection
from typing import NamedTuple

from errorkb.models import ErrorEntry
from errorkb.models.chunks import in_chunks


class Site(NamedTuple):
    """An entry's throw site as its newest sighting has it. `seen_line` and `snippet` are None without a sighting."""

    pk: int
    public_id: str
    kind: str
    exception_type: str
    template: str
    path: str
    line: int | None
    symbol: str
    seen_line: int | None
    snippet: dict[str, object] | None

    @property
    def throwing_line(self) -> str:
        """Return the line of source that throws, as the newest sighting has it; empty where it is not known."""
        if self.seen_line is None or not self.snippet:
            return ""
        lines = str(self.snippet.get("code", "")).splitlines()
        offset = self.seen_line - int(str(self.snippet.get("start_line", 0)))
        return lines[offset].strip() if 0 <= offset < len(lines) else ""


_COLUMNS = (
    "pk", "public_id", "kind", "exception_type", "template", "path", "line", "symbol",
    "newest__line", "newest__snippet",
)  # fmt: skip


def load_sites(keys: Collection[int]) -> dict[int, Site]:
    """Return the sites of the public ones of entries by primary key; one query for some hundred."""
    public = ErrorEntry.objects.public().order_by()
    rows = (row for chunk in in_chunks(keys) for row in public.filter(pk__in=chunk).values_list(*_COLUMNS))
    return {row[0]: Site._make(row) for row in rows}
