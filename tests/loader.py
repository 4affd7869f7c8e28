"""A loader for tests: writes documents into files, loads them, and remembers what became of each."""

import io
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from errorkb.ingest.loading import LoadOptions, load
from errorkb.ingest.outcomes import Outcome


class Clock:
    """A clock that moves on by a second at each look."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@dataclass
class Loader:
    """Writes documents into files and loads them."""

    folder: Path
    clock: Clock = field(default_factory=Clock)

    def file(self, name: str, documents) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = documents if isinstance(documents, bytes) else json.dumps(documents).encode()
        path.write_bytes(data)
        return str(path)

    def load(self, *paths: str, kind: str = "entries", standard_input: bytes = b"", **options) -> list[Outcome]:
        outcomes: list[Outcome] = []
        load(
            kind,
            paths,
            LoadOptions(**options),
            clock=self.clock,
            report=outcomes.append,
            standard_input=io.BytesIO(standard_input),
        )
        return outcomes

    def put(self, name: str, *documents, **options) -> list[str]:
        """Write documents into the file of this name, load it, and return what became of each."""
        return [outcome.status.value for outcome in self.load(self.file(name, list(documents)), **options)]
