"""API: the shapes of the answers, as typed models: what answers are made with, and what OpenAPI says of them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema

from errorkb.core.documents import EntryDocument, PullRequestDocument, RepositoryDocument, Role, Snippet

# As Python writes it, with the zone as +00:00.
Moment = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class Shape(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(frozen=True)


class NamedRepository(Shape):
    """A repository by its present name."""

    name: str = Field(description="owner/name; host/owner/name on other forges than GitHub")
    html_url: str = Field(description="its page")


class Place(Shape):
    """Where the error is thrown."""

    path: str
    line: int | None
    symbol: str = Field(description="the enclosing function or method, qualified; empty at module level")
    pin: str = Field(description="the commit or release that the place is true for")
    html_url: str | None = Field(description="the line on the forge, at the pin")


class EntryStanding(Shape):
    """How far an entry can be trusted, and whether the error still exists."""

    explained: bool = Field(description="has a meaning or a solution")
    reviewed: bool = Field(description="a person has reviewed it")
    removed: bool = Field(description="the site is gone since a release")
    stale: bool = Field(description="the code around the site has changed since its words were written")
    state: Literal["published", "withdrawn"] = Field(description="`withdrawn`: a reviewer has taken it back")


class RelatedEntryLink(Shape):
    """An error that the document names, and the entry that it is, where that is loaded."""

    title: str
    repository: str
    named_by: Literal["document"]
    id: str | None = Field(description="null where no such entry is loaded")
    html_url: str | None


class RelatedFoundEntry(Shape):
    """An entry that the product has found to be related, and why: the strongest reasons first."""

    id: str
    title: str = Field(description="cut at 300 characters")
    repository: str
    reasons: list[Literal["same_function", "near_message", "same_pull_request", "same_file"]] = Field(
        description="`near_message`: the same type, and most words of the message"
    )
    html_url: str


class FoundEvidence(Shape):
    """One piece of what shows that a pull request did something to an entry, in words."""

    kind: str = Field(description="commit, merge, snippet, text, message, file or symbol")
    text: str


class LinkedPullRequest(Shape):
    """A pull request that the document names or that the product found, and its report, where that is loaded."""

    number: int | None = Field(description="null where only the commit is known")
    repository: str
    role: Role | None
    title: str | None = Field(description="null where no report is loaded")
    merged_at: str | None = Field(description="as the report states it")
    html_url: str | None = Field(description="its page here, which it has without a report, too")
    url: str | None = Field(description="its address on the forge, else that of the commit")
    has_report: bool
    named_by: Literal["document", "product"] = Field(description="who says so: the document, or evidence that we found")
    confirmed: bool = Field(description="a person has confirmed what the product found")
    commit: str | None = Field(description="the commit that did it, where git tells")
    committed_at: str | None
    since: str | None = Field(description="the release or commit before, in which it had not happened yet")
    until: str | None = Field(description="the release or commit in which it had happened")
    evidence: list[FoundEvidence]


class FilledSnippet(Snippet):
    """A snippet that was read from the source, where the document has none."""

    origin: str | None = None


class ServedWording(Shape):
    """A text of the error, of the document or of what scans saw."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, serialize_by_alias=True)

    template: str
    message: str | None = Field(description="as the source has it; null where only the template is known")
    from_: str | None = Field(alias="from", description="the first release that is known to have it")
    until: str | None = Field(description="the last release that is known to have it")
    current: bool = Field(description="the document or the newest scan has it")


class ChangedCodeLine(Shape):
    """A line of a difference."""

    change: Literal["same", "removed", "added"]
    line: int = Field(description="its number; of a removed line, in the old file")
    text: str


class CodeChanges(Shape):
    """How the code around the site has changed."""

    since: str = Field(description="the commit or release that the words were written for")
    now: str = Field(description="the newest release that was scanned")
    lines: list[ChangedCodeLine]


class CheckedWords(Shape):
    """Names in the words that were looked up in the source."""

    release: str = Field(description="the release or commit whose source was looked into")
    missing: list[str] = Field(description="names and options that do not occur in it")


class BranchReleases(Shape):
    """The releases of one branch that have the error, by their tags or versions."""

    branch: str = Field(description="the series of its newest release, such as `4.2`")
    first: str
    last: str
    introduced: str | None = Field(description="the first, where the release before is known not to have it")
    removed: str | None = Field(description="the first that no longer has it")


class EntryReleases(Shape):
    """The releases that have the error, by their tags or versions: as scans saw them, else as the document states."""

    first: str | None
    last: str | None
    introduced: str | None = Field(description="the first, where an earlier release is known not to have it")
    removed: str | None = Field(description="the first that no longer has it")
    returned: list[str] = Field(description="those that have it again")
    branches: list[BranchReleases] = Field(description="where releases are known to be on several branches")
    read: int = Field(description="of how many releases it is known whether they have it")


