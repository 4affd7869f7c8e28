"""API: pull requests: the report on one, and the entries that it touched."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from errorkb.api.answers import answer, document_links, one_form
from errorkb.api.operations import READ, Owner, PullRequestNumber, RepositoryName, reading
from errorkb.api.problems import ProblemError
from errorkb.api.shapes.base import NamedRepository
from errorkb.api.shapes.entries import FoundEvidence
from errorkb.api.shapes.pull_requests import (
    FixedErrorFound,
    LinkedEntry,
    NamedPullRequest,
    PullRequestComputed,
    ServedPullRequest,
)
from errorkb.api.summaries import cut_title, entry_url
from errorkb.core.documents import SCHEMA_VERSION
from errorkb.core.fields import MAX_LINE
from errorkb.models import PullRequest, QuotedMessage, Repository
from errorkb.serving.addresses import absolute_url
from errorkb.serving.known_pull_requests import (
    KnownPullRequest,
    TouchedEntry,
    fixed_errors,
    introducing,
    known_pull_request,
    mentions_of,
    touched_entries,
)

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
    introduced, reworded, moved, fixed or removed. One that others name and that has no report yet has nothing but
    `computed`. Former names of a repository redirect to its present one."""
    repository = Repository.objects.named(f"{owner}/{name}").first()
    found = _found(repository, number) if repository else None
    if repository is None or found is None:
        raise ProblemError("unknown-pull-request", "Nobody here names this pull request.")
    if elsewhere := one_form(request, f"/api/pull-requests/{repository.name}/{number}"):
        return elsewhere
    address = found.get_absolute_url()
    body = _document(found) | {
        "computed": _computed(found).model_dump(mode="json"),
        "html_url": absolute_url(address),
        "modified": (found.modified_at if isinstance(found, PullRequest) else repository.touched_at).isoformat(),
    }
    return answer(request, body, links=document_links(address, "pull-request"))


def _found(repository: Repository, number: int) -> PullRequest | KnownPullRequest | None:
    """Return a pull request's report, else what is known of it without one."""
    if number > MAX_LINE:
        return None
    row = PullRequest.objects.filter(repository=repository, number=number).first()
    if row is None:
        return known_pull_request(repository, number)
    row.repository = repository
    return row


def _document(found: PullRequest | KnownPullRequest) -> dict[str, Any]:
    if isinstance(found, PullRequest):
        return found.as_document()
    return {"schema_version": SCHEMA_VERSION, "repository": found.repository.name, "number": found.number}


def _computed(found: PullRequest | KnownPullRequest) -> PullRequestComputed:
    repository, row = found.repository, found if isinstance(found, PullRequest) else None
    mentions = mentions_of(repository.pk, found.number)
    return PullRequestComputed(
        repository=NamedRepository(name=repository.name, html_url=absolute_url(repository.get_absolute_url())),
        url=found.forge_url() or None,
        has_report=row is not None,
        entries=[_linked(touched) for touched in touched_entries(repository.pk, found.number)],
        fixes=[_fixed(quote) for quote in fixed_errors(row)] if row else [],
        introduced_by=[_named(one.repository, one.number, one.text) for one in introducing(row)] if row else [],
        named_by=[_named(one.report.repository, one.report.number, one.text) for one in mentions],
    )


def _linked(touched: TouchedEntry) -> LinkedEntry:
    entry = touched.entry
    return LinkedEntry(
        id=entry.public_id,
        title=cut_title(entry.title),
        repository=entry.repository.name,
        role=touched.role or None,
        named_by=touched.named_by,
        confirmed=touched.is_confirmed,
        commit=touched.commit or None,
        evidence=[FoundEvidence(kind=piece.kind, text=piece.text) for piece in touched.evidence],
        html_url=absolute_url(entry.get_absolute_url()),
        url=entry_url(entry),
    )


def _fixed(quote: QuotedMessage) -> FixedErrorFound:
    is_stated = quote.kind == QuotedMessage.Kind.STATED
    return FixedErrorFound(
        exception_type=quote.exception_type or None,
        message=quote.message,
        named_by="document" if is_stated else "product",
    )


def _named(repository: Repository, number: int, text: str) -> NamedPullRequest:
    address = absolute_url(f"{repository.get_absolute_url()}pulls/{number}/")
    return NamedPullRequest(repository=repository.name, number=number, text=text or None, html_url=address)
