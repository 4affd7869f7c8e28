"""Core: the three documents (entry, pull request, repository) as typed models, and their JSON Schemas."""

from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Discriminator, Field, Tag, ValidationError, model_validator

from errorkb.core.fields import (
    Commit,
    DocumentPart,
    Identifier,
    Items,
    LineNumber,
    Moment,
    Name,
    Path,
    PullRequestNumber,
    RepositoryName,
    SchemaVersion,
)
from errorkb.core.message_templates import TemplateError, parse_message, parse_template
from errorkb.core.problems import DocumentError, Problem, problems_of

SCHEMA_VERSION = "1.0"
# What the product works out and serves beside the document; ignored when a served document is loaded again.
SERVED_FIELDS = ("computed", "html_url", "modified")

Kind = Literal["error", "assertion", "warning", "log"]
Placeholders = Literal["percent", "brace", "fstring", "js", "go", "rust"]
State = Literal["draft", "in_review", "published", "withdrawn"]
Role = Literal["introduced", "reworded", "moved", "fixed", "removed", "mentioned"]
Cause = Literal["usage", "configuration", "environment", "resource", "unsupported", "bug"]


class Snippet(DocumentPart):
    start_line: LineNumber
    code: str


class Source(DocumentPart):
    """The throw site, as true at its pin (`commit`, else `release`)."""

    path: Path | None = None
    line: LineNumber | None = None
    end_line: LineNumber | None = None
    symbol: Annotated[str, Field(max_length=600)] | None = None
    commit: Commit | None = None
    release: Name | None = None
    language: Name | None = None
    package: str | None = Field(None, description="package URL (purl)")
    license: str | None = Field(None, description="SPDX expression")
    snippet: Snippet | None = None

    @model_validator(mode="after")
    def _lines_in_order(self) -> "Source":
        if self.line is not None and self.end_line is not None and self.end_line < self.line:
            raise ValueError(f"expected end_line at or after line {self.line}, found {self.end_line}")
        return self


class Wording(DocumentPart):
    message: str | None = None
    template: str | None = None
    from_: Name | None = Field(None, alias="from")
    until: Name | None = None


class ReleaseRange(DocumentPart):
    first: Name | None = None
    last: Name | None = None
    removed: Name | None = None


class Evidence(DocumentPart):
    type: Literal["code", "test", "pull_request", "docs"] | None = None
    url: str | None = None


class Solution(DocumentPart):
    id: str | None = None
    text: str
    kind: Literal["configure", "upgrade", "change_code", "wait", "other"] | None = None
    code: str | None = None
    releases: str | ReleaseRange | Items[str] | None = None
    evidence: Items[Evidence] | None = None


AnySolution = Annotated[
    Annotated[str, Tag("text")] | Annotated[Solution, Tag("object")],
    Discriminator(lambda value: "text" if isinstance(value, str) else "object"),
]


class Example(DocumentPart):
    purpose: str | None = None
    language: str | None = None
    code: str
    caption: str | None = None


class RelatedEntry(DocumentPart):
    """Another entry, by id or by title; a title may be cut, and then resolves as a unique prefix."""

    id: Identifier | None = None
    title: str | None = None
    repository: RepositoryName | None = None
    relation: Literal["same_site", "same_cause", "see_also"] | None = None

    @model_validator(mode="after")
    def _names_something(self) -> "RelatedEntry":
        if not self.id and not self.title:
            raise ValueError("expected an id or a title")
        return self


class PullRequestLink(DocumentPart):
    number: PullRequestNumber
    repository: RepositoryName | None = None
    role: Role | None = None


class Reference(DocumentPart):
    type: str | None = None
    url: str


class Slot(DocumentPart):
    name: str
    kind: str | None = None
    meaning: str | None = None


class Withdrawal(DocumentPart):
    at: Moment | None = None
    reason: str | None = None


class Analysis(DocumentPart):
    """Who or what wrote the words, at which commit, when, and whether a person has reviewed them."""

    method: Literal["human", "ai-assisted", "scanner"] | None = None
    model: str | None = None
    commit: Commit | None = None
    date: Moment | None = None
    reviewed: bool | None = None
    reviewed_by: str | None = None
    reviewed_at: Moment | None = None


class Document(DocumentPart):
    """What all three documents share."""

    NAME: ClassVar[str]

    schema_version: SchemaVersion


