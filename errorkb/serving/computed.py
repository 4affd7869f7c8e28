"""Serving: what the product works out about an entry and serves beside its document, under `computed`."""

from collections.abc import Mapping
from typing import Any

from errorkb.models import ErrorEntry, Wording
from errorkb.models.written_code import code_changes_of
from errorkb.serving.addresses import absolute_url
from errorkb.serving.entry_histories import entry_history, served_range
from errorkb.serving.places import pinned_place
from errorkb.serving.pull_requests import linked_pull_requests, served_pull_request
from errorkb.serving.related import related_found, related_links, served_found, served_related
from errorkb.serving.releases import RepositoryReleases


def computed(entry: ErrorEntry, releases: RepositoryReleases | None = None) -> dict[str, Any]:
    """Return what is served under `computed`: facts that follow from the document and the rest of the base.

    `releases` are those of its repository, which are looked up where they are not given.
    """
    document = entry.as_document()
    place = pinned_place(entry, document)
    links, pulls = related_links(entry, document), linked_pull_requests(entry)
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
        **served_range(entry_history(entry, releases)),
        "related": [served_related(link) for link in links],
        "related_found": [served_found(found) for found in related_found(entry, links, pulls)],
        "pull_requests": [served_pull_request(link) for link in pulls],
    }
    served |= _seen(entry) | _code_changes(entry, document) | _checked(entry)
    filled = {key: value for key, value in entry.filled.items() if key in ("snippet", "disagreements")}
    return served | filled


def served_entry(entry: ErrorEntry, releases: RepositoryReleases | None = None) -> dict[str, Any]:
    """Return the body of `/api/errors/<id>`: the document, its id, `computed`, `html_url` and `modified`."""
    document = entry.as_document()
    document.setdefault("id", entry.public_id)
    return document | {
        "computed": computed(entry, releases),
        "html_url": absolute_url(entry.get_absolute_url()),
        "modified": entry.modified_at.isoformat(),
    }


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
