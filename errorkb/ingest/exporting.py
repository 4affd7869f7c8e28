"""Ingest: write documents out again, equal to what was loaded, one at a time."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from errorkb.core.documents import SERVED_FIELDS
from errorkb.models import DocumentRow, ErrorEntry, PullRequest, Repository
from errorkb.models.repositories import RepositoryQuerySet
from errorkb.serving.computed import served_entry
from errorkb.serving.releases import RepositoryReleases, releases_of

CHUNK = 200

EXPORTED: dict[str, type[DocumentRow]] = {
    "entries": ErrorEntry,
    "pull_requests": PullRequest,
    "repositories": Repository,
}


def exported_rows(kind: str, repository: str = "") -> QuerySet[Any]:
    """Return the rows to export, in the order in which they came; of one repository where it is named."""
    rows: QuerySet[Any] = EXPORTED[kind]._default_manager.exclude(document="").order_by("pk")
    if kind == "entries":
        rows = rows.select_related("repository").prefetch_related("identifiers")
    if not repository:
        return rows
    named = RepositoryQuerySet(Repository).named(repository)
    return rows.filter(pk__in=named) if kind == "repositories" else rows.filter(repository__in=named)


def export_documents(
    rows: QuerySet[Any], *, with_computed: bool = False, with_ids: bool = False
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (name for a file, document) for each row; memory stays at some hundred rows.

    A document is the one that was loaded or made, as JSON values. `with_computed` adds what the API serves beside it,
    `with_ids` the id that the product minted and the aliases that it found, so that another base keeps them.
    """
    releases = _Releases()
    for row in rows.iterator(chunk_size=CHUNK):
        document = row.as_document()
        if with_ids and isinstance(row, ErrorEntry):
            document |= _ids(row, document)
        if with_computed and isinstance(row, ErrorEntry):
            served = served_entry(row, releases.of(row.repository))
            document |= {field: served[field] for field in SERVED_FIELDS}
        yield _name(row), document


class _Releases:
    """What is known of the releases of repositories, each looked up once."""

    def __init__(self) -> None:
        self._known: dict[int, RepositoryReleases] = {}

    def of(self, repository: Repository) -> RepositoryReleases:
        if repository.pk not in self._known:
            self._known[repository.pk] = releases_of(repository)
        return self._known[repository.pk]


def _ids(row: ErrorEntry, document: dict[str, Any]) -> dict[str, Any]:
    others = [identifier.value for identifier in row.identifiers.all() if identifier.value != row.public_id]
    stated = {alias.lower() for alias in document.get("aliases") or []}
    aliases = [*(document.get("aliases") or []), *(alias for alias in others if alias not in stated)]
    return {"id": document.get("id") or row.public_id} | ({"aliases": aliases} if aliases else {})


def _name(row: Any) -> str:
    """Return a name that no other document of its kind has, with `+` where names of repositories have a slash."""
    if isinstance(row, ErrorEntry):
        return row.public_id
    name = f"{row.repository.key}/{row.number}" if isinstance(row, PullRequest) else row.key
    return name.replace("/", "+")
