"""API: repositories: which there are, and how much of each is known."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from errorkb.api.answers import answer, document_links, next_link, one_form
from errorkb.api.operations import READ, Owner, RepositoryName, reading
from errorkb.api.problems import ProblemError, wrong_parameter
from errorkb.api.requests.cursors import listing, next_address
from errorkb.api.requests.parameter_errors import ParameterError
from errorkb.api.requests.parameters import RepositoryParameters, refuse_strangers
from errorkb.api.shapes.repositories import (
    Counts,
    RepositoryComputed,
    RepositoryPage,
    RepositorySummary,
    ServedRepository,
)
from errorkb.core.documents import SCHEMA_VERSION
from errorkb.core.problems import shown
from errorkb.models import ErrorEntry, PullRequest, Repository, RepositoryAlias
from errorkb.serving.addresses import absolute_url

LIST_ADDRESS = "/api/repositories"

router = Router(tags=["Repositories"])


@router.api_operation(
    READ,
    "/repositories",
    **reading(RepositoryPage, "wrong-parameters"),
    operation_id="listRepositories",
    summary="Repositories, with counts",
)
def list_repositories(request: HttpRequest, parameters: Query[RepositoryParameters]) -> HttpResponse:
    """The repositories that this site covers, by name, a page at a time."""
    refuse_strangers(request, RepositoryParameters)
    page = listing(covered_repositories(), by="key", cursor=parameters.cursor, limit=parameters.limit)
    counts = _counts(page.rows)
    address = next_address(LIST_ADDRESS, parameters, page.next_cursor)
    body = RepositoryPage(
        repositories=[_summary(row, counts[row.pk]) for row in page.rows], next=address, next_cursor=page.next_cursor
    )
    return answer(request, body.model_dump(mode="json"), links=next_link(address))


@router.api_operation(
    READ,
    "/repositories/{leading:owner}/{name}",
    **reading(ServedRepository, "unknown-repository", redirects=True),
    operation_id="readRepository",
    summary="One repository",
)
def read_repository(request: HttpRequest, owner: Owner, name: RepositoryName) -> HttpResponse:
    """The repository's document exactly as it was loaded, with counts beside it; only its name, where entries or pull
    requests name it and nobody has described it. Former names redirect to the present one."""
    row = covered_repository(owner, name)
    if elsewhere := one_form(request, f"{LIST_ADDRESS}/{row.name}"):
        return elsewhere
    aliases = RepositoryAlias.objects.filter(repository=row).order_by("key").values_list("key", flat=True)
    computed = RepositoryComputed(name=row.name, aliases=list(aliases), counts=_counts([row])[row.pk])
    body = (row.as_document() or _bare(row)) | {
        "computed": computed.model_dump(mode="json"),
        "html_url": absolute_url(row.get_absolute_url()),
        "modified": row.modified_at.isoformat(),
    }
    return answer(request, body, links=document_links(row.get_absolute_url(), "repository"))


def covered_repository(owner: str, name: str) -> Repository:
    """Return the repository of this name or former name that something public is known of; else raise ProblemError."""
    row = _covered_named(f"{owner}/{name}").first()
    if row is None:
        raise ProblemError("unknown-repository", "No repository of this name is loaded.")
    return row


def covered_repositories() -> QuerySet[Repository]:
    """Return the repositories that something public is known of: one that only a draft names stays untold."""
    entries = ErrorEntry.objects.readable().filter(repository=OuterRef("pk"))
    pulls = PullRequest.objects.filter(repository=OuterRef("pk"))
    return Repository.objects.filter(~Q(document="") | Exists(entries) | Exists(pulls))


def covered_name(name: str) -> str:
    """Return the present name of a repository, given any of its names; raise ProblemError where it is not covered."""
    return _covered(name).name


def covered_key(name: str) -> int:
    """Return the primary key of a repository, given any of its names; raise ProblemError where it is not covered."""
    return _covered(name).pk


def _covered_named(name: str) -> QuerySet[Repository]:
    return covered_repositories().filter(pk__in=Repository.objects.named(name).values("pk"))


def _covered(name: str) -> Repository:
    found = _covered_named(name).only("name").first()
    if found is None:
        raise wrong_parameter(ParameterError("repository", "a repository of /api/repositories", shown(name)))
    return found


def _counts(rows: Iterable[Repository]) -> dict[int, Counts]:
    """Return the counts of repositories by primary key."""
    chosen = Repository.objects.filter(pk__in=[row.pk for row in rows])
    pulls = dict(chosen.annotate(found=Count("pull_requests")).values_list("pk", "found"))
    return {row.pk: _counted(vars(row), pulls[row.pk]) for row in chosen.with_counts()}


def _counted(row: Mapping[str, int], pull_requests: int) -> Counts:
    return Counts(
        entries=row["entry_count"],
        explained=row["explained_count"],
        facts_only=row["entry_count"] - row["explained_count"],
        reviewed=row["reviewed_count"],
        pull_requests=pull_requests,
    )


def _summary(row: Repository, counts: Counts) -> RepositorySummary:
    return RepositorySummary(
        name=row.name,
        counts=counts,
        html_url=absolute_url(row.get_absolute_url()),
        url=absolute_url(f"{LIST_ADDRESS}/{row.name}"),
    )


def _bare(row: Repository) -> dict[str, Any]:
    return {"schema_version": SCHEMA_VERSION, "name": row.name}
