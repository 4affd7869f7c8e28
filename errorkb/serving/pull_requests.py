"""Serving: the pull requests that an entry's document names, each with its report where one is loaded."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from errorkb.core.forges import RepositoryLinks
from errorkb.models import EntryPullRequest, ErrorEntry, PullRequest, Repository
from errorkb.models.chunks import in_chunks
from errorkb.serving.addresses import absolute_url


@dataclass(frozen=True)
class PullRequestLinked:
    """A pull request that a document names: its role, its report's row where one is loaded, its forge address."""

    number: int
    repository: Repository
    role: str
    pull_request: PullRequest | None
    forge_url: str


def linked_pull_requests(entry: ErrorEntry) -> tuple[PullRequestLinked, ...]:
    """Return the pull requests that an entry's document names, in its order."""
    links = list(entry.pull_request_links.values_list("repository_id", "number", "role"))
    owners = {
        pk: row
        for chunk in in_chunks({pk for pk, _, _ in links})
        for pk, row in Repository.objects.in_bulk(chunk).items()
    }
    forge = {pk: row.links() for pk, row in owners.items()}
    reports = {
        (row.repository_id, row.number): row
        for chunk in in_chunks({number for _, number, _ in links})
        for row in PullRequest.objects.filter(number__in=chunk, repository__in=_owners(entry))
    }
    for row in reports.values():
        row.repository = owners[row.repository_id]
    return tuple(
        PullRequestLinked(number, owners[pk], role, reports.get((pk, number)), _address(forge[pk], number))
        for pk, number, role in links
    )


def served_pull_request(link: PullRequestLinked) -> dict[str, Any]:
    """Return a pull request as JSON."""
    row = link.pull_request
    return {
        "number": link.number,
        "repository": link.repository.name,
        "role": link.role or None,
        "title": row.title if row else None,
        "merged_at": (row.merged_at or None) if row else None,
        "html_url": absolute_url(row.get_absolute_url()) if row else None,
        "url": link.forge_url or None,
    }


def _owners(entry: ErrorEntry) -> QuerySet[EntryPullRequest, Any]:
    return EntryPullRequest.objects.filter(entry=entry).values("repository")


def _address(links: RepositoryLinks | None, number: int) -> str:
    return links.pull_request(number) if links else ""
