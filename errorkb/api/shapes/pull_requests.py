"""API, shapes: pull requests, their reports and lists of them."""

from typing import Literal

from pydantic import Field

from errorkb.api.shapes.base import Moment, NamedRepository, Shape
from errorkb.api.shapes.entries import FoundEvidence
from errorkb.core.documents import PullRequestDocument, Role


class LinkedEntry(Shape):
    """An entry that a pull request touched."""

    id: str
    title: str = Field(description="exception type and message, cut at 300 characters")
    repository: str
    role: Role | None = Field(description="what the pull request did to the entry")
    named_by: Literal["document", "product"] = Field(description="who says so: the entry's document, or what we found")
    confirmed: bool = Field(description="a person has confirmed what the product found")
    commit: str | None
    evidence: list[FoundEvidence]
    html_url: str
    url: str


class FixedErrorFound(Shape):
    """An error that a report says its pull request fixes."""

    exception_type: str | None
    message: str
    named_by: Literal["document", "product"] = Field(description="`product`: it is quoted in the report's text")


class NamedPullRequest(Shape):
    """A pull request that a report names."""

    repository: str
    number: int
    text: str | None = Field(description="the sentence that says so; null where a field of the document does")
    html_url: str


class PullRequestComputed(Shape):
    """What follows from the document and the rest of the base."""

    repository: NamedRepository
    url: str | None = Field(description="its address on the forge")
    has_report: bool = Field(description="false: nothing is known but that others name it")
    entries: list[LinkedEntry] = Field(description="the entries that it touched, 1,000 at most")
    fixes: list[FixedErrorFound] = Field(description="errors that the report states or quotes as what it fixes")
    introduced_by: list[NamedPullRequest] = Field(description="those that the report says brought the error")
    named_by: list[NamedPullRequest] = Field(description="those whose reports say that this one brought an error")


class ServedPullRequest(PullRequestDocument):
    """A pull request and the report on it: its document, and what the product adds."""

    computed: PullRequestComputed
    html_url: str = Field(description="the page")
    modified: Moment = Field(description="when the document was last changed")


class PullRequestSummary(Shape):
    """A pull request in a list."""

    repository: str
    number: int
    title: str | None = Field(description="cut at 300 characters")
    merged_at: str | None = Field(description="as the report states it")
    risk_flags: list[str]
    entries: int = Field(description="how many entries it touched")
    html_url: str = Field(description="the page of its report")
    url: str = Field(description="the report as JSON")


class KnownNumber(Shape):
    """A pull request that others name and that has no report yet."""

    repository: str
    number: int
    entries: int = Field(description="how many entries it touched")
    html_url: str
    url: str


class PullRequestList(Shape):
    """A page of the pull requests of a repository, the highest number first."""

    pull_requests: list[PullRequestSummary]
    known: list[KnownNumber] = Field(description="those without a report, 100 at most, on the first page of all")
    next: str | None = Field(description="the address of the next page; null on the last")
