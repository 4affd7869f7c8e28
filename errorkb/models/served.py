"""Models: what the product works out about an entry and serves beside its document, under `computed`.

One place for every door: the page, the JSON, the export with `--computed` and later match all say the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet

from errorkb.core.forges import RepositoryLinks
from errorkb.models.chunks import in_chunks
from errorkb.models.entries import EntryPullRequest, ErrorEntry
from errorkb.models.pull_requests import PullRequest
from errorkb.models.related import RepositoryTitle, entries_identified, entries_titled
from errorkb.models.repositories import Repository
from errorkb.models.wordings import Wording
from errorkb.models.written_code import code_changes_of

# A document may name thousands of related errors; this many are looked up.
MAX_RELATED = 100


@dataclass(frozen=True)
class RelatedLink:
    """A related error as a document names it, and the entry that it resolves to, None where none is loaded."""

    title: str
    repository: str
    relation: str
    entry: ErrorEntry | None


@dataclass(frozen=True)
class PullRequestLinked:
    """A pull request that a document names: its role, its report's row where one is loaded, its forge address."""

    number: int
    repository: Repository
    role: str
    pull_request: PullRequest | None
    forge_url: str


@dataclass(frozen=True)
class PinnedPlace:
    """Where the error is thrown, and the address of that line at the pin; empty where nothing is known."""

    path: str
    line: int | None
    end_line: int | None
    symbol: str
    pin: str
    url: str


def absolute_url(path: str) -> str:
    """Return the public address of a path of this site."""
    return f"{settings.SITE_URL}{path}"


def stated_place(entry: ErrorEntry, document: Mapping[str, Any]) -> PinnedPlace:
    """Return the throw site that the document states, with its link at the pin and the line."""
    source = document.get("source") or {}
    pin = source.get("commit") or source.get("release") or ""
    place = (source.get("path") or "", source.get("line"), source.get("end_line"), source.get("symbol") or "")
    return _pinned(entry, *place, pin)


def pinned_place(entry: ErrorEntry, document: Mapping[str, Any]) -> PinnedPlace:
    """Return the throw site as it was seen last: by the newest scan, else as the document states it."""
    seen = entry.newest
    if seen is None:
        return stated_place(entry, document)
    return _pinned(entry, seen.path, seen.line, seen.end_line, seen.symbol, seen.scan.pin)


def _pinned(entry: ErrorEntry, path: str, line: int | None, end_line: int | None, symbol: str, pin: str) -> PinnedPlace:
    links = entry.repository.links()
    url = links.blob(path, pin, line=line, end_line=end_line) if links and path and pin else ""
    return PinnedPlace(path, line, end_line, symbol, pin, url)


def related_links(entry: ErrorEntry, document: Mapping[str, Any]) -> tuple[RelatedLink, ...]:
    """Return the related errors that a document names, in its order, each resolved where an entry is loaded.

    By id or alias, else by title: a whole message, or the unique beginning of one, in the repository that it names.
    """
    named = document.get("related") or []
    looked_up = named[:MAX_RELATED]
    repositories = _repositories([item["repository"] for item in looked_up if item.get("repository")])
    titles = [_meant_title(entry, item, repositories) for item in looked_up]
    by_id = entries_identified((item["id"] for item in looked_up if item.get("id")), besides=entry)
    by_title = entries_titled(filter(None, titles), besides=entry)
    found = [
        by_id.get((item.get("id") or "").lower()) or (by_title.get(title) if title else None)
        for item, title in zip(looked_up, titles, strict=True)
    ]
    return tuple(_related_link(entry, item, other) for item, other in zip_longest(named, found))


def linked_pull_requests(entry: ErrorEntry) -> tuple[PullRequestLinked, ...]:
    """Return the pull requests that an entry's document names, in its order."""
    links = list(entry.pull_request_links.values_list("repository_id", "number", "role"))
    owners = {
        pk: row
        for chunk in in_chunks({pk for pk, _, _ in links})
        for pk, row in Repository.objects.in_bulk(chunk).items()
    }
    forge = {pk: row.links() for pk, row in owners.items()}
    reports = {
        (row.repository_id, row.number): row
        for chunk in in_chunks({number for _, number, _ in links})
        for row in PullRequest.objects.filter(number__in=chunk, repository__in=_owners(entry))
    }
    for row in reports.values():
        row.repository = owners[row.repository_id]
    return tuple(
        PullRequestLinked(number, owners[pk], role, reports.get((pk, number)), _address(forge[pk], number))
        for pk, number, role in links
    )


