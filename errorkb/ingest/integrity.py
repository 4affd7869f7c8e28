"""Ingest: find rows whose columns, tokens, links or wordings do not follow from their documents, and mend them."""

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from errorkb.core.documents import EntryDocument, PullRequestDocument, validate_document
from errorkb.core.json_documents import content_hash
from errorkb.core.problems import DocumentError
from errorkb.ingest.links.quoted_messages import stray_quotes, sync_quotes
from errorkb.ingest.links.report_links import stray_links, sync_links_of_reports, sync_report_links
from errorkb.ingest.links.report_traits import stray_traits, sync_traits
from errorkb.ingest.prepared import entry_columns, pull_request_columns
from errorkb.ingest.releases import are_releases_stray, sync_releases
from errorkb.ingest.repositories import ensure_repositories, find_repositories
from errorkb.ingest.standings import stray_standings, sync_standings
from errorkb.ingest.states import set_columns
from errorkb.ingest.transactions import writing
from errorkb.ingest.wordings import stray_wordings, sync_wordings
from errorkb.models import (
    EntryPullRequest,
    ErrorEntry,
    PullRequest,
    PullRequestMention,
    QuotedMessage,
    Repository,
    SearchRow,
)
from errorkb.models.chunks import in_chunks
from errorkb.search import schema
from errorkb.search.row_tokens import RowTokens, tokens_for_entry, tokens_for_pull_request

CHUNK = 200
# Primary key of the repository, number and role.
Link = tuple[int, int, str]


@dataclass(frozen=True)
class Stray:
    """Something that does not follow from its document: which row, and what is wrong with it."""

    name: str
    text: str


@dataclass(frozen=True)
class _Subject:
    rows: Callable[[], QuerySet[Any]]
    field: str


_SUBJECTS = (
    _Subject(lambda: ErrorEntry.objects.select_related("repository", "search_row", "newest"), "entry"),
    _Subject(lambda: PullRequest.objects.select_related("repository", "search_row"), "pull_request"),
)


def find_strays() -> Iterator[Stray]:
    """Yield everything in the base that does not follow from the documents, full-text index included."""
    for problem in schema.is_intact(connection):
        yield Stray("search index", problem)
    for subject in _SUBJECTS:
        for row in subject.rows().iterator(chunk_size=CHUNK):
            yield from _strays(row)
    yield from _wording_strays()
    for repository in Repository.objects.order_by("pk"):
        if are_releases_stray(repository):
            yield Stray(repository.name, "its releases and their order do not follow")


def rebuild_rows(report: Any = None) -> int:
    """Make every column, token row, link and wording anew, batch by batch; return how many rows were read.

    Readers are never locked out: each batch is one short transaction, in which its rows are read, so that nothing
    that is written meanwhile is undone. A row whose document is not valid is left as it is: `find_strays` tells it.
    """
    done = 0
    for subject in _SUBJECTS:
        last = 0
        while keys := _rebuild_batch(subject, last):
            last = keys[-1]
            done += len(keys)
            if report:
                report(len(keys))
    for repository in Repository.objects.order_by("pk"):
        with writing():
            sync_releases(repository)
    return done


def _rebuild_batch(subject: _Subject, last: int) -> list[int]:
    """Rebuild the rows behind the primary key `last`; return theirs."""
    with writing():
        rows = list(subject.rows().filter(pk__gt=last).order_by("pk").select_for_update(of=("self",))[:CHUNK])
        for row in rows:
            with contextlib.suppress(DocumentError, ValueError):
                _rebuild(row, subject)
        keys = [row.pk for row in rows]
        if subject.field == "entry":
            sync_wordings(keys, anew=True)
            sync_standings(keys)
            sync_report_links(keys)
        else:
            _rebuild_quotes(rows)
    return keys


def _rebuild_quotes(rows: list[PullRequest]) -> None:
    for row in rows:
        with contextlib.suppress(DocumentError, ValueError):
            sync_quotes([row], row.modified_at)
            sync_traits([row])
    sync_links_of_reports(row.pk for row in rows)


def quotes_are_missing() -> bool:
    """Say whether no report of the base has its quotes, as in one from before there were any."""
    has_none = not (QuotedMessage.objects.exists() or PullRequestMention.objects.exists())
    return has_none and PullRequest.objects.exists()


