"""Web pages: the head of an entry's page: the way to it, the message, its standing."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.documents import EntryDocument
from errorkb.core.moments import moment_in_words
from errorkb.models import ErrorEntry
from errorkb.serving.places import PinnedPlace
from errorkb.web.pages.entries.sightings import Seen
from errorkb.web.pages.entries.source import place_in_words
from errorkb.web.pages.entries.standings import Standing, standing_of
from errorkb.web.pages.entries.word_checks import ShownCheck
from errorkb.web.pages.facts import SHOWN_ITEMS
from errorkb.web.pages.fragments import Fragments
from errorkb.web.pages.kinds import LISTED_KINDS
from errorkb.web.pages.links import Link
from errorkb.web.pages.messages import message_html

# A message of more characters scrolls in a box of its own.
LONG_MESSAGE = 1_500
# This many directories of the module are named on the way to an entry.
CRUMBS = 2


@dataclass(frozen=True)
class ShownSlot:
    """A slot of the message: its name, and what fills it."""

    name: str
    kind: str
    meaning: SafeString


@dataclass(frozen=True)
class EntryHead:
    """Everything above the first section; `place` stands in for a message that is empty."""

    crumbs: tuple[Link, ...]
    notices: tuple[str, ...]
    type_name: str
    code: str
    message: SafeString
    is_long: bool
    place: str
    standing: Standing
    slots: tuple[ShownSlot, ...]
    traits: tuple[str, ...]
    tags: tuple[str, ...]


def entry_head(
    entry: ErrorEntry,
    document: EntryDocument,
    place: PinnedPlace,
    seen: Seen | None,
    check: ShownCheck | None,
    fragments: Fragments,
    span: str = "",
) -> EntryHead:
    """Return the head of an entry's page; `span` says in which releases scans saw it."""
    doubts = (check.phrase,) if check else ()
    return EntryHead(
        crumbs=tuple(_crumbs(entry)),
        notices=tuple(_notices(document)),
        type_name=entry.exception_type,
        code=entry.code,
        message=message_html(document),
        is_long=len(entry.message) > LONG_MESSAGE,
        place=place.symbol or place_in_words(place),
        standing=standing_of(document, entry.repository.links(), seen, is_stale=entry.stale, doubts=doubts, span=span),
        slots=tuple(_slots(document, fragments)),
        traits=tuple(_traits(document)),
        tags=tuple((document.tags or [])[:SHOWN_ITEMS]),
    )


def _slots(document: EntryDocument, fragments: Fragments) -> Iterator[ShownSlot]:
    for number, slot in enumerate((document.slots or [])[:SHOWN_ITEMS]):
        meaning = fragments.prose.get(f"slots[{number}].meaning", "")
        yield ShownSlot(slot.name, slot.kind or "", mark_safe(meaning))


def _crumbs(entry: ErrorEntry) -> Iterator[Link]:
    """Yield the way to the entry: its repository, and the last two directories of its module."""
    address = entry.repository.get_absolute_url()
    kind = "" if entry.kind in LISTED_KINDS else f"&kind={quote(entry.kind)}"
    yield Link(entry.repository.short_name, address)
    steps = entry.module.split("/") if entry.module else []
    for depth in range(max(0, len(steps) - CRUMBS), len(steps)):
        yield Link(steps[depth], f"{address}?module={quote('/'.join(steps[: depth + 1]), safe='/')}{kind}")


def _notices(document: EntryDocument) -> Iterator[str]:
    if document.state in ("draft", "in_review"):
        yield "Only signed-in curators see this page: the entry is not published yet."
    if document.state == "withdrawn":
        withdrawn = document.withdrawn
        when = f" on {moment_in_words(withdrawn.at)}" if withdrawn and withdrawn.at else ""
        reason = (withdrawn and withdrawn.reason) or "No reason was given."
        yield f"This entry was withdrawn{when}. {reason}"


def _traits(document: EntryDocument) -> Iterator[str]:
    if document.cause:
        yield f"Cause: {document.cause}"
    if document.retryable is not None:
        yield "Trying again may help" if document.retryable else "Trying again does not help"
