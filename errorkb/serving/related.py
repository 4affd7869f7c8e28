"""Serving: the related errors that a document names, each with the entry that it means."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.db.models import Q

from errorkb.models import ErrorEntry, Repository
from errorkb.models.related import RepositoryTitle, entries_identified, entries_titled
from errorkb.serving.addresses import absolute_url

# A document may name thousands of related errors; this many are looked up.
MAX_RELATED = 100


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