class VersionRange(Shape):
    """A range of versions, as the OSV schema has them."""

    type: Literal["ECOSYSTEM", "SEMVER", "GIT"]
    repo: str | None = Field(None, description="where the repository can be cloned; only of commits")
    events: list[dict[str, str]] = Field(description="`introduced` and `fixed`, in order; no end while it is there")


class EntryComputed(Shape):
    """What follows from the document and the rest of the base; ignored when the answer is loaded again."""

    id: str = Field(description="the public id")
    aliases: list[str] = Field(description="other ids that lead here")
    title: str
    template: str = Field(description="the message in canonical form, slots in braces")
    repository: NamedRepository
    module: str = Field(description="the directory of the path")
    place: Place
    standing: EntryStanding
    wordings: list[ServedWording] = Field(description="every text that it has or had, present ones first")
    releases: EntryReleases
    ranges: list[VersionRange] = Field(description="the same in the shape of OSV")
    versions: list[str] = Field(description="the versions that were read and have it, oldest first")
    related: list[RelatedEntryLink]
    related_found: list[RelatedFoundEntry] = Field(description="found by the product, without those in `related`")
    pull_requests: list[LinkedPullRequest]
    snippet: FilledSnippet | None = Field(None, description="read from the source, where that was at hand; else absent")
    code_changes: CodeChanges | None = Field(None, description="what made it stale; absent where it is not")
    checked: CheckedWords | None = Field(None, description="names in the words, looked up in the source; else absent")
    disagreements: list[str] | None = Field(None, description="what does not agree with the source; else absent")


class ServedEntry(EntryDocument):
    """An entry: its document, field by field as it was loaded, and what the product adds."""

    id: str = Field(description="as the document states it, else the public id")
    computed: EntryComputed
    html_url: str = Field(description="the page")
    modified: Moment = Field(description="when the document was last changed")


class EntrySummary(Shape):
    """An entry in a list."""

    id: str
    title: str = Field(description="exception type and message, cut at 300 characters")
    repository: str
    kind: str
    exception_type: str | None
    code: str | None
    path: str | None
    line: int | None
    symbol: str | None
    module: str | None
    language: str | None = Field(description="of the source")
    explained: bool
    reviewed: bool
    removed: bool
    stale: bool = Field(description="the code around the site has changed since its words were written")
    modified: Moment
    html_url: str = Field(description="the page")
    url: str = Field(description="the whole entry as JSON")


class EntryPage(Shape):
    """A page of a list of entries, in the order in which they came into the base."""

    entries: list[EntrySummary]
    next: str | None = Field(description="the address of the next page; null on the last")
    next_cursor: str | None = Field(description="`cursor` for the next page; null on the last")


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


class Counts(Shape):
    """How many of a repository's public entries and pull requests are loaded."""

    entries: int
    explained: int
    facts_only: int
    reviewed: int
    pull_requests: int


class RepositorySummary(Shape):
    """A repository in a list."""

    name: str
    counts: Counts
    html_url: str = Field(description="the page")
    url: str = Field(description="the repository as JSON")


class RepositoryPage(Shape):
    """A page of the list of repositories, by name."""

    repositories: list[RepositorySummary]
    next: str | None = Field(description="the address of the next page; null on the last")
    next_cursor: str | None = Field(description="`cursor` for the next page; null on the last")


class RepositoryComputed(Shape):
    """What follows from the document and the rest of the base."""

    name: str = Field(description="the present name")
    aliases: list[str] = Field(description="former names, in lower case")
    counts: Counts


class ServedRepository(RepositoryDocument):
    """A repository: its document (only its name, where none was loaded), and what the product adds."""

    computed: RepositoryComputed
    html_url: str = Field(description="the page")
    modified: Moment = Field(description="when the document was last changed")


class SchemaLink(Shape):
    """The JSON Schema of a document."""

    name: str
    url: str


class SchemaIndex(Shape):
    """The documents that are read and served."""

    schema_version: str
    schemas: list[SchemaLink]


class ParameterFault(Shape):
    """One wrong parameter."""

    parameter: str
    expected: str
    found: str | None = Field(description="what was given, as JSON, cut to sixty characters")


class ProblemBody(Shape):
    """What went wrong (RFC 9457)."""

    type: str = Field(description="the kind of problem: an address that describes it")
    title: str = Field(description="the kind of problem in words")
    status: int
    detail: str = Field(description="what was wrong this time")
    instance: str = Field(description="the path that was asked for")
    errors: list[ParameterFault] | None = Field(None, description="only for wrong parameters")
