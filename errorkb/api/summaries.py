"""API: entries in short, for lists: without their documents, under titles of bounded length; and addresses."""

from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Left

from errorkb.api.shapes.entries import EntrySummary
from errorkb.core.identity import entry_title
from errorkb.models import ErrorEntry, PullRequest
from errorkb.serving.addresses import absolute_url

TITLE_LENGTH = 300

# A document may have eight megabytes, and a list shows a hundred entries.
_LARGE = ("document", "message", "template", "owners", "filled", "repository__document", "repository__owners")


def with_openings(entries: QuerySet[ErrorEntry]) -> QuerySet[ErrorEntry]:
    """Load what a summary needs and no more: of the message only its beginning."""
    return entries.select_related("repository").annotate(opening=Left("message", TITLE_LENGTH + 1)).defer(*_LARGE)


def entry_summary(entry: ErrorEntry, title: str) -> EntrySummary:
    """Return an entry as lists show it, under a title of bounded length."""
    return EntrySummary(
        id=entry.public_id,
        title=title,
        repository=entry.repository.name,
        kind=entry.kind,
        exception_type=entry.exception_type or None,
        code=entry.code or None,
        path=entry.path or None,
        line=entry.line,
        symbol=entry.symbol or None,
        module=entry.module or None,
        language=entry.language or None,
        explained=entry.explained,
        reviewed=entry.reviewed,
        removed=entry.removed,
        stale=entry.stale,
        modified=entry.modified_at,
        html_url=absolute_url(entry.get_absolute_url()),
        url=entry_url(entry),
    )


def entry_url(entry: ErrorEntry) -> str:
    """Return the public address of the whole entry as JSON."""
    return absolute_url(f"/api/errors/{entry.public_id}")


def pull_request_url(row: PullRequest) -> str:
    """Return the public address of the pull request as JSON."""
    return absolute_url(f"/api/pull-requests/{row.repository.name}/{row.number}")


def short_title(entry: Any) -> str:
    """Return the title of an entry that was loaded with its opening, cut to TITLE_LENGTH characters."""
    return cut_title(entry_title(entry.exception_type, entry.opening, entry.symbol))


def cut_title(title: str) -> str:
    """Return a title of at most TITLE_LENGTH characters."""
    return title if len(title) <= TITLE_LENGTH else title[: TITLE_LENGTH - 1] + "…"
