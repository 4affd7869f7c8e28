"""Ingest: make one of two rows that turn out to be the same, when two repositories turn out to be one."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from errorkb.core.differences import json_equal
from errorkb.core.documents import EntryDocument, PullRequestDocument, validate_document
from errorkb.core.identity import Site, mint_id
from errorkb.core.ownership import Conflict, is_a_scans, merge, owner_of
from errorkb.ingest.prepared import entry_columns, entry_site, pull_request_columns
from errorkb.ingest.sighting_rows import move_sightings
from errorkb.ingest.states import WriteContext, next_state, set_columns
from errorkb.models import (
    EntryIdentifier,
    EntryPullRequest,
    ErrorEntry,
    FoundPullRequest,
    PullRequest,
    PullRequestJudgement,
    PullRequestMention,
    Repository,
    RepositoryAlias,
    Revision,
    Scan,
    SearchRow,
)
from errorkb.models.chunks import MAX_PARAMETERS, in_chunks
from errorkb.search.row_tokens import tokens_for_entry, tokens_for_pull_request


def join_repositories(kept: Repository, other: Repository, context: WriteContext) -> tuple[Conflict, ...]:
    """Move everything of `other` to `kept` and drop its row; sites and pull requests that both have become one.

    Return the fields in which they differ, each named behind its entry or pull request; the older value stays.
    """
    now = context.clock()
    conflicts: list[Conflict] = []
    for older, younger in _same_sites(kept, other):
        conflicts += _join_entries(older, younger, now, context)
    for first, second in _same_numbers(kept, other):
        conflicts += _join_pull_requests(first, second, now, context)
    found = (FoundPullRequest, PullRequestJudgement, PullRequestMention)
    rows: tuple[Any, ...] = (ErrorEntry, PullRequest, EntryPullRequest, RepositoryAlias, Scan, *found)
    for model in rows:
        model.objects.filter(repository=other).update(repository=kept)
    other.releases.exclude(name__in=kept.releases.values("name")).update(repository=kept)
    other.delete()
    return tuple(conflicts)


def name_after_renaming(repository: Repository) -> None:
    """Let the ids that entries would be minted now, under the repository's new name, lead to them where they are free.

    Bases that met the repository under one name or the other agree then; twins of one function are passed over.
    """
    columns = ("repository", "kind", "exception_type", "template", "symbol", "site_key", "document")
    rows = repository.entries.only(*columns)
    twins = Counter(repository.entries.values_list("site_key", flat=True))
    minted = (
        EntryIdentifier(value=mint_id(repository.name, _site(row), 0), entry=row)
        for row in rows.iterator(chunk_size=MAX_PARAMETERS)
        if twins[row.site_key] == 1
    )
    for chunk in in_chunks(minted):
        EntryIdentifier.objects.bulk_create(chunk, ignore_conflicts=True)


def _site(row: ErrorEntry) -> Site:
    """Return what an entry's document says that its site is known by; its symbol column may be a sighting's."""
    site = Site(row.kind, row.exception_type, row.template, row.symbol)
    return site if site.key == row.site_key else entry_site(validate_document(EntryDocument, row.as_document()))


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


def _join_entries(older: ErrorEntry, younger: ErrorEntry, now: datetime, context: WriteContext) -> tuple[Conflict, ...]:
    had_links = "pull_requests" in older.as_document()
    document, conflicts = _merged(older, younger, now, context)
    columns = entry_columns(validate_document(EntryDocument, document), newest=older.newest, gone_in=older.gone_in)
    set_columns(older, columns)
    if younger.id_given and not older.id_given:
        older.public_id, younger.public_id = younger.public_id, older.public_id
        older.id_given = True
    EntryIdentifier.objects.filter(entry=younger).update(entry=older)
    if not had_links:
        younger.pull_request_links.update(entry=older)
    Revision.objects.filter(entry=younger).update(entry=older)
    move_sightings(younger, older)
    _move_judgements(younger, older)
    younger.delete()
    older.save()
    SearchRow.objects.filter(entry=older).update(**tokens_for_entry(document, older.newest)._asdict())
    return conflicts


def _move_judgements(younger: ErrorEntry, older: ErrorEntry) -> None:
    """Keep what people said of the pull requests of an entry that becomes another, and what git told of it."""
    told = set(older.pull_request_judgements.values_list("number", "commit"))
    for one in younger.pull_request_judgements.all():
        if (one.number, one.commit) not in told:
            one.entry = older
            one.save(update_fields=["entry"])
    younger.found_pull_requests.exclude(scan=None).update(entry=older)


def _join_pull_requests(
    older: PullRequest, younger: PullRequest, now: datetime, context: WriteContext
) -> tuple[Conflict, ...]:
    document, conflicts = _merged(older, younger, now, context)
    set_columns(older, pull_request_columns(validate_document(PullRequestDocument, document)))
    Revision.objects.filter(pull_request=younger).update(pull_request=older)
    younger.delete()
    older.save()
    SearchRow.objects.filter(pull_request=older).update(**tokens_for_pull_request(document)._asdict())
    return conflicts


def _merged(
    older: Any, younger: Any, now: datetime, context: WriteContext
) -> tuple[dict[str, Any], tuple[Conflict, ...]]:
    """Give the older row what its owners let it take of the younger one's document; return the document and the rest.

    The younger one's state is kept as a revision, unless the document says the same already.
    """
    document, owners = older.as_document(), older.owners
    brought = younger.as_document() | {"repository": document["repository"]}
    if json_equal(document, brought) or (is_a_scans(younger.owners) and not is_a_scans(owners)):
        return document, ()
    conflicts: list[Conflict] = []
    for writer in sorted(set(younger.owners.values())):
        theirs = {field: brought[field] for field in brought if owner_of(field, brought, younger.owners) == writer}
        merged = merge(document, owners, document | theirs, writer)
        document, owners = merged.document, merged.owners
        conflicts += merged.conflicts
    states = next_state(older, document, owners, younger.created_by, now, context)
    if not younger.revisions.exists():
        joined = Revision(document=younger.document, writer=younger.created_by, at=younger.created_at)
        setattr(joined, "entry" if isinstance(older, ErrorEntry) else "pull_request", older)
        states.insert(-1, joined)
    Revision.objects.bulk_create(states)
    name = getattr(older, "public_id", str(older))
    return document, tuple(replace(conflict, field=f"{name}: {conflict.field}") for conflict in conflicts)
