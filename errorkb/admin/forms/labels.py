"""Admin, forms: what the fields of documents are called, how they are explained, and in which order they stand.

Fields have dotted names from the document's root, `[]` behind a list: `solutions[].code`.
"""

from collections.abc import Set
from dataclasses import dataclass

# Lists of texts that take several lines each: a row for every text, where other lists have a line for each.
IN_ROWS = frozenset({"conditions", "samples", "report.implementation"})

# What cannot change once the document is stored, by kind of document.
READ_ONLY = {
    "entry": frozenset({"schema_version", "id"}),
    "pull-request": frozenset({"schema_version", "repository", "number"}),
    "repository": frozenset({"schema_version"}),
}

MARKDOWN = frozenset(
    {
        "meaning",
        "trigger",
        "common_situations",
        "solutions[].text",
        "report.summary",
        "report.recommendation",
        "report.motivation",
        "report.implementation[].text",
        "report.key_files[].note",
        "report.snippets[].note",
        "report.discussion.summary",
        "report.discussion.topics[].note",
        "report.risk",
        "report.impact",
        "report.sections[].body",
        "related[].note",
    }
)

CODE = frozenset({"source.snippet.code", "solutions[].code", "examples[].code", "report.snippets[].code"})

# Texts of several lines that are neither; messages may hold line breaks.
LONG = frozenset(
    {
        "message",
        "template",
        "wordings[].message",
        "wordings[].template",
        "conditions[].text",
        "samples[].text",
        "slots[].meaning",
        "withdrawn.reason",
        "fixes[].message",
    }
)

# In a row, these stand folded up behind the others as long as none of them is stated.
FOLDED = {"solutions[]": frozenset({"id", "code", "releases", "evidence"})}

# Texts on one line that are often long, by their own names.
ROOMY = frozenset({"title", "url", "path", "symbol", "source_url", "caption", "heading"})

# One row of such a list is called this.
SINGULAR = {
    "aliases": "alias",
    "examples": "example",
    "fixes": "error that it fixes",
    "pull_requests": "pull request",
    "report.discussion.topics": "topic",
    "report.implementation": "step",
    "report.key_files": "key file",
    "related": "related error",
    "solutions[].evidence": "piece of evidence",
}

LABELS = {
    "id": "Id",
    "code": "Error code",
    "common_situations": "Common situations",
    "conditions[].text": "Condition",
    "source.commit": "Pinned commit",
    "source.release": "Pinned release",
    "source.package": "Package (purl)",
    "source.license": "Licence (SPDX)",
    "package": "Package (purl)",
    "license": "Licence (SPDX)",
    "url": "Address",
    "related[].id": "Id",
    "samples[].text": "Sample",
    "report.source_url": "Address of the report",
    "report.implementation[].text": "Step",
    "solutions[].id": "Id",
    "solutions[].releases.named": "Releases by name",
    "fixes": "Errors that it fixes",
    "language": "Language of the words",
    "report.language": "Language of the report",
    "withdrawn.at": "Withdrawn at",
}

NOTES = {
    "repository": "owner/name; host/owner/name on another forge than GitHub",
    "name": "owner/name; host/owner/name on another forge than GitHub. The old name keeps leading here.",
    "message": "As the source has it, placeholders included. It may be empty.",
    "kind": "Not stated: an error.",
    "code": "Where the field has one, such as E0277 or fields.E304.",
    "id": "16 hex digits. Left empty, one is made.",
    "aliases": "What leads here too, one a line.",
    "template": "The message with its slots: {name}, literal braces doubled. To name the placeholders is easier.",
    "placeholders": "How the message marks its slots. With neither this nor a template it is literal.",
    "wordings": "The same error in other words: by condition, or in other releases.",
    "source": "The throw site, as it is at the pin.",
    "source.symbol": "The qualified name of the function or method; empty at module level.",
    "conditions": "What a scanner read around the site.",
    "releases.first": "The first release that has it.",
    "releases.last": "The last release that has it.",
    "releases.removed": "The release without it.",
    "solutions[].releases.named": "In words, or one a line; rather than first, last and removed.",
    "related[].id": "This or a title. The beginning of a title will do, if only one message begins so.",
    "slots": "What the message's placeholders stand for.",
    "samples": "Texts that must match this entry.",
    "tags": "One a line.",
    "language": "BCP 47, such as en or zh-hans.",
    "state": "Not stated: published. To withdraw, choose withdrawn and say why below.",
    "withdrawn": "Left empty where the state becomes withdrawn, time and reason of the change are filled in.",
    "analysis": "Who or what wrote the words, at which commit, and whether a person has reviewed them.",
    "labels": "One a line.",
    "report.key_symbols": "One a line.",
    "report.key_files[].symbols": "One a line.",
    "report.risk_flags": "One a line.",
    "report.sections": "Sections of the report that have no place above.",
    "tag_format": "How a version becomes a tag, such as v{version}.",
    "path_prefix": "Put before each path of a scan.",
}


@dataclass(frozen=True)
class Section:
    """A part of the page: its heading, and the top-level fields below it."""

    title: str
    fields: tuple[str, ...]

    @property
    def anchor(self) -> str:
        return self.title.lower().replace(" ", "-")


SECTIONS = {
    "entry": (
        Section(
            "The error",
            ("id", "repository", "kind", "exception_type", "code", "message", "template", "placeholders", "wordings"),
        ),
        Section("What it means", ("meaning", "trigger", "common_situations")),
        Section("Solutions", ("solutions",)),
        Section("Examples", ("examples",)),
        Section("Links", ("related", "pull_requests", "references")),
        Section("Source", ("source", "conditions", "releases")),
        Section("For matching", ("slots", "samples", "aliases")),
        Section("Facts and tags", ("cause", "retryable", "tags", "language")),
        Section("Standing", ("state", "withdrawn", "analysis", "schema_version")),
    ),
    "pull-request": (
        Section(
            "The pull request",
            ("repository", "number", "title", "url", "merged_at", "author", "merged_by", "merge_commit", "labels"),
        ),
        Section("The report", ("report",)),
        Section("Links", ("introduced_by", "fixes", "related", "schema_version")),
    ),
    "repository": (
        Section("The repository", ("name", "forge", "url", "default_branch", "aliases")),
        Section("What it holds", ("package", "license", "path_prefix", "tag_format")),
        Section("Releases", ("releases", "schema_version")),
    ),
}


def label_of(place: str) -> str:
    """Return what people call a field: `source.end_line` gives `End line`."""
    return LABELS.get(place) or place.rpartition(".")[2].replace("[]", "").replace("_", " ").capitalize()


def singular_of(place: str, fields: Set[str] = frozenset()) -> str:
    """Return what one row of a list is called: `solutions` gives `solution`; rows with a `number` are pull requests."""
    if place == "related" and "number" in fields:
        return SINGULAR["pull_requests"]
    return SINGULAR.get(place) or label_of(place).lower().removesuffix("s")


def article_of(word: str) -> str:
    """Return the article that stands before a word of ours."""
    return "an" if word[0] in "aeio" else "a"
