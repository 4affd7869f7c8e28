"""Ingest: repositories: found by any of their names, made when first named, described and renamed later."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import DateTimeField, Value
from django.db.models.functions import Greatest

from errorkb.core.differences import Difference, differences
from errorkb.core.documents import RepositoryDocument, validate_document
from errorkb.core.json_documents import MAX_BYTES, dump_document
from errorkb.core.ownership import Merge, merge
from errorkb.core.problems import DocumentError, Problem, refuse
from errorkb.ingest.joining import join_repositories, name_after_renaming
from errorkb.ingest.outcomes import Outcome, Status, refused, status_of
from errorkb.ingest.prepared import Prepared, Raw, repository_columns
from errorkb.ingest.releases import sync_releases
from errorkb.ingest.standings import sync_standings
from errorkb.ingest.states import WriteContext, begin_state, next_state, set_columns
from errorkb.ingest.wordings import sync_wordings
from errorkb.models import Repository, RepositoryAlias, Revision
from errorkb.models.chunks import in_chunks


def find_repositories(names: Iterable[str]) -> dict[str, Repository]:
    """Return the repositories that have these names now or had them before, by lower-case name."""
    keys = {name.lower() for name in names}
    found: dict[str, Repository] = {}
    for chunk in in_chunks(keys):
        found |= {row.key: row for row in Repository.objects.filter(key__in=chunk)}
    for chunk in in_chunks(keys - found.keys()):
        aliases = RepositoryAlias.objects.filter(key__in=chunk).select_related("repository")
        found |= {alias.key: alias.repository for alias in aliases}
    return found


def ensure_repositories(names: Iterable[str], now: datetime) -> dict[str, Repository]:
    """Return the repositories of these names by lower-case name, making those that nobody named before."""
    wanted = {name.lower(): name for name in names}
    found = find_repositories(wanted)
    missing = [_bare(name, now) for key, name in wanted.items() if key not in found]
    for row in Repository.objects.bulk_create(missing):
        found[row.key] = row
    return found


def touch(repositories: Iterable[int], now: datetime) -> None:
    """Note that something shown for these repositories (by primary key) has changed."""
    rows = Repository.objects.filter(pk__in=set(repositories))
    rows.update(touched_at=Greatest("touched_at", Value(now), output_field=DateTimeField()))


def write_repositories(prepared: Sequence[Prepared], context: WriteContext) -> list[Outcome]:
    """Write repository documents, each in its own savepoint; call within a transaction."""
    outcomes = []
    for item in prepared:
        try:
            with transaction.atomic():
                outcomes.append(_write(item, context))
        except DocumentError as error:
            outcomes.append(refused(item.where, error.problems))
    return outcomes


def _write(item: Prepared, context: WriteContext) -> Outcome:
    now = context.clock()
    names = [item.raw["name"], *(item.raw.get("aliases") or [])]
    rows = [*Repository.objects.filter(pk__in=[item.row or 0]), *find_repositories(names).values()]
    rows = list({found.pk: found for found in rows}.values())
    if not rows:
        rows = [_bare(item.raw["name"], now)]
    row, *others = sorted(
        rows, key=lambda found: (found.pk != item.row, found.key != item.columns["key"], found.pk or 0)
    )
    if problem := _second_home(row, others):
        raise DocumentError((problem,))
    former, ordered_by = row.key, row.tag_format
    outcome = _apply(row, item, context, now)
    conflicts = [conflict for other in others for conflict in join_repositories(row, other, context)]
    if conflicts:
        outcome = replace(outcome, status=Status.CONFLICTING, conflicts=(*outcome.conflicts, *conflicts))
    _write_aliases(row, [*names, *(other.name for other in others)])
    if others:
        context.joined.add(row.pk)
    if others or row.key != former:
        name_after_renaming(row)
    if others or outcome.status is not Status.UNCHANGED:
        sync_releases(row)
    if others or row.tag_format != ordered_by:
        entries = list(row.entries.values_list("pk", flat=True))
        sync_wordings(entries)
        sync_standings(entries, now)
    context.claimed.note(row.pk, item.writer)
    return outcome


def _second_home(row: Repository, others: list[Repository]) -> Problem | None:
    """Refuse aliases that have a document of their own: two repositories, not two names of one."""
    for other in others:
        if other.document:
            return Problem("$.aliases", f"expected former names only, but {other.name} has a document of its own")
    return None


def _apply(row: Repository, item: Prepared, context: WriteContext, now: datetime) -> Outcome:
    stored = row.as_document()
    if not stored:
        begin_state(row, item.text, item.content_hash, item.writer, now)
        set_columns(row, item.columns)
        row.touched_at = now
        row.save()
        return Outcome(item.where, Status.CREATED, row.name, differences=_shown({}, item.raw, context))
    merged = merge(stored, row.owners, item.raw, item.writer, force=context.force)
    if merged.changed:
        if item.row is None and context.claimed.writer(row.pk) == item.writer:
            raise refuse("$", f"this load has already brought {row.name} with other values; expected it once")
        _change(row, merged, item.writer, context, now)
    status = status_of(created=False, changed=merged.changed, conflicts=merged.conflicts)
    return Outcome(
        item.where, status, row.name, conflicts=merged.conflicts, differences=_shown(stored, merged.document, context)
    )


def _change(row: Repository, merged: Merge, writer: str, context: WriteContext, now: datetime) -> None:
    if len(dump_document(merged.document).encode("utf-8")) > MAX_BYTES:
        raise refuse("$", "together with what is stored, this would be over 8 MiB")
    former, columns = row.name, repository_columns(validate_document(RepositoryDocument, merged.document))
    revisions = next_state(row, merged.document, merged.owners, writer, now, context)
    set_columns(row, columns)
    row.touched_at = now
    row.save()
    Revision.objects.bulk_create(revisions)
    _write_aliases(row, [former])


def _shown(old: Raw, new: Raw, context: WriteContext) -> tuple[Difference, ...]:
    return differences(old, new) if context.show_differences else ()


def _write_aliases(row: Repository, names: Iterable[str]) -> None:
    keys = {name.lower() for name in names} - {row.key}
    missing = sorted(keys - find_repositories(keys).keys())
    RepositoryAlias.objects.bulk_create(RepositoryAlias(key=key, repository=row) for key in missing)
    RepositoryAlias.objects.filter(key=row.key).delete()


def _bare(name: str, now: datetime) -> Repository:
    return Repository(name=name, key=name.lower(), created_at=now, modified_at=now, touched_at=now)
