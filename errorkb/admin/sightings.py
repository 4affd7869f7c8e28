"""Admin: what scans saw of an entry, as a table above its form that nobody can type into."""

from dataclasses import dataclass

from errorkb.ingest.sighting_order import newest_sightings
from errorkb.models import ErrorEntry

# So many sightings are listed, and so many characters of a text shown.
SHOWN_SIGHTINGS = 10
TEXT_LENGTH = 120


@dataclass(frozen=True)
class ShownSighting:
    """A row of the table; `evidence` says why the site was taken for this entry's."""

    release: str
    place: str
    symbol: str
    text: str
    evidence: str


def shown_sightings(entry: ErrorEntry) -> tuple[ShownSighting, ...]:
    """Return an entry's sightings, newest release first."""
    return tuple(
        ShownSighting(
            release=sighting.scan.label,
            place=f"{sighting.content.path}:{sighting.line}",
            symbol=sighting.content.symbol,
            text=_shortened(sighting.content.template),
            evidence=sighting.evidence,
        )
        for sighting in newest_sightings(entry)[:SHOWN_SIGHTINGS]
    )


def _shortened(text: str) -> str:
    return text if len(text) <= TEXT_LENGTH else text[: TEXT_LENGTH - 1] + "…"
