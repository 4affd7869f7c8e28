"""Serving: whether a release has an entry, in words, with the place and the link at that release."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from errorkb.core.releases.answers import Answer, Verdict
from errorkb.models import ErrorEntry, Sighting
from errorkb.models.chunks import in_chunks
from errorkb.models.sightings import seen
from errorkb.serving.addresses import absolute_url
from errorkb.serving.entry_histories import EntryHistory
from errorkb.serving.places import PinnedPlace, pinned, stated_place

# So many pairs of an entry and a scan are looked up by one query.
MOST_ASKED = 300
_COLUMNS = ("entry", "scan", seen("path"), "line", "end_line", seen("symbol"))


class _Where(NamedTuple):
    """Where an entry stands in a scan."""

    path: str
    line: int
    end_line: int
    symbol: str


@dataclass(frozen=True)
class Affected:
    """Whether a release has an entry; `place` is where it stands in the release `release`, None where none shows it."""

    entry: ErrorEntry
    answer: Answer
    release: str = ""
    place: PinnedPlace | None = None

    @property
    def reason(self) -> str:
        """Return the reason as a sentence."""
        text = self.answer.reason
        is_a_word = text.partition(" ")[0].strip(",;:").isalpha()
        return f"{text[:1].upper() if is_a_word else text[:1]}{text[1:]}."


def affected(history: EntryHistory, asked: str) -> Affected:
    """Say whether the release that is asked about has an entry, and where; at most one query."""
    return affected_each([(history, asked)])[0]


def affected_each(asked: Sequence[tuple[EntryHistory, str]]) -> list[Affected]:
    """Say it of many entries, each beside its release, in their order; queries by chunks."""
    answers = [(history, history.answer(text)) for history, text in asked]
    places = _places({(history.entry.pk, scan) for history, told in answers if (scan := _scan_of(history, told))})
    return [_affected(history, told, places) for history, told in answers]


def served_affected(found: Affected, asked: str) -> dict[str, Any]:
    """Return an answer as JSON."""
    place = found.place
    return {
        "answer": str(found.answer.verdict),
        "reason": found.reason,
        "source": _served_place(found.release, place) if place else None,
        "html_url": absolute_url(page_of(found.entry, asked)),
    }


def page_of(entry: ErrorEntry, asked: str) -> str:
    """Return the address of an entry's page that answers for a release."""
    return f"{entry.get_absolute_url()}?{urlencode({'release': asked})}#versions"


def _served_place(release: str, place: PinnedPlace) -> dict[str, Any]:
    return {
        "release": release,
        "path": place.path,
        "line": place.line,
        "symbol": place.symbol,
        "html_url": place.url or None,
    }


def _scan_of(history: EntryHistory, told: Answer) -> int | None:
    return history.scans.get(told.release) if told.verdict is Verdict.YES else None


def _affected(history: EntryHistory, told: Answer, places: Mapping[tuple[int, int], _Where]) -> Affected:
    entry, scan = history.entry, _scan_of(history, told)
    if scan and (entry.pk, scan) in places:
        row = next(row for row in history.releases.scans[told.release] if row.pk == scan)
        return Affected(entry, told, told.release, pinned(entry, *places[entry.pk, scan], row.pin))
    if told.verdict is Verdict.YES and told.told_by_document and (document := entry.as_document()).get("source"):
        place = stated_place(entry, document)
        return Affected(entry, told, history.known.claims.pin or place.pin, place)
    return Affected(entry, told)


def _places(pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], _Where]:
    """Return where entries stand in scans; queries by chunks."""
    found: dict[tuple[int, int], _Where] = {}
    for chunk in in_chunks(sorted(pairs), MOST_ASKED):
        entries, scans = {entry for entry, _ in chunk}, {scan for _, scan in chunk}
        wanted = set(chunk)
        for entry, scan, *place in Sighting.objects.filter(entry__in=entries, scan__in=scans).values_list(*_COLUMNS):
            if (entry, scan) in wanted:
                found[entry, scan] = _Where(*place)
    return found
