"""What the tests of search share: a base to put documents into, and what a query finds in it."""

import io
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from errorkb.core.queries import parse_query
from errorkb.ingest.loading import LoadOptions, load
from errorkb.ingest.outcomes import Outcome, Status
from errorkb.models import ErrorEntry, PullRequest
from errorkb.search.searching import SearchResult, SearchResults, search

SAMPLES = Path(__file__).parent.parent / "samples" / "documents"
ENTRY: dict[str, Any] = json.loads((SAMPLES / "error-0a4a184d34e9a38f.json").read_text("utf-8"))
PULL_REQUEST: dict[str, Any] = json.loads((SAMPLES / "pull-request-33523.json").read_text("utf-8"))
MINIMAL = {"schema_version": "1.0", "repository": "acme/tool"}


@dataclass
class Base:
    """A base of documents."""

    def entry(self, **fields: Any) -> ErrorEntry:
        """Load an entry document made of these fields."""
        outcome = self._load("entries", MINIMAL | {"message": "m"} | fields)
        return ErrorEntry.objects.identified(outcome.name).get()

    def pull_request(self, **fields: Any) -> PullRequest:
        """Load a pull request document made of these fields."""
        self._load("pull_requests", MINIMAL | {"number": 1} | fields)
        return PullRequest.objects.latest("pk")

    def repository(self, **fields: Any) -> None:
        """Load a repository document made of these fields."""
        self._load("repositories", {"schema_version": "1.0"} | fields)

    def _load(self, kind: str, document: dict[str, Any]) -> Outcome:
        outcomes: list[Outcome] = []
        given = io.BytesIO(json.dumps(document).encode())
        clock = datetime(2026, 1, 1, tzinfo=UTC)
        load(kind, ["-"], LoadOptions(), clock=lambda: clock, report=outcomes.append, standard_input=given)
        (outcome,) = outcomes
        assert outcome.status is not Status.REFUSED, outcome
        return outcome


def find(text: str, **options: Any) -> SearchResults:
    return search(parse_query(text), **options)


def titles(text: str, **options: Any) -> list[str]:
    """Return the titles of what a query finds, messages alone for entries."""
    return [title_of(result) for result in find(text, **options).results]


def title_of(result: SearchResult) -> str:
    subject = result.subject
    return subject.message if isinstance(subject, ErrorEntry) else subject.title