def rebuild_quotes() -> None:
    """Make quotes, mentions and links of all reports anew, batch by batch."""
    last = 0
    while keys := list(PullRequest.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        with writing():
            _rebuild_quotes(list(PullRequest.objects.filter(pk__in=keys)))
        last = keys[-1]


def _strays(row: Any) -> Iterator[Stray]:
    name = str(getattr(row, "public_id", row))
    if row.content_hash != content_hash(row.document):
        yield Stray(name, "its document was changed past the write path (content hash differs)")
    try:
        columns, tokens = _derived(row)
    except (DocumentError, ValueError) as error:
        yield Stray(name, f"its document is not valid: {error}")
        return
    for column, value in columns.items():
        if getattr(row, column) != value:
            yield Stray(name, f"column {column} does not follow from the document")
    stored = getattr(row, "search_row", None)
    if stored is None:
        yield Stray(name, "it has no search tokens")
    elif any(getattr(stored, column) != value for column, value in tokens._asdict().items()):
        yield Stray(name, "its search tokens do not follow from the document")
    if isinstance(row, ErrorEntry):
        yield from _entry_strays(row, name)
    elif stray_quotes([row]) or stray_traits([row]):
        yield Stray(name, "what it quotes, or its flags, do not follow from the document")


def _entry_strays(row: ErrorEntry, name: str) -> Iterator[Stray]:
    if row.public_id not in [identifier.value for identifier in row.identifiers.all()]:
        yield Stray(name, "its id leads nowhere")
    if _stored_links(row) != _document_links(row):
        yield Stray(name, "its pull requests do not follow from the document")


def _wording_strays() -> Iterator[Stray]:
    names = ErrorEntry.objects.values_list("pk", "public_id").iterator(chunk_size=CHUNK)
    for chunk in in_chunks(names, CHUNK):
        strays = stray_wordings([pk for pk, _ in chunk])
        changed = stray_standings([pk for pk, _ in chunk])
        linked = stray_links([pk for pk, _ in chunk])
        yield from (Stray(name, "its wordings and their keys do not follow") for pk, name in chunk if pk in strays)
        yield from (Stray(name, "its being stale does not follow") for pk, name in chunk if pk in changed)
        yield from (Stray(name, "its links to reports do not follow") for pk, name in chunk if pk in linked)


def _stored_links(row: ErrorEntry) -> list[Link]:
    return list(row.pull_request_links.order_by("position").values_list("repository", "number", "role"))


def _document_links(row: ErrorEntry) -> list[Link]:
    """Return what the links of a document should be; the repository is 0 where nobody knows its name."""
    document = row.as_document()
    links = document.get("pull_requests") or []
    named = {link["repository"] for link in links if link.get("repository")} - {document["repository"]}
    keys = {name: found.pk for name, found in find_repositories(named).items()} if named else {}
    keys[document["repository"].lower()] = row.repository_id
    names = ((link.get("repository") or document["repository"]).lower() for link in links)
    return [
        (keys.get(name, 0), link["number"], link.get("role") or "") for name, link in zip(names, links, strict=True)
    ]


def _derived(row: Any) -> tuple[dict[str, Any], RowTokens]:
    document = json.loads(row.document)
    if isinstance(row, ErrorEntry):
        columns = entry_columns(validate_document(EntryDocument, document), newest=row.newest, gone_in=row.gone_in)
        return columns, tokens_for_entry(document, row.newest)
    return pull_request_columns(validate_document(PullRequestDocument, document)), tokens_for_pull_request(document)


def _rebuild(row: Any, subject: _Subject) -> None:
    columns, tokens = _derived(row)
    set_columns(row, columns)
    row.content_hash = content_hash(row.document)
    row.save()
    SearchRow.objects.update_or_create(**{subject.field: row}, defaults=tokens._asdict())
    if isinstance(row, ErrorEntry) and _stored_links(row) != _document_links(row):
        _relink(row)


def _relink(row: ErrorEntry) -> None:
    document = row.as_document()
    named = {link["repository"] for link in document.get("pull_requests") or [] if link.get("repository")}
    ensure_repositories(named - {document["repository"]}, row.modified_at)
    row.pull_request_links.all().delete()
    EntryPullRequest.objects.bulk_create(
        EntryPullRequest(entry=row, repository_id=repository, number=number, role=role, position=position)
        for position, (repository, number, role) in enumerate(_document_links(row))
    )
