"""Ingest: put a document's new state into its row, and keep the states before it as revisions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Model

from errorkb.core.json_documents import content_hash, dump_document
from errorkb.core.ownership import EVERYBODY_ELSE
from errorkb.ingest.claims import Claims
from errorkb.ingest.sources import SourceTree
from errorkb.models import Batch, DocumentRow, ErrorEntry, PullRequest, Repository, Revision


@dataclass
class WriteContext:
    """What one run of writing has in common: the clock, the batch and its reason, and what it has claimed so far.

    `claimed` knows the writer who brought each row last: none may bring the same one twice with other values. `joined`
    are repositories (primary keys) of which two have just become one.
    """

    clock: Callable[[], datetime]
    reason: str = ""
    batch: Batch | None = None
    force: bool = False
    show_differences: bool = False
    sources: SourceTree | None = None
    claimed: Claims = field(default_factory=Claims)
    joined: set[int] = field(default_factory=set)


def begin_state(row: DocumentRow, text: str, digest: str, writer: str, now: datetime) -> None:
    """Give a new row its first document, as JSON with the hash of that."""
    _put(row, text, digest, {EVERYBODY_ELSE: writer}, now)
    row.created_at = now
    row.created_by = writer


def next_state(
    row: DocumentRow,
    document: Mapping[str, Any],
    owners: dict[str, str],
    writer: str,
    now: datetime,
    context: WriteContext,
) -> list[Revision]:
    """Give a row its next document; return the revisions to store: the new state, and the first if none was kept."""
    kept = []
    if row.pk is None or not _revisions(row).exists():
        kept.append(_revision(row, row.created_by, row.created_at, "", None))
    text = dump_document(document)
    _put(row, text, content_hash(text), owners, now)
    kept.append(_revision(row, writer, now, context.reason, context.batch))
    return kept


def set_columns(row: Model, columns: Mapping[str, Any]) -> None:
    """Set the columns that a document makes."""
    for name, value in columns.items():
        setattr(row, name, value)


def _put(row: DocumentRow, text: str, digest: str, owners: dict[str, str], now: datetime) -> None:
    row.document = text
    row.content_hash = digest
    row.owners = owners
    row.modified_at = now


def _revisions(row: DocumentRow) -> Any:
    return Revision.objects.filter(**{_subject(row): row.pk})


def _revision(row: DocumentRow, writer: str, at: datetime, reason: str, batch: Batch | None) -> Revision:
    return Revision(**{_subject(row): row}, document=row.document, writer=writer, reason=reason, at=at, batch=batch)


_SUBJECTS = {ErrorEntry: "entry", PullRequest: "pull_request", Repository: "repository"}


def _subject(row: DocumentRow) -> str:
    return _SUBJECTS[type(row)]
