"""API: the pull requests of a repository, a page at a time, and those that are known without a report."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from errorkb.api.answers import answer, next_link, one_form
from errorkb.api.operations import READ, Owner, RepositoryName, reading
from errorkb.api.problems import wrong_parameter
from errorkb.api.repositories import LIST_ADDRESS, covered_repository
from errorkb.api.requests.cursors import list_address
from errorkb.api.requests.parameter_errors import ParameterError
from errorkb.api.requests.parameters import PullRequestParameters, refuse_strangers
from errorkb.api.shapes.pull_requests import KnownNumber, PullRequestList, PullRequestSummary
from errorkb.api.summaries import cut_title, pull_request_url
from errorkb.models import PullRequest, Repository
from errorkb.serving.addresses import absolute_url
from errorkb.serving.known_pull_requests import known_numbers
from errorkb.serving.pull_request_lists import PullRequestFilters, flags_of, listed_pull_requests, touched_counts

MOST_KNOWN = 100

router = Router(tags=["Pull requests"])


@router.api_operation(
    READ,
    "/repositories/{leading:owner}/{name}/pull-requests",
    **reading(PullRequestList, "unknown-repository", "wrong-parameters", redirects=True),
    operation_id="listPullRequests",
    summary="Pull requests of a repository",
)
def list_pull_requests(
    request: HttpRequest, owner: Owner, name: RepositoryName, parameters: Query[PullRequestParameters]
) -> HttpResponse:
    """The reports on a repository's pull requests, the highest number first, by words, risk flag, module and date.

    `known` are those that reports or entries name and that have no report yet; they are told on the first page where
    nothing is filtered.
    """
    refuse_strangers(request, PullRequestParameters)
    repository = covered_repository(owner, name)
    address = f"{LIST_ADDRESS}/{repository.name}/pull-requests"
    if elsewhere := one_form(request, address):
        return elsewhere
    body = _page(repository, parameters, address)
    return answer(request, body.model_dump(mode="json"), links=next_link(body.next))


def _page(repository: Repository, parameters: PullRequestParameters, address: str) -> PullRequestList:
    filters = _filters(parameters)
    rows = listed_pull_requests(repository, filters)
    start = (parameters.page - 1) * parameters.limit
    shown = list(rows[start : start + parameters.limit + 1])
    more, shown = len(shown) > parameters.limit, shown[: parameters.limit]
    known = known_numbers(repository)[:MOST_KNOWN] if parameters.page == 1 and filters.are_none else []
    touched = touched_counts(repository, [*(row.number for row in shown), *known])
    flags = flags_of(shown)
    return PullRequestList(
        pull_requests=[_summary(repository, row, flags.get(row.pk, []), touched) for row in shown],
        known=[_known(repository, number, touched[number]) for number in known],
        next=list_address(address, parameters, page=parameters.page + 1) if more else None,
    )


def _filters(parameters: PullRequestParameters) -> PullRequestFilters:
    """Return the filters that are asked for; raise ProblemError where the dates are wrong."""
    filters = PullRequestFilters(parameters.q, parameters.flag, parameters.module, parameters.since, parameters.until)
    if problem := filters.problem():
        raise wrong_parameter(ParameterError("since", f"dates in order, as 2026-08-05 ({problem})"))
    return filters


def _summary(
    repository: Repository, row: PullRequest, flags: list[str], touched: Mapping[int, int]
) -> PullRequestSummary:
    row.repository = repository
    return PullRequestSummary(
        repository=repository.name,
        number=row.number,
        title=cut_title(row.title) or None,
        merged_at=row.merged_at or None,
        risk_flags=flags,
        entries=touched[row.number],
        html_url=absolute_url(row.get_absolute_url()),
        url=pull_request_url(row),
    )


def _known(repository: Repository, number: int, entries: int) -> KnownNumber:
    return KnownNumber(
        repository=repository.name,
        number=number,
        entries=entries,
        html_url=absolute_url(f"{repository.get_absolute_url()}pulls/{number}/"),
        url=absolute_url(f"/api/pull-requests/{repository.name}/{number}"),
    )
