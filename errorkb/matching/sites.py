"""Matching: what is weighed of an entry, in one narrow row; whole entries are loaded only to be told."""

import json
from collections.abc import Collection
from typing import NamedTuple

from django.db import connection

from errorkb.matching.backends import index_of


class Site(NamedTuple):
    """An entry's throw site as its newest sighting has it.

    `seen_line` and `snippet`, which is JSON, are None without a sighting.
    """

    pk: int
    public_id: str
    kind: str
    exception_type: str
    template: str
    path: str
    line: int | None
    symbol: str
    seen_line: int | None
    snippet: str | None

    @property
    def throwing_line(self) -> str:
        """Return the line of source that throws, as the newest sighting has it; empty where it is not known."""
        if self.seen_line is None or not self.snippet:
            return ""
        snippet = json.loads(self.snippet)
        lines = snippet.get("code", "").splitlines()
        offset = self.seen_line - snippet.get("start_line", 0)
        return lines[offset].strip() if 0 <= offset < len(lines) else ""


def load_sites(keys: Collection[int]) -> dict[int, Site]:
    """Return the sites of the public ones of entries by primary key, in one query."""
    return {row[0]: Site._make(row) for row in index_of(connection).sites(connection, keys)}
