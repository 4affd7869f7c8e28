"""Serving: the errors related to an entry: those that its document names, and those that the product has found."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.db.models import Q
from django.db.models.functions import Left

from errorkb.core.identity import entry_title
from errorkb.models import ErrorEntry, Repository
from errorkb.models.related import RepositoryTitle, entries_identified, entries_titled
from errorkb.search.related import relations_of
from errorkb.serving.addresses import absolute_url
from errorkb.serving.pull_requests import PullRequestLinked

# A document may name thousands of related errors; this many are looked up.
MAX_RELATED = 100
TITLE_LENGTH = 300
_LARGE = ("document", "message", "template", "owners", "filled", "repository__document", "repository__owners")


@dataclass(frozen=True)
class RelatedLink:
    """A related error as a document names it, and the entry that it resolves to, None where none is loaded."""

    title: str
    repository: str
    relation: str
    entry: ErrorEntry | None


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


def served_related(link: RelatedLink) -> dict[str, Any]:
    """Return a related error as JSON."""
    return {
        "title": link.entry.title if link.entry else link.title,
        "repository": link.entry.repository.name if link.entry else link.repository,
        "named_by": "document",
        "id": link.entry.public_id if link.entry else None,
        "html_url": absolute_url(link.entry.get_absolute_url()) if link.entry else None,
    }


@dataclass(frozen=True)
class RelatedFound:
    """A related entry that the product has found, its title, cut, and why, as errorkb.search.related says it."""

    entry: ErrorEntry
    title: str
    reasons: tuple[str, ...]


def related_found(
    entry: ErrorEntry, links: Iterable[RelatedLink], pull_requests: Iterable[PullRequestLinked]
) -> tuple[RelatedFound, ...]:
    """Return the entries that the product finds to be related, the nearest first, without those that are named.

    `links` are what the document names, `pull_requests` what touched the entry.
    """
    named = [link.entry.pk for link in links if link.entry]
    touching = dict.fromkeys((one.repository.pk, one.number) for one in pull_requests if one.number is not None)
    relations = relations_of(entry, list(touching), besides=named)
    if not relations:
        return ()
    wanted = ErrorEntry.objects.filter(pk__in=[relation.key for relation in relations])
    opened = wanted.select_related("repository").annotate(opening=Left("message", TITLE_LENGTH + 1))
    rows = {row.pk: row for row in opened.defer(*_LARGE)}
    return tuple(
        RelatedFound(rows[one.key], _short_title(rows[one.key]), one.reasons) for one in relations if one.key in rows
    )


def served_found(found: RelatedFound) -> dict[str, Any]:
    """Return a related entry that was found as JSON."""
    return {
        "id": found.entry.public_id,
        "title": found.title,
        "repository": found.entry.repository.name,
        "reasons": list(found.reasons),
        "html_url": absolute_url(found.entry.get_absolute_url()),
    }


def _short_title(row: Any) -> str:
    title = entry_title(row.exception_type, row.opening, row.symbol)
    return title if len(title) <= TITLE_LENGTH else title[: TITLE_LENGTH - 1] + "\u2026"


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