def computed(entry: ErrorEntry) -> dict[str, Any]:
    """Return what is served under `computed`: facts that follow from the document and the rest of the base."""
    document = entry.as_document()
    place = pinned_place(entry, document)
    served: dict[str, Any] = {
        "id": entry.public_id,
        "aliases": _aliases(entry),
        "title": entry.title,
        "template": entry.template,
        "repository": {"name": entry.repository.name, "html_url": absolute_url(entry.repository.get_absolute_url())},
        "module": entry.module,
        "place": {
            "path": place.path,
            "line": place.line,
            "symbol": place.symbol,
            "pin": place.pin,
            "html_url": place.url or None,
        },
        "standing": {
            "explained": entry.explained,
            "reviewed": entry.reviewed,
            "removed": entry.removed,
            "stale": entry.stale,
            "state": entry.state,
        },
        "wordings": [_served_wording(wording) for wording in entry.wordings.all()],
        "related": [_served_related(link) for link in related_links(entry, document)],
        "pull_requests": [_served_pull_request(link) for link in linked_pull_requests(entry)],
    }
    served |= _seen(entry) | _code_changes(entry, document) | _checked(entry)
    filled = {key: value for key, value in entry.filled.items() if key in ("snippet", "disagreements")}
    return served | filled


def served_entry(entry: ErrorEntry) -> dict[str, Any]:
    """Return the body of `/api/errors/<id>`: the document, its id, `computed`, `html_url` and `modified`."""
    document = entry.as_document()
    document.setdefault("id", entry.public_id)
    return document | {
        "computed": computed(entry),
        "html_url": absolute_url(entry.get_absolute_url()),
        "modified": entry.modified_at.isoformat(),
    }


def _owners(entry: ErrorEntry) -> QuerySet[EntryPullRequest, Any]:
    return EntryPullRequest.objects.filter(entry=entry).values("repository")


def _address(links: RepositoryLinks | None, number: int) -> str:
    return links.pull_request(number) if links else ""


def _seen(entry: ErrorEntry) -> dict[str, Any]:
    """Return what scans saw: the newest sighting, its release, and the one that no longer has the error."""
    if entry.newest is None:
        return {}
    seen = entry.newest
    return {
        "sighting": {
            "release": seen.scan.release or None,
            "commit": seen.scan.commit or None,
            "path": seen.path,
            "line": seen.line,
            "end_line": seen.end_line,
            "symbol": seen.symbol,
            "template": seen.template,
            "wordings": seen.wordings,
            "conditions": seen.conditions,
            "signature": seen.signature or None,
            "snippet": seen.snippet or None,
        },
        "removed_in": entry.gone_in or None,
    }


def _code_changes(entry: ErrorEntry, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the code around the site has changed since the words were written, where it has."""
    found = code_changes_of(entry, document) if entry.stale else None
    if found is None:
        return {}
    lines = [{"change": line.change, "line": line.line, "text": line.text} for line in found.lines]
    return {"code_changes": {"since": found.since, "now": found.now, "lines": lines}}


def _checked(entry: ErrorEntry) -> dict[str, Any]:
    """Return which names in the words the source does not have, where somebody has looked."""
    told = {key: entry.checked[key] for key in ("release", "missing") if key in entry.checked}
    return {"checked": told} if told else {}


def _served_wording(wording: Wording) -> dict[str, Any]:
    return {
        "template": wording.template,
        "message": wording.message or None,
        "from": wording.first or None,
        "until": wording.last or None,
        "current": wording.is_current,
    }


def _aliases(entry: ErrorEntry) -> list[str]:
    values = (identifier.value for identifier in entry.identifiers.all())
    return [value for value in values if value != entry.public_id]


def _repositories(names: list[str]) -> dict[str, Repository]:
    if not names:
        return {}
    keys = {name.lower() for name in names}
    rows = Repository.objects.filter(Q(key__in=keys) | Q(aliases__key__in=keys)).prefetch_related("aliases")
    return {key: row for row in rows for key in (row.key, *(alias.key for alias in row.aliases.all()))}


def _meant_title(
    entry: ErrorEntry, item: Mapping[str, Any], repositories: Mapping[str, Repository]
) -> RepositoryTitle | None:
    """Return the title of a related error in the repository that it is meant in, None where either is unknown."""
    repository = repositories.get(item["repository"].lower()) if item.get("repository") else entry.repository
    return RepositoryTitle(repository.pk, item["title"]) if repository and item.get("title") else None


def _related_link(entry: ErrorEntry, item: Mapping[str, Any], found: ErrorEntry | None) -> RelatedLink:
    title = item.get("title") or (found.title if found else item["id"])
    return RelatedLink(title, item.get("repository") or entry.repository.name, item.get("relation") or "", found)


def _served_related(link: RelatedLink) -> dict[str, Any]:
    return {
        "title": link.entry.title if link.entry else link.title,
        "repository": link.entry.repository.name if link.entry else link.repository,
        "named_by": "document",
        "id": link.entry.public_id if link.entry else None,
        "html_url": absolute_url(link.entry.get_absolute_url()) if link.entry else None,
    }


def _served_pull_request(link: PullRequestLinked) -> dict[str, Any]:
    row = link.pull_request
    return {
        "number": link.number,
        "repository": link.repository.name,
        "role": link.role or None,
        "title": row.title if row else None,
        "merged_at": (row.merged_at or None) if row else None,
        "html_url": absolute_url(row.get_absolute_url()) if row else None,
        "url": link.forge_url or None,
    }
