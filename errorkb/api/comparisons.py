"""API: what became of a repository's errors between two releases."""

from math import ceil
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from errorkb.api.answers import answer, next_link, one_form
from errorkb.api.operations import READ, Owner, RepositoryName, reading
from errorkb.api.problems import wrong_parameter
from errorkb.api.repositories import LIST_ADDRESS, covered_repository
from errorkb.api.requests.cursors import list_address
from errorkb.api.requests.parameter_errors import ParameterError
from errorkb.api.requests.parameters import ComparisonParameters, refuse_strangers
from errorkb.api.shapes.releases import ChangedEntry, ComparisonAnswer
from errorkb.core.identity import entry_title
from errorkb.core.problems import shown
from errorkb.core.releases.changes import Sight
from errorkb.models import Repository
from errorkb.serving.addresses import absolute_url
from errorkb.serving.comparisons import Comparison, ComparisonError, EntryChange, compare
from errorkb.serving.releases import releases_of

TITLE_LENGTH = 300

router = Router(tags=["Releases"])


@router.api_operation(
    READ,
    "/repositories/{leading:owner}/{name}/compare",
    **reading(ComparisonAnswer, "unknown-repository", "wrong-parameters", redirects=True),
    operation_id="compareReleases",
    summary="Errors that changed between two releases",
)
def compare_releases(
    request: HttpRequest, owner: Owner, name: RepositoryName, parameters: Query[ComparisonParameters]
) -> HttpResponse:
    """The errors that the later release has and the earlier one had not (`added`), whose message is another
    (`reworded`), that are in another file or function (`moved`), and that are gone (`removed`), in this order and by
    path. A line that shifted is no change. What only one of the two releases has read is left out.
    """
    refuse_strangers(request, ComparisonParameters)
    row = covered_repository(owner, name)
    address = f"{LIST_ADDRESS}/{row.name}/compare"
    if elsewhere := one_form(request, address):
        return elsewhere
    found = _compared(row, parameters)
    kind = parameters.kind
    pages = max(1, ceil(found.total(kind) / parameters.limit))
    if parameters.page > pages:
        raise wrong_parameter(ParameterError("page", f"at most {pages}, the last page", str(parameters.page)))
    start = (parameters.page - 1) * parameters.limit
    following = list_address(address, parameters, page=parameters.page + 1) if parameters.page < pages else None
    body = {
        "repository": row.name,
        "from": found.old,
        "to": found.new,
        "counts": found.counts,
        "changes": [_served(change) for change in found.changes(start, start + parameters.limit, kind)],
        "page": parameters.page,
        "pages": pages,
        "next": following,
        "html_url": absolute_url(f"{row.get_absolute_url()}compare/?{urlencode({'from': found.old, 'to': found.new})}"),
    }
    return answer(request, body, links=next_link(following))


def _compared(row: Repository, parameters: ComparisonParameters) -> Comparison:
    try:
        return compare(releases_of(row), parameters.from_, parameters.to, module=parameters.module or "")
    except ComparisonError as error:
        given = parameters.to if error.parameter == "to" else parameters.from_
        wanted = "a later release than `from`" if error.is_swapped else "another release that was read"
        expected = f"{wanted}: {str(error).rstrip('.')}"
        raise wrong_parameter(ParameterError(error.parameter, expected, shown(given))) from None


def _served(change: EntryChange) -> dict[str, Any]:
    sight = change.new or change.old
    title = entry_title(change.exception_type, sight.message, sight.symbol) if sight else ""
    return ChangedEntry(
        kind=change.kind,
        id=change.public_id,
        title=title if len(title) <= TITLE_LENGTH else title[: TITLE_LENGTH - 1] + "…",
        module=change.module,
        old=_side(change.old),
        new=_side(change.new),
        html_url=absolute_url(f"/errors/{change.public_id}/"),
    ).model_dump(mode="json")


def _side(sight: Sight | None) -> dict[str, Any] | None:
    if sight is None:
        return None
    return {"path": sight.path, "line": sight.line, "symbol": sight.symbol, "message": sight.message}
