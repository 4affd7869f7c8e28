"""Ingest: what a person changes: a new state of one document, with a reason, through the same path as a load."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from errorkb.core import writers
from errorkb.core.problems import DocumentError, refuse
from errorkb.ingest.entries import write_entries
from errorkb.ingest.outcomes import Outcome, Status
from errorkb.ingest.prepared import Prepared, prepare_entry, prepare_pull_request, prepare_repository
from errorkb.ingest.pull_requests import write_pull_requests
from errorkb.ingest.repositories import find_repositories
from errorkb.ingest.repository_documents import write_repository_documents
from errorkb.ingest.states import WriteContext
from errorkb.ingest.transactions import writing
from errorkb.models import Batch, ErrorEntry, PullRequest, Repository, Revision

Row = ErrorEntry | PullRequest | Repository


class EditedMeanwhileError(Exception):
    """Somebody saved another state after this one was read; nothing was written."""


@dataclass(frozen=True)
class Edit:
    """Who edits, why, and the hash of the state that was edited (empty: whatever is stored)."""

    person: str
    reason: str
    read_hash: str = ""


def edit(row: Row, document: dict[str, Any], by: Edit, *, clock: Callable[[], datetime]) -> Outcome:
    """Make `document` the new state of `row`, every field that differs now owned by the person.

    Raises DocumentError where the document is not valid, EditedMeanwhileError where the stored state is another one
    than was read.
    """
    item = _prepare(row, document, writers.person(by.person))
    with writing():
        stored = type(row)._default_manager.select_for_update().get(pk=row.pk)
        if by.read_hash and stored.content_hash != by.read_hash:
            raise EditedMeanwhileError
        return _written(row, item, by, clock)


def create_entry(document: dict[str, Any], by: Edit, *, clock: Callable[[], datetime]) -> ErrorEntry:
    """Make a new entry from a person's document. Raises DocumentError where it is wrong or its site has an entry."""
    item = prepare_entry(document, where="form", writer=writers.person(by.person))
    with writing():
        outcome = _only(write_entries([item], _context("create_entry", by, clock)))
        if outcome.status is not Status.CREATED:
            raise refuse("$", f"this site has an entry already: {outcome.name}; edit that one")
    return ErrorEntry.objects.get(public_id=outcome.name)


def restore(revision: Revision, by: Edit, *, clock: Callable[[], datetime]) -> Outcome:
    """Go back to a revision's state, as a new state with a reason."""
    row = revision.subject
    if row is None:
        raise refuse("$", "this revision belongs to nothing any more")
    return edit(row, revision.as_document(), by, clock=clock)


def _prepare(row: Row, document: dict[str, Any], writer: str) -> Prepared:
    if isinstance(row, ErrorEntry):
        return prepare_entry(document, where=row.public_id, writer=writer, row=row.pk)
    if isinstance(row, Repository):
        return prepare_repository(document, where=row.name, writer=writer, row=row.pk)
    item = prepare_pull_request(document, where=str(row), writer=writer)
    if item.raw["number"] != row.number:
        raise refuse("$.number", f"expected {row.number}: a pull request keeps its number")
    if find_repositories([item.raw["repository"]]).get(item.raw["repository"].lower()) != row.repository:
        raise refuse("$.repository", f"expected {row.repository}: a pull request keeps its repository")
    return item


def _written(row: Row, item: Prepared, by: Edit, clock: Callable[[], datetime]) -> Outcome:
    write = {ErrorEntry: write_entries, PullRequest: write_pull_requests, Repository: write_repository_documents}[
        type(row)
    ]
    return _only(write([item], _context(f"edit_{type(row).__name__}", by, clock)))


def _context(command: str, by: Edit, clock: Callable[[], datetime]) -> WriteContext:
    now = clock()
    batch = Batch.objects.create(
        started_at=now, finished_at=now, writer=writers.person(by.person), command=command, reason=by.reason
    )
    return WriteContext(clock=clock, reason=by.reason, batch=batch)


def _only(outcomes: list[Outcome]) -> Outcome:
    (outcome,) = outcomes
    if outcome.status is Status.REFUSED:
        raise DocumentError(outcome.problems)
    return outcome
