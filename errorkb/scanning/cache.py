"""Scanning: what was found in files before, by git's name for their content; losing it costs time."""

import os
import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Self

MAX_BYTES = 512 * 1024 * 1024
_FILE = "facts-1.sqlite3"
_SECONDS_TO_WAIT = 5.0
_BYTES_AT_ONCE = 16 * 1024 * 1024
_SCHEMA = "CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, content BLOB NOT NULL)"
# The rows that were put first are the ones with the lowest numbers.
_MAKE_ROOM = """
DELETE FROM facts WHERE rowid IN (SELECT rowid FROM facts ORDER BY rowid LIMIT (SELECT count(*) / 4 + 1 FROM facts))
"""
_MIGHT_FAIL = (sqlite3.Error, OSError)


def default_folder() -> Path:
    """Return where caches are kept: https://specifications.freedesktop.org/basedir-spec/latest/."""
    stated = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(stated) if stated.startswith("/") else Path.home() / ".cache") / "errorkb"


class FactsCache:
    """Packed facts by key; those that were put first make room. Nothing here raises: without a cache, all is new.

    A file that is no database, or a broken one, is removed; one that cannot be read or written is left alone. What is
    put goes in by transactions of some megabytes: a scan that is killed leaves whole facts.
    """

    def __init__(self, folder: Path | None, *, max_bytes: int = MAX_BYTES) -> None:
        """Open the cache in a folder, which is made; without a folder there is none."""
        self._max_bytes = max_bytes
        self._waiting: dict[str, bytes] = {}
        self._waiting_bytes = 0
        self._database = (_open(folder) or _open(folder)) if folder else None

    def get(self, key: str) -> bytes | None:
        """Return what this scan or an earlier one put under a key."""
        if key in self._waiting or self._database is None:
            return self._waiting.get(key)
        try:
            row = self._database.execute("SELECT content FROM facts WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error:
            self._let_go()
            return None
        return row[0] if row and isinstance(row[0], bytes) else None

    def put(self, key: str, content: bytes) -> None:
        """Keep facts for later scans."""
        self._waiting[key] = content
        self._waiting_bytes += len(content)
        if self._waiting_bytes >= _BYTES_AT_ONCE:
            self._write()

    def close(self) -> None:
        """Write what waits, and let go of the file."""
        self._write()
        self._let_go()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self) -> None:
        """Write what waits in one transaction. Where the file is busy or broken, this scan's facts are not kept."""
        rows, self._waiting, self._waiting_bytes = list(self._waiting.items()), {}, 0
        if self._database is None or not rows:
            return
        try:
            with self._database:
                self._database.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", rows)
                while _bytes_used(self._database) > self._max_bytes:
                    self._database.execute(_MAKE_ROOM)
        except _MIGHT_FAIL:
            self._let_go()

    def _let_go(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database = None


def _open(folder: Path) -> sqlite3.Connection | None:
    """Return the database in a folder; None, with the file removed, if it is none that this program has written."""
    place = folder / _FILE
    database = None
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        database = sqlite3.connect(place, timeout=_SECONDS_TO_WAIT)
        database.execute(_SCHEMA)
        database.execute("SELECT key, content FROM facts LIMIT 1").fetchone()
    except _MIGHT_FAIL as error:
        if database is not None:
            database.close()
        if _is_broken(error):
            place.unlink(missing_ok=True)
        return None
    return database


def _is_broken(error: Exception) -> bool:
    """Tell a file with other content from one that is busy, full or not to be written."""
    return type(error) is sqlite3.DatabaseError or str(error).startswith(("no such column", "malformed"))


def _bytes_used(database: sqlite3.Connection) -> int:
    pages, free, size = (
        database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
