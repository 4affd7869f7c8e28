"""Ingest: make one of two rows that turn out to be the same, when two repositories turn out to be one."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from errorkb.core.documents import EntryDocument, PullRequestDocument, validate_document
from errorkb.core.ownership import EVERYBODY_ELSE, merge
from errorkb.ingest.prepared import entry_columns, pull_request_columns
from errorkb.ingest.states import WriteContext, next_state, set_columns
from errorkb.models import (
    EntryIdentifier,
    EntryPullRequest,
    ErrorEntry,
    PullRequest,
    Repository,
    RepositoryAlias,
    Revision,
    Scan,
    SearchRow,
)
from errorkb.search.row_tokens import tokens_for_entry, tokens_for_pull_request


def join_repositories(kept: Repository, other: Repository, context: WriteContext) -> None:
    """Move everything of `other` to `kept` and drop its row; sites and pull requests that both have become one."""
    now = context.clock()
    for older, younger in _same_sites(kept, other):
        _join_entries(older, younger, now, context)
    for first, second in _same_numbers(kept, other):
        _join_pull_requests(first, second, now, context)
    rows: tuple[Any, ...] = (ErrorEntry, PullRequest, EntryPullRequest, RepositoryAlias, Scan)
    for model in rows:
        model.objects.filter(repository=other).update(repository=kept)
    other.delete()


def _same_sites(kept: Repository, other: Repository) -> Iterable[tuple[ErrorEntry, ErrorEntry]]:
    for moving in list(other.entries.all()):
        place = {"site_key": moving.site_key, "path": moving.path, "line": moving.line}
        if staying := kept.entries.filter(**place).order_by("pk").first():
            older, younger = sorted((staying, moving), key=lambda row: row.pk)
            yield older, younger


def _same_numbers(kept: Repository, other: Repository) -> Iterable[tuple[PullRequest, PullRequest]]:
    for moving in list(other.pull_requests.all()):
        if staying := kept.pull_requests.filter(number=moving.number).first():
            older, younger = sorted((staying, moving), key=lambda row: row.pk)
            yield older, younger


def _join_entries(older: ErrorEntry, younger: ErrorEntry, now: datetime, context: WriteContext) -> None:
    document = _merged(older, younger, now, context)
    columns = entry_columns(validate_document(EntryDocument, document), newest=older.newest, gone_in=older.gone_in)
    set_columns(older, columns)
    if younger.id_given and not older.id_given:
        older.public_id, younger.public_id = younger.public_id, older.public_id
        older.id_given = True
    EntryIdentifier.objects.filter(entry=younger).update(entry=older)
    if not older.pull_request_links.exists():
        younger.pull_request_links.update(entry=older)
    Revision.objects.filter(entry=younger).update(entry=older)
    seen = older.sightings.values("scan")
    younger.sightings.exclude(scan__in=seen).update(entry=older)
    younger.delete()
    older.save()
    SearchRow.objects.filter(entry=older).update(**asdict(tokens_for_entry(document)))


def _join_pull_requests(older: PullRequest, younger: PullRequest, now: datetime, context: WriteContext) -> None:
    document = _merged(older, younger, now, context)
    set_columns(older, pull_request_columns(validate_document(PullRequestDocument, document)))
    Revision.objects.filter(pull_request=younger).update(pull_request=older)
    younger.delete()
    older.save()
    SearchRow.objects.filter(pull_request=older).update(**asdict(tokens_for_pull_request(document)))


def _merged(older: Any, younger: Any, now: datetime, context: WriteContext) -> dict[str, Any]:
    """Give the older row what only the younger one's document says; return the document."""
    stored, writer = older.as_document(), younger.owners.get(EVERYBODY_ELSE, "")
    offered = younger.as_document() | {"repository": stored["repository"]}
    merged = merge(stored, older.owners, offered, writer)
    if merged.changed:
        Revision.objects.bulk_create(next_state(older, merged.document, merged.owners, writer, now, context))
    return merged.document
