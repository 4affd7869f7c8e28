"""Core, pull request reports: whether a document's addresses are those of the pull request that it is about."""

from collections.abc import Iterator

from errorkb.core.documents import PullRequestDocument
from errorkb.core.pr_reports.references import take_reference
from errorkb.core.problems import Problem


def address_problems(document: PullRequestDocument) -> tuple[Problem, ...]:
    """Return what is wrong with the addresses of a document: its own, and that of its report's source.

    An address that names no pull request is nothing to say; the source of a report may be any other site.
    """
    return tuple(_problems(document))


def _problems(document: PullRequestDocument) -> Iterator[Problem]:
    own = take_reference(document.url or "")
    if own and own[0].number != document.number:
        yield _problem("$.url", document, own[0].number)
    source = take_reference((document.report and document.report.source_url) or "")
    if source and source[0].number != document.number and _is_same(source[0].repository, document.repository):
        yield _problem("$.report.source_url", document, source[0].number)


def _problem(path: str, document: PullRequestDocument, number: int) -> Problem:
    return Problem(path, f"expected the address of pull request {document.number}, found that of {number}")


def _is_same(named: str | None, repository: str) -> bool:
    """Say whether an address names a repository, on whatever site."""
    named, repository = (named or "").lower(), repository.lower()
    return named == repository or named.endswith(f"/{repository}")
