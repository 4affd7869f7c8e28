"""API: pull requests: the report on one, and the entries that it touched."""

from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Router

from errorkb.api.answers import answer, document_links, one_form
from errorkb.api.operations import READ, Owner, PullRequestNumber, RepositoryName, reading
from errorkb.api.problems import ProblemError
from errorkb.api.shapes import LinkedEntry, NamedRepository, PullRequestComputed, ServedPullRequest
from errorkb.api.summaries import entry_url, short_title, with_openings
from errorkb.core.fields import MAX_LINE
from errorkb.models import ErrorEntry, PullRequest, Repository
from errorkb.serving.addresses import absolute_url

MAX_ENTRIES = 1_000

router = Router(tags=["Pull requests"])


@router.api_operation(
    READ,
    "/pull-requests/{leading:owner}/{name}/{int:number}",
    **reading(ServedPullRequest, "unknown-pull-request", redirects=True),
    operation_id="readPullRequest",
    summary="One pull request",
)
def read_pull_request(
    request: HttpRequest, owner: Owner, name: RepositoryName, number: PullRequestNumber
) -> HttpResponse:
    """The pull request's document exactly as it was loaded, with its report; `computed.entries` are the errors that it
    introduced, reworded, moved, fixed or removed. Former names of a repository redirect to its present one."""
    repository = Repository.objects.named(f"{owner}/{name}").first()
    row = _report(repository, number) if repository else None
    if repository is None or row is None:
        raise ProblemError("unknown-pull-request", "No report on this pull request is loaded.")
    row.repository = repository
    if elsewhere := one_form(request, f"/api/pull-requests/{repository.name}/{number}"):
        return elsewhere
    body = row.as_document() | {
        "computed": _computed(row).model_dump(mode="json"),
        "html_url": absolute_url(row.get_absolute_url()),
        "modified": row.modified_at.isoformat(),
    }
    return answer(request, body, links=document_links(row.get_absolute_url(), "pull-request"))


def _report(repository: Repository, number: int) -> PullRequest | None:
    if number > MAX_LINE:
        return None
    return PullRequest.objects.filter(repository=repository, number=number).first()


def _computed(row: PullRequest) -> PullRequestComputed:
    repository = row.repository
    return PullRequestComputed(
        repository=NamedRepository(name=repository.name, html_url=absolute_url(repository.get_absolute_url())),
        url=row.forge_url() or None,
        entries=[_linked(entry) for entry in _entries(row)],
    )


def _entries(row: PullRequest) -> QuerySet[ErrorEntry]:
    """Return the public entries whose documents name a pull request, once for each role in which they do."""
    naming = ErrorEntry.objects.public().filter(
        pull_request_links__repository=row.repository_id, pull_request_links__number=row.number
    )
    roles = naming.annotate(role=F("pull_request_links__role")).order_by("pk", "pull_request_links__position")
    return with_openings(roles)[:MAX_ENTRIES]


def _linked(entry: ErrorEntry) -> LinkedEntry:
    return LinkedEntry(
        id=entry.public_id,
        title=short_title(entry),
        repository=entry.repository.name,
        role=vars(entry)["role"] or None,
        html_url=absolute_url(entry.get_absolute_url()),
        url=entry_url(entry),
    )
