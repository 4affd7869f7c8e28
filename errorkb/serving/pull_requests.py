"""Serving: the pull requests of an entry: those that its document names, and those that the product found."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from errorkb.models import ErrorEntry, PullRequest, Repository
from errorkb.models.chunks import in_chunks
from errorkb.serving.addresses import absolute_url
from errorkb.serving.found_pull_requests import Evidence, Found, by_number, evidence_of, judged_of_entry

# Primary key of the repository, number and role.
Named = tuple[int, int, str]
# So many numbers, and so many repositories, are asked for in one query.
_MOST_AT_ONCE = 400
_NOT_BY_GIT = Found(entry=0, repository=0, number=None, role="")


@dataclass(frozen=True)
class PullRequestLinked:
    """A pull request of an entry: its role, its report's row where one is loaded, its forge address.

    `named_by` says who names it; `number` is None where only the commit is known. `evidence` is what the product found,
    `commit` what did it, in the time between the releases or commits `since` and `until`.
    """

    number: int | None
    repository: Repository
    role: str
    pull_request: PullRequest | None
    forge_url: str
    named_by: Literal["document", "product"] = "document"
    evidence: tuple[Evidence, ...] = ()
    commit: str = ""
    committed_at: str = ""
    since: str = ""
    until: str = ""
    is_confirmed: bool = False

    @property
    def page_path(self) -> str:
        """Return the address of its page here, which a pull request without a report has too."""
        return f"{self.repository.get_absolute_url()}pulls/{self.number}/" if self.number else ""


def linked_pull_requests(entry: ErrorEntry) -> tuple[PullRequestLinked, ...]:
    """Return the pull requests that an entry's document names, in its order, then those that the product found.

    What was found of one that the document names is told with it.
    """
    named: list[Named] = list(entry.pull_request_links.values_list("repository_id", "number", "role"))
    found = judged_of_entry(entry.pk)
    owners = _owners({pk for pk, _, _ in named} | {one.repository for one in found})
    reports = _reports(owners, {number for _, number, _ in named} | {one.number for one in found if one.number})
    return (*_named(named, found, owners, reports), *_found(named, found, owners, reports))


def served_pull_request(link: PullRequestLinked) -> dict[str, Any]:
    """Return a pull request as JSON."""
    row = link.pull_request
    return {
        "number": link.number,
        "repository": link.repository.name,
        "role": link.role or None,
        "title": row.title if row else None,
        "merged_at": (row.merged_at or None) if row else None,
        "html_url": absolute_url(link.page_path) if link.page_path else None,
        "url": link.forge_url or None,
        "has_report": row is not None,
        "named_by": link.named_by,
        "confirmed": link.is_confirmed,
        "commit": link.commit or None,
        "committed_at": link.committed_at or None,
        "since": link.since or None,
        "until": link.until or None,
        "evidence": [{"kind": piece.kind, "text": piece.text} for piece in link.evidence],
    }


def _owners(keys: Iterable[int]) -> dict[int, Repository]:
    return {pk: row for chunk in in_chunks(keys) for pk, row in Repository.objects.in_bulk(chunk).items()}


def _reports(owners: dict[int, Repository], numbers: Iterable[int]) -> dict[tuple[int, int], PullRequest]:
    """Return the reports on pull requests of these numbers, by primary key of the repository and number."""
    rows = (
        row
        for chunk in in_chunks(numbers, _MOST_AT_ONCE)
        for homes in in_chunks(owners, _MOST_AT_ONCE)
        for row in PullRequest.objects.filter(number__in=chunk, repository__in=homes).defer("document", "owners")
    )
    found = {(row.repository_id, row.number): row for row in rows}
    for row in found.values():
        row.repository = owners[row.repository_id]
    return found


def _named(
    named: Sequence[Named],
    found: Sequence[Found],
    owners: dict[int, Repository],
    reports: dict[tuple[int, int], PullRequest],
) -> Iterator[PullRequestLinked]:
    told = by_number(found)
    for pk, number, role in named:
        same = [one for one in told.get((pk, number), ()) if not role or one.role in (role, "mentioned")]
        first = next((one for one in same if one.commit), _NOT_BY_GIT)
        yield PullRequestLinked(
            number=number,
            repository=owners[pk],
            role=role or (same[0].role if same else ""),
            pull_request=reports.get((pk, number)),
            forge_url=_address(owners[pk], number, ""),
            evidence=evidence_of(same),
            commit=first.commit,
            committed_at=first.committed_at,
            since=first.since,
            until=first.until,
            is_confirmed=any(one.is_confirmed for one in same),
        )


def _found(
    named: Sequence[Named],
    found: Sequence[Found],
    owners: dict[int, Repository],
    reports: dict[tuple[int, int], PullRequest],
) -> Iterator[PullRequestLinked]:
    roles: dict[tuple[int, int | None], set[str]] = {}
    for pk, number, role in named:
        roles.setdefault((pk, number), set()).add(role)
    for one in found:
        told = roles.get((one.repository, one.number))
        if told and ("" in told or one.role in (*told, "mentioned")):
            continue
        yield PullRequestLinked(
            number=one.number,
            repository=owners[one.repository],
            role=one.role,
            pull_request=reports.get((one.repository, one.number or 0)),
            forge_url=_address(owners[one.repository], one.number, one.commit),
            named_by="product",
            evidence=one.evidence,
            commit=one.commit,
            committed_at=one.committed_at,
            since=one.since,
            until=one.until,
            is_confirmed=one.is_confirmed,
        )


def _address(repository: Repository, number: int | None, commit: str) -> str:
    links = repository.links()
    if links is None:
        return ""
    return links.pull_request(number) if number else links.commit(commit)
