"""API: entries: one whole entry at its id, and a list of them with filters."""

import re
from datetime import datetime

from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from ninja import Query, Router

from errorkb.api.answers import answer, document_links, next_link, one_form
from errorkb.api.operations import READ, EntryId, reading
from errorkb.api.problems import ProblemError
from errorkb.api.repositories import covered_key
from errorkb.api.requests.cursors import listing, next_address
from errorkb.api.requests.parameters import STANDINGS, EntryFilters, refuse_strangers
from errorkb.api.shapes.entries import EntryPage, ServedEntry
from errorkb.api.summaries import entry_summary, short_title, with_openings
from errorkb.core.problems import shown
from errorkb.models import ErrorEntry, Repository
from errorkb.search.narrowing import entries_with
from errorkb.serving.computed import served_entry

LIST_ADDRESS = "/api/errors"

_IDENTIFIER = re.compile(r"[0-9a-fA-F]{16}")

# The parameters that compare as the filters of the search do, with the names of those.
_AS_IN_SEARCH = {"exception_type": "type", "path": "path", "module": "module", "language": "lang", "code": "code"}

router = Router(tags=["Entries"])


@router.api_operation(
    READ,
    "/errors/{identifier}",
    **reading(ServedEntry, "unknown-entry", redirects=True, dated=True),
    operation_id="readEntry",
    summary="One entry",
)
def read_entry(request: HttpRequest, identifier: EntryId) -> HttpResponse:
    """The entry's document exactly as it was loaded, and beside it `computed`, `html_url` and `modified`.

    Any letter case of the id and every alias redirect to the one form. A withdrawn entry still answers, and says so in
    `state`; a draft does not.
    """
    return entry_answer(request, identifier, address=LIST_ADDRESS + "/{}")


@require_safe
def entry_as_json(request: HttpRequest, identifier: str) -> HttpResponse:
    """Answer at the address of the page plus `.json` as at the address of the API."""
    return entry_answer(request, identifier, address="/errors/{}.json")


def entry_answer(request: HttpRequest, identifier: str, *, address: str) -> HttpResponse:
    """Return the entry with this id, or the redirect to the one form of `address`. Raises ProblemError."""
    entry = readable_entry(identifier)
    if elsewhere := one_form(request, address.format(entry.public_id)):
        return elsewhere
    changed = last_shown_change(entry)
    links = document_links(entry.get_absolute_url(), "entry")
    return answer(request, served_entry(entry), last_modified=changed, links=links)


def readable_entry(identifier: str) -> ErrorEntry:
    """Return the entry with this id or alias, loaded for its page. Raises ProblemError."""
    if not _IDENTIFIER.fullmatch(identifier):
        raise ProblemError("unknown-entry", f"Expected an id of 16 hex digits, found {shown(identifier)}.")
    entry = ErrorEntry.objects.readable().identified(identifier).for_page().first()
    if entry is None:
        raise ProblemError("unknown-entry", f"No entry has the id {identifier}.")
    return entry


@router.api_operation(
    READ,
    "/errors",
    **reading(EntryPage, "wrong-parameters"),
    operation_id="listEntries",
    summary="Entries, filtered",
)
def list_entries(request: HttpRequest, filters: Query[EntryFilters]) -> HttpResponse:
    """Summaries of the public entries, in the order in which they came into the base, a page at a time."""
    refuse_strangers(request, EntryFilters)
    page = listing(_filtered(filters), by="pk", cursor=filters.cursor, limit=filters.limit)
    address = next_address(LIST_ADDRESS, filters, page.next_cursor)
    body = EntryPage(
        entries=[entry_summary(row, short_title(row)) for row in page.rows], next=address, next_cursor=page.next_cursor
    )
    return answer(request, body.model_dump(mode="json"), links=next_link(address))


def _filtered(filters: EntryFilters) -> QuerySet[ErrorEntry]:
    """Return the public entries for which every filter that is given holds."""
    entries = ErrorEntry.objects.public()
    for name, of_search in _AS_IN_SEARCH.items():
        if value := getattr(filters, name):
            entries = entries_with(entries, of_search, value)
    if filters.kind:
        entries = entries.filter(kind=filters.kind)
    if filters.repository:
        entries = entries.filter(repository=covered_key(filters.repository))
    for standing in filters.standing:
        entries = entries.filter(STANDINGS[standing])
    return with_openings(entries)


def last_shown_change(entry: ErrorEntry) -> datetime:
    """Return when anything that an entry's answer shows was last written.

    That may be anything of any repository, for related entries are found everywhere. It is read before they are: what
    is written meanwhile makes the answer newer than its date, never older.
    """
    latest = Repository.objects.aggregate(latest=Max("touched_at"))["latest"]
    return max(filter(None, (entry.modified_at, entry.repository.touched_at, latest)))
