"""Ingest: a document made ready to be written: validated, its columns and tokens worked out, no database touched."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from errorkb.core.assignment import Place
from errorkb.core.documents import (
    SERVED_FIELDS,
    Document,
    EntryDocument,
    PullRequestDocument,
    RepositoryDocument,
    validate_document,
)
from errorkb.core.identity import Site, module_of
from errorkb.core.match_keys import type_key
from errorkb.core.message_templates import canonical_template
from errorkb.core.pr_reports.agreement import address_problems
from errorkb.core.problems import DocumentError, refuse
from errorkb.core.throw_places import frame_key
from errorkb.models.entries import MESSAGE_KEY_LENGTH
from errorkb.models.sightings import Sighting
from errorkb.search.row_tokens import RowTokens, tokens_for_entry, tokens_for_pull_request

Raw = dict[str, Any]

# A field that only documents of that kind have, to tell somebody who loads with the wrong command.
_TELLTALES = (
    ("message", "entry", "load_entries"),
    ("number", "pull request", "load_pull_requests"),
    ("name", "repository", "load_repositories"),
)


@dataclass(frozen=True)
class Prepared:
    """A document as it was brought: `where` it stood, who writes it, and what is made of it.

    `row` is the primary key of the row that it is a new state of, where that is known (a person edits it); `is_new`
    says that it is none of the rows that there are (a scan has looked at all of them).
    """

    where: str
    writer: str
    raw: Raw
    columns: dict[str, Any]
    tokens: RowTokens | None = None
    row: int | None = None
    is_new: bool = False


def prepare_entry(raw: Raw, *, where: str, writer: str, row: int | None = None, is_new: bool = False) -> Prepared:
    """Validate an entry document and work out its columns and tokens. Raises DocumentError."""
    kept = own_fields(raw)
    document = _validated(EntryDocument, kept)
    return Prepared(where, writer, kept, entry_columns(document), tokens_for_entry(kept), row, is_new)


def prepare_pull_request(raw: Raw, *, where: str, writer: str) -> Prepared:
    """Validate a pull request document and work out its columns and tokens. Raises DocumentError."""
    kept = own_fields(raw)
    document = _validated(PullRequestDocument, kept)
    if problems := address_problems(document):
        raise DocumentError(problems)
    return Prepared(where, writer, kept, pull_request_columns(document), tokens_for_pull_request(kept))


def prepare_repository(raw: Raw, *, where: str, writer: str, row: int | None = None) -> Prepared:
    """Validate a repository document and work out its columns. Raises DocumentError."""
    kept = own_fields(raw)
    return Prepared(where, writer, kept, repository_columns(_validated(RepositoryDocument, kept)), row=row)


def own_fields(raw: Raw) -> Raw:
    """Return the document without what the product serves beside it."""
    return {key: value for key, value in raw.items() if key not in SERVED_FIELDS}


def entry_site(document: EntryDocument) -> Site:
    """Return what an entry's document says that its site is known by."""
    source = document.source
    template = canonical_template(document.message, template=document.template, placeholders=document.placeholders)
    return Site(document.kind or "error", document.exception_type or "", template, (source and source.symbol) or "")


def site_of(columns: Mapping[str, Any]) -> Site:
    """Return the site that columns stand for, of an entry without sightings."""
    return Site(columns["kind"], columns["exception_type"], columns["template"], columns["symbol"])


def entry_columns(document: EntryDocument, *, newest: Sighting | None = None, gone_in: str = "") -> dict[str, Any]:
    """Return the columns of ErrorEntry that its document makes, by name; its place is the newest sighting's."""
    source = document.source
    site = entry_site(document)
    stated = ((source and source.path) or "", source.line if source else None, site.symbol)
    path, line, symbol = (newest.path, newest.line, newest.symbol) if newest else stated
    return {
        "kind": site.kind,
        "exception_type": site.exception_type,
        "code": document.code or "",
        "message": document.message,
        "message_key": document.message[:MESSAGE_KEY_LENGTH],
        "template": site.template,
        "site_key": site.key,
        "document_path": stated[0],
        "path": path,
        "module": module_of(path),
        "line": line,
        "symbol": symbol,
        "language": (source and source.language) or "",
        "explained": bool(document.meaning or document.solutions),
        "reviewed": bool(document.analysis and document.analysis.reviewed),
        "removed": bool(gone_in or (document.releases and document.releases.removed)),
        "state": document.state or "published",
        "frame_key": frame_key(path, symbol),
        "type_key": type_key(site.exception_type),
    }


def entry_place(document: Raw) -> Place:
    """Return where an entry's document says that its site is."""
    source = document.get("source") or {}
    return Place(source.get("path") or "", source.get("line"), source.get("commit") or source.get("release") or "")


def pull_request_columns(document: PullRequestDocument) -> dict[str, Any]:
    """Return the columns of PullRequest that its document makes, by name."""
    return {
        "number": document.number,
        "title": document.title or "",
        "merged_at": document.merged_at or "",
        "merge_commit": document.merge_commit or "",
    }


def repository_columns(document: RepositoryDocument) -> dict[str, Any]:
    """Return the columns of Repository that its document makes, by name."""
    return {
        "name": document.name,
        "key": document.name.lower(),
        "forge": document.forge or "",
        "url": document.url or "",
        "default_branch": document.default_branch or "",
    }


def _validated(model: type[Document], raw: Raw) -> Any:
    found = {kind: command for field, kind, command in _TELLTALES if field in raw}
    if found and model.NAME.replace("-", " ") not in found:
        kind, command = next(iter(found.items()))
        raise refuse("$", f"expected a document of kind {model.NAME}, found one of kind {kind}; load it with {command}")
    return validate_document(model, raw)