class EntryDocument(Document):
    """One error of one repository: facts that a scanner can know, and words that a person or a model wrote."""

    NAME: ClassVar[str] = "entry"

    repository: RepositoryName
    message: str = Field(description="as the source has it, placeholders included; may be empty")
    kind: Kind | None = "error"
    exception_type: Name | None = None
    code: Name | None = None
    id: Identifier | None = None
    aliases: Items[Identifier] | None = None
    template: str | None = None
    placeholders: Placeholders | None = None
    wordings: Items[Wording] | None = None
    source: Source | None = None
    conditions: Items[str] | None = None
    releases: ReleaseRange | None = None
    meaning: str | None = None
    trigger: str | None = None
    common_situations: str | None = None
    solutions: Items[AnySolution] | None = None
    examples: Items[Example] | None = None
    related: Items[RelatedEntry] | None = None
    pull_requests: Items[PullRequestLink] | None = None
    references: Items[Reference] | None = None
    slots: Items[Slot] | None = None
    samples: Items[str] | None = None
    cause: Cause | None = None
    retryable: bool | None = None
    language: Name | None = Field(None, description="of the words, BCP 47")
    tags: Items[str] | None = None
    state: State | None = None
    withdrawn: Withdrawal | None = None
    analysis: Analysis | None = None

    @model_validator(mode="after")
    def _templates_are_canonical(self) -> "EntryDocument":
        try:
            parse_message(self.message, self.placeholders)
        except TemplateError as error:
            raise ValueError(f"message: {error}") from None
        templates = [("template", self.template)]
        templates += [(f"wordings[{n}].template", wording.template) for n, wording in enumerate(self.wordings or [])]
        for name, template in templates:
            try:
                parse_template(template or "")
            except TemplateError as error:
                raise ValueError(f"{name}: {error}") from None
        return self


class KeyFile(DocumentPart):
    path: str
    module: str | None = None
    category: str | None = None
    type: str | None = None
    symbols: Items[str] | None = None
    note: str | None = None


class ReportSnippet(DocumentPart):
    path: str | None = None
    language: str | None = None
    note: str | None = None
    code: str


class Topic(DocumentPart):
    title: str | None = None
    kind: str | None = None
    note: str | None = None


class Discussion(DocumentPart):
    summary: str | None = None
    topics: Items[Topic] | None = None


class Section(DocumentPart):
    heading: str
    body: str


class Report(DocumentPart):
    source_url: str | None = None
    language: Name | None = None
    summary: str | None = None
    recommendation: str | None = None
    motivation: str | None = None
    implementation: Items[str] | None = None
    key_files: Items[KeyFile] | None = None
    key_symbols: Items[str] | None = None
    snippets: Items[ReportSnippet] | None = None
    discussion: Discussion | None = None
    risk: str | None = None
    impact: str | None = None
    risk_flags: Items[str] | None = None
    sections: Items[Section] | None = None


class RelatedPullRequest(DocumentPart):
    number: PullRequestNumber
    repository: RepositoryName | None = None
    title: str | None = None
    note: str | None = None


class PullRequestReference(DocumentPart):
    number: PullRequestNumber
    repository: RepositoryName | None = None


class FixedError(DocumentPart):
    exception_type: Name | None = None
    message: str | None = None


class PullRequestDocument(Document):
    """A pull request and the report on it."""

    NAME: ClassVar[str] = "pull-request"

    repository: RepositoryName
    number: PullRequestNumber
    title: str | None = None
    url: str | None = None
    merged_at: Moment | None = None
    author: str | None = None
    merged_by: str | None = None
    merge_commit: Commit | None = None
    labels: Items[str] | None = None
    introduced_by: PullRequestReference | None = None
    fixes: Items[FixedError] | None = None
    report: Report | None = None
    related: Items[RelatedPullRequest] | None = None


class Release(DocumentPart):
    tag: Name
    version: Name | None = None
    commit: Commit | None = None
    date: Moment | None = None


class RepositoryDocument(Document):
    """A repository, what it was called before, and how its releases are tagged."""

    NAME: ClassVar[str] = "repository"

    name: RepositoryName
    forge: Literal["github", "gitlab", "gitea", "codeberg", "bitbucket"] | None = None
    url: str | None = None
    default_branch: Name | None = None
    aliases: Items[RepositoryName] | None = None
    package: str | None = Field(None, description="package URL (purl)")
    path_prefix: str | None = None
    tag_format: str | None = Field(None, description="such as v{version}")
    license: str | None = Field(None, description="SPDX expression")
    releases: Items[Release] | None = None


D = TypeVar("D", bound=Document)

DOCUMENTS: dict[str, type[Document]] = {
    model.NAME: model for model in (EntryDocument, PullRequestDocument, RepositoryDocument)
}


def validate_document(model: type[D], raw: dict[str, Any]) -> D:
    """Return `raw` as a typed document; its unknown fields are kept under a later minor schema version only.

    Raises DocumentError with one Problem for each fault: JSON path, what was expected, what was found.
    """
    stated = raw.get("schema_version")
    later = isinstance(stated, str) and stated.startswith("1.") and stated != SCHEMA_VERSION
    try:
        return model.model_validate(raw, extra="allow" if later else "forbid")
    except ValidationError as error:
        raise DocumentError(problems_of(error)) from None
    except RecursionError:
        raise DocumentError((Problem("$", "expected at most 64 levels"),)) from None


def json_schema(model: type[Document], *, base_url: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a document, with its address below `base_url` as `$id`."""
    schema = model.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{base_url}/api/schemas/{model.NAME}.json",
        **schema,
    }
