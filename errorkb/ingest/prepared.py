"""Ingest: a document made ready to be written: validated, its columns and tokens worked out.

No database is touched, and Django not needed: processes of their own do this for long loads (errorkb.ingest.preparing).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from errorkb.core.assignment import Place
from errorkb.core.documents import (
    SERVED_FIELDS,
    Document,
    EntryDocument,
    PullRequestDocument,
    RepositoryDocument,
    validate_document,
)
from errorkb.core.identity import MESSAGE_KEY_LENGTH, Site, mint_id, module_of
from errorkb.core.json_documents import content_hash, dump_document
from errorkb.core.match_keys import type_key
from errorkb.core.message_templates import canonical_template
from errorkb.core.pr_reports.agreement import address_problems
from errorkb.core.problems import DocumentError, refuse
from errorkb.core.stated_wordings import StatedWording, stated_wordings
from errorkb.core.throw_places import frame_key
from errorkb.ingest.readers import Found
from errorkb.search.row_tokens import RowTokens, tokens_for_entry, tokens_for_pull_request

if TYPE_CHECKING:
    from errorkb.models import Sighting

Raw = dict[str, Any]

# A field that only documents of that kind have, to tell somebody who loads with the wrong command.
_TELLTALES = (
    ("message", "entry", "load_entries"),
    ("number", "pull request", "load_pull_requests"),
    ("name", "repository", "load_repositories"),
)


class StatedPin(NamedTuple):
    """What a document's source is true for, and the package that it is in; each may be empty."""

    commit: str
    release: str
    package: str


class Meant(NamedTuple):
    """What tells which entry a document means: its ids in lower case, its place, and what it names.

    `given` is its id, "" where it brings none; `minted` the id that its site would be given as the first of its kind.
    `is_silent` says that its message looks as if it had placeholders, of which the document says nothing. `has_links`
    says that it names pull requests, `link_repositories` are their repositories where they are named.
    """

    repository: str
    given: str
    identifiers: tuple[str, ...]
    place: Place
    minted: str
    is_silent: bool
    has_links: bool
    link_repositories: tuple[str, ...]
    pin: StatedPin


@dataclass(frozen=True)
class Prepared:
    """A document as it was brought: `where` it stood, who writes it, and what is made of it.

    `text` is the document as JSON, as its row keeps it, and `content_hash` that of the text. `row` is the primary key
    of the row that it is a new state of, where that is known (a person edits it); `is_new` says that it is none of the
    rows that there are (a scan has looked at all of them). Entries have `meant`, `tokens` and `wordings`.
    """

    where: str
    writer: str
    text: str
    content_hash: str
    columns: dict[str, Any]
    tokens: RowTokens | None = None
    meant: Meant | None = None
    wordings: tuple[StatedWording, ...] = ()
    row: int | None = None
    is_new: bool = False

    @cached_property
    def raw(self) -> Raw:
        """The document; made when it is first asked for, for most are written as they are."""
        loaded: Raw = json.loads(self.text)
        return loaded


class Unchanged(NamedTuple):
    """A document that says what its entry's row keeps: its ids in lower case, the hash that both have.

    `found` are its bytes as they were read.
    """

    where: str
    writer: str
    identifiers: tuple[str, ...]
    content_hash: str
    found: Found | None = None


def find_unchanged(raw: Raw, hashes: Mapping[str, str], *, where: str, writer: str) -> Unchanged | None:
    """Return an entry document as unchanged if its hash is the one that is stored for its id, else None.

    `hashes` are those that are known, by id in lower case.
    """
    stated = raw.get("id")
    known = hashes.get(stated.lower()) if isinstance(stated, str) else None
    if known is None:
        return None
    kept = own_fields(raw)
    _, digest = _text(kept)
    return Unchanged(where, writer, identifiers_of(kept), digest) if digest == known else None


def prepare_entry(raw: Raw, *, where: str, writer: str, row: int | None = None, is_new: bool = False) -> Prepared:
    """Validate an entry document and work out its columns, tokens and wordings. Raises DocumentError."""
    kept = own_fields(raw)
    document = _validated(EntryDocument, kept)
    site = entry_site(document)
    return Prepared(
        where,
        writer,
        *_text(kept),
        columns=_columns(document, site),
        tokens=tokens_for_entry(kept),
        meant=_meant(kept, site),
        wordings=stated_wordings(site.template, document.message, kept),
        row=row,
        is_new=is_new,
    )


def prepare_pull_request(raw: Raw, *, where: str, writer: str) -> Prepared:
    """Validate a pull request document and work out its columns and tokens. Raises DocumentError."""
    kept = own_fields(raw)
    document = _validated(PullRequestDocument, kept)
    if problems := address_problems(document):
        raise DocumentError(problems)
    columns = pull_request_columns(document)
    return Prepared(where, writer, *_text(kept), columns=columns, tokens=tokens_for_pull_request(kept))


def prepare_repository(raw: Raw, *, where: str, writer: str, row: int | None = None) -> Prepared:
    """Validate a repository document and work out its columns. Raises DocumentError."""
    kept = own_fields(raw)
    columns = repository_columns(_validated(RepositoryDocument, kept))
    return Prepared(where, writer, *_text(kept), columns=columns, row=row)


def _text(raw: Raw) -> tuple[str, str]:
    text = dump_document(raw)
    return text, content_hash(text)


def _meant(raw: Raw, site: Site) -> Meant:
    untold = raw.get("template") is None and raw.get("placeholders") is None
    links = raw.get("pull_requests") or ()
    return Meant(
        repository=raw["repository"],
        given=(raw.get("id") or "").lower(),
        identifiers=identifiers_of(raw),
        place=entry_place(raw),
        minted=mint_id(raw["repository"], site, 0),
        is_silent=untold and ("%" in raw["message"] or "{" in raw["message"]),
        has_links=bool(links),
        link_repositories=tuple(link["repository"] for link in links if link.get("repository")),
        pin=stated_pin(raw),
    )


def identifiers_of(raw: Raw) -> tuple[str, ...]:
    """Return a document's id and aliases, in their one form."""
    given = [raw.get("id"), *(raw.get("aliases") or [])]
    return tuple(identifier.lower() for identifier in given if identifier)


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


def entry_columns(document: EntryDocument, *, newest: "Sighting | None" = None, gone_in: str = "") -> dict[str, Any]:
    """Return the columns of ErrorEntry that its document makes, by name; its place is the newest sighting's."""
    return _columns(document, entry_site(document), newest, gone_in)


def _columns(
    document: EntryDocument, site: Site, newest: "Sighting | None" = None, gone_in: str = ""
) -> dict[str, Any]:
    source = document.source
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


def stated_pin(raw: Raw) -> StatedPin:
    """Return what an entry's document says that its source is true for."""
    source = raw.get("source") or {}
    return StatedPin(source.get("commit") or "", source.get("release") or "", source.get("package") or "")


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
