"""API, shapes: entries, whole and in short."""

from typing import Literal

from pydantic import ConfigDict, Field

from errorkb.api.shapes.base import EntryStanding, Moment, NamedRepository, Place, Shape
from errorkb.core.documents import EntryDocument, Role, Snippet


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
