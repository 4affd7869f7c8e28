"""Ingest: sightings as rows: what a site shares with the same site in another release is stored once.

A whole sighting holds what was seen; others of the entry that saw the same, on another line at most, lean on it
(`Sighting.same_as`). It goes along to newer releases, so that the newest one is always whole.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from errorkb.core.site_matching import Evidence
from errorkb.ingest.bulk_rows import insert_rows
from errorkb.ingest.bulk_updates import update_rows
from errorkb.ingest.scanned import first_template
from errorkb.models import ErrorEntry, Scan, Sighting
from errorkb.scanning.sites import ThrowSite

_CONTENT = ("path", "symbol", "template", "wordings", "conditions", "signature")
PLACE = ("scan", "line", "end_line", "evidence", "snippet")
_ALL = (*PLACE, *_CONTENT, "same_as")

# The columns of light sightings, and what stands in those that whole ones fill.
_LIGHT = (
    *("entry_id", "scan_id", "line", "end_line", "evidence", "same_as_id"),
    *("path", "symbol", "template", "signature", "wordings", "conditions", "snippet"),
)
_EMPTY: tuple[Any, ...] = ("", "", "", "", [], [], {})

Content = tuple[Any, ...]


def sighting_of(scan: Scan, entry: int, site: ThrowSite, evidence: str = "") -> Sighting:
    """Return a whole sighting, not stored."""
    return Sighting(
        entry_id=entry,
        scan=scan,
        path=site.path,
        line=site.line,
        end_line=site.end_line,
        symbol=site.symbol,
        template=first_template(site),
        wordings=[{"message": w.message, "template": w.template} for w in site.wordings],
        conditions=list(site.conditions),
        signature=site.signature,
        snippet={"start_line": site.snippet_start, "code": site.snippet} if site.snippet else {},
        evidence=evidence,
    )


class Light(NamedTuple):
    """A sighting that leans on a whole one of its entry: the key of its scan, its lines, and why it is the entry's."""

    whole: Sighting
    scan: int
    line: int
    end_line: int
    evidence: str


def insert_light(rows: Iterable[Light]) -> None:
    """Store light sightings whose whole ones are stored."""
    insert_rows(Sighting, _LIGHT, map(_light_row, rows))


def _light_row(row: Light) -> tuple[Any, ...]:
    evidence = "" if row.evidence == Evidence.SAME else row.evidence
    return (row.whole.entry_id, row.scan, row.line, row.end_line, evidence, row.whole.pk, *_EMPTY)


def content_of(whole: Sighting) -> Content:
    """Return what sightings that lean on this one have in common with it, to be compared."""
    start = whole.snippet.get("start_line", whole.line) - whole.line
    wordings = tuple((wording["message"], wording["template"]) for wording in whole.wordings)
    texts = (whole.path, whole.symbol, whole.template, whole.signature, whole.snippet.get("code", ""))
    return (*texts, start, wordings, tuple(whole.conditions))


def content_of_site(site: ThrowSite) -> Content:
    """Return what `content_of` says of a site's sighting."""
    start = site.snippet_start - site.line if site.snippet else 0
    wordings = tuple((wording.message, wording.template) for wording in site.wordings)
    texts = (site.path, site.symbol, first_template(site), site.signature, site.snippet)
    return (*texts, start, wordings, site.conditions)


def write_sightings(
    scan: Scan, rows: Mapping[int, ErrorEntry], sites: Mapping[int, ThrowSite], evidence: Mapping[int, str]
) -> None:
    """Store what a scan saw of entries, and let `newest` of rows, which is not stored here, be the newest of it.

    Sites and evidence stand by primary keys of entries; rows were loaded with `newest__scan`.
    """
    batch = _SightingBatch(scan, rows)
    for pk, site in sites.items():
        batch.take(sighting_of(scan, pk, site, evidence.get(pk, "")))
    batch.store()


class _SightingBatch:
    def __init__(self, scan: Scan, rows: Mapping[int, ErrorEntry]) -> None:
        self._scan = scan
        self._rows = rows
        stored = Sighting.objects.filter(scan=scan, entry__in=rows).select_related("scan", "same_as")
        self._stored = {sighting.entry_id: sighting for sighting in stored}
        self._fresh: list[Sighting] = []
        self._changed: list[Sighting] = []
        self._light: list[Light] = []

    def take(self, new: Sighting) -> None:
        row = self._rows[new.entry_id]
        newest, stored = row.newest, self._stored.get(new.entry_id)
        if stored is not None:
            self._see_again(stored, new)
            row.newest = stored if newest is None or newest.pk == stored.pk else newest
            return
        is_newer = newest is None or newest.scan.order < self._scan.order
        if newest is None or content_of(newest) != content_of(new):
            self._fresh.append(new)
            row.newest = new if is_newer else newest
        elif is_newer:
            self._light.append(Light(newest, newest.scan_id, newest.line, newest.end_line, newest.evidence))
            move_sighting(newest, new)
            self._changed.append(newest)
        else:
            self._light.append(Light(newest, self._scan.pk, new.line, new.end_line, new.evidence))

    def store(self) -> None:
        update_rows(self._changed, _ALL)
        Sighting.objects.bulk_create(self._fresh)
        insert_light(self._light)

    def _see_again(self, stored: Sighting, new: Sighting) -> None:
        """Let the scan's own sighting of an entry say what it sees now."""
        if content_of(stored.content) != content_of(new):
            release_leaning(stored)
            for name in _CONTENT:
                setattr(stored, name, getattr(new, name))
            stored.same_as = None
        elif (stored.line, stored.end_line) == (new.line, new.end_line):
            return
        stored.line, stored.end_line = new.line, new.end_line
        stored.snippet = stored.snippet if stored.same_as_id else new.snippet
        self._changed.append(stored)


def move_sighting(whole: Sighting, new: Sighting) -> None:
    """Let a whole sighting be of another scan, which saw the same; it is not stored here."""
    for name in PLACE:
        setattr(whole, name, getattr(new, name))


def release_leaning(whole: Sighting, leaning: Iterable[Sighting] | None = None) -> None:
    """Let sightings that lean on one lean on the newest of them instead, as that one is about to change or to go."""
    rows = list(whole.repetitions.order_by("-scan__rank", "-scan") if leaning is None else leaning)
    if not rows:
        return
    heir, *others = rows
    _make_whole(heir, whole)
    for row in others:
        row.same_as = heir
    update_rows([heir, *others], _ALL)


def move_sightings(entry: ErrorEntry, to: ErrorEntry) -> None:
    """Move what was seen of one entry to another; of a scan that saw both, the other's own sighting stays."""
    seen = set(to.sightings.values_list("scan", flat=True))
    rows = list(entry.sightings.select_related("scan").order_by("-scan__rank", "-scan"))
    moving = [row for row in rows if row.scan_id not in seen]
    for whole in (row for row in rows if row.scan_id in seen and row.same_as_id is None):
        release_leaning(whole, [row for row in moving if row.same_as_id == whole.pk])
    Sighting.objects.filter(pk__in=[row.pk for row in moving]).update(entry=to)


def _make_whole(light: Sighting, whole: Sighting) -> None:
    for name in _CONTENT:
        setattr(light, name, getattr(whole, name))
    moved = light.line - whole.line
    light.snippet = whole.snippet and whole.snippet | {"start_line": whole.snippet["start_line"] + moved}
    light.same_as = None
