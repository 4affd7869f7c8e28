"""Web pages: what scans saw of an entry: where it was at each release, how it was worded, and since when it is gone."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from errorkb.core.documents import EntryDocument
from errorkb.core.forges import RepositoryLinks, is_commit
from errorkb.core.message_templates import TemplateError, parse_template
from errorkb.ingest.sighting_order import newest_sightings
from errorkb.models import ErrorEntry, Scan, Sighting
from errorkb.web.pages.links import Link, outside
from errorkb.web.pages.messages import seen_html
from errorkb.web.pages.texts import joined

SHOWN_SIGHTINGS = 20
# So many digits of a commit are said where no release is known.
COMMIT_DIGITS = 10


@dataclass(frozen=True)
class Seen:
    """Where the newest scan saw an entry, and which one no longer found it; empty where every scan did."""

    release: Link
    gone_in: str


@dataclass(frozen=True)
class ShownSighting:
    """A row of the table: the release, the place in it, and the wording where it is another."""

    release: str
    place: Link
    tag: str
    wording: SafeString


@dataclass(frozen=True)
class EntrySightings:
    """The table of sightings, newest first, and what is not in it."""

    rows: tuple[ShownSighting, ...] = ()
    notes: tuple[str, ...] = ()


def pin_in_words(pin: str) -> str:
    """Return a release as it is, a commit by its first digits."""
    return pin[:COMMIT_DIGITS] if is_commit(pin) else pin


def scan_in_words(scan: Scan) -> str:
    """Return the release that a scan read, else its version, else its commit."""
    return pin_in_words(scan.label)


def seen_of(entry: ErrorEntry, links: RepositoryLinks | None) -> Seen | None:
    """Return where scans have seen an entry, None where none has."""
    if entry.newest is None:
        return None
    scan = entry.newest.scan
    url = links.commit(scan.commit) if links and scan.commit else None
    return Seen(outside(scan_in_words(scan), url), pin_in_words(entry.gone_in))


def entry_sightings(entry: ErrorEntry, document: EntryDocument, seen: Seen | None) -> EntrySightings:
    """Return the table of an entry's sightings."""
    if entry.newest is None:
        return EntrySightings()
    found = newest_sightings(entry)
    links, newest = entry.repository.links(), entry.newest
    is_known = _is_wording_of(newest, entry, document)
    notes = [f"No longer found in {seen.gone_in}."] if seen and seen.gone_in else []
    if len(found) > SHOWN_SIGHTINGS:
        notes.append("Older sightings are not listed.")
    rows = (_row(sighting, newest, links, is_known=is_known) for sighting in found[:SHOWN_SIGHTINGS])
    return EntrySightings(tuple(rows), tuple(notes))


def _row(sighting: Sighting, newest: Sighting, links: RepositoryLinks | None, *, is_known: bool) -> ShownSighting:
    pin = sighting.scan.pin
    seen = sighting.content
    url = links.blob(seen.path, pin, line=sighting.line, end_line=sighting.end_line) if links and pin else None
    place = outside(joined((seen.path, str(sighting.line or "")), ":"), url)
    tag = "old wording" if seen.template != newest.template else ""
    if sighting.pk == newest.pk and not is_known:
        tag = "new wording"
    return ShownSighting(scan_in_words(sighting.scan), place, tag, _wording(seen) if tag else SafeString(""))


def _wording(sighting: Sighting) -> SafeString:
    first = sighting.wordings[0]["message"] if sighting.wordings else sighting.template
    return seen_html(first, sighting.template)


def _is_wording_of(sighting: Sighting, entry: ErrorEntry, document: EntryDocument) -> bool:
    """Say whether a sighting has the text that the document states, whatever its slots are called."""
    messages = {wording.get("message") for wording in sighting.wordings}
    return document.message in messages or _literals(sighting.template) == _literals(entry.template)


def _literals(template: str) -> tuple[str | None, ...]:
    try:
        return tuple(part.text if part.slot is None else None for part in parse_template(template))
    except TemplateError:
        return (template,)
