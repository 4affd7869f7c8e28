"""Ingest: the wordings of entries, with the releases that have each and the keys by which match finds them.

They follow from the entry's document and from what scans saw of it. Every write of either calls `sync_wordings` in
its own transaction.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key
from operator import attrgetter
from typing import Any

from django.db.models import Case, F, TextField, Value, When

from errorkb.core.match_keys import template_keys
from errorkb.core.message_templates import TemplateError, canonical_template, make_template, parse_message
from errorkb.ingest.scan_order import is_newer
from errorkb.models import ErrorEntry, Repository, Scan, Sighting, Wording
from errorkb.models.chunks import in_chunks

# So many wordings of an entry are kept; documents of people have a handful.
MOST_WORDINGS = 200

_COLUMNS = ("template", "message", "first", "last", "is_current", "key", "check_key")
_values = attrgetter("position", *_COLUMNS)

Keys = Mapping[str, tuple[str, str]]


@dataclass
class _Found:
    """A wording on its way: who has it. `scans` are the ranks of scans that saw it."""

    message: str = ""
    first: str = ""
    last: str = ""
    is_current: bool = False
    scans: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class _Order:
    """The scans of several repositories, those of each from the oldest release to the newest."""

    ranks: dict[int, int]
    labels: dict[int, str]


def sync_wordings(entries: Iterable[int], *, anew: bool = False) -> int:
    """Make the wordings of entries, given by primary key, follow from documents and sightings; return how many changed.

    The number of queries grows with the number of entries by chunks only. With `anew`, keys that are stored are
    made again, too.
    """
    return sum(_sync(chunk, anew=anew) for chunk in in_chunks(entries))


def are_missing() -> bool:
    """Say whether entries lack their wordings, as in a base from before there were any; rebuilding comes to the end."""
    last = ErrorEntry.objects.exclude(template="").order_by("-pk").values_list("pk", flat=True).first()
    return last is not None and not Wording.objects.filter(entry=last).exists()


def stray_wordings(entries: Sequence[int]) -> set[int]:
    """Return those of the entries whose stored wordings or keys do not follow."""
    stored = _stored(entries)
    wanted = _wanted(entries, {})
    return {entry for entry in entries if not _agree(stored.get(entry, []), wanted.get(entry, []))}


def _sync(entries: Sequence[int], *, anew: bool) -> int:
    stored = _stored(entries)
    keys = {} if anew else {row.template: (row.key, row.check_key) for rows in stored.values() for row in rows}
    wanted = _wanted(entries, keys)
    changed = [entry for entry in entries if not _agree(stored.get(entry, []), wanted.get(entry, []))]
    if left_over := [entry for entry in changed if _positions(stored, entry) - _positions(wanted, entry)]:
        Wording.objects.filter(entry__in=left_over).delete()
    Wording.objects.bulk_create(
        [row for entry in changed for row in wanted.get(entry, [])],
        update_conflicts=True,
        unique_fields=["entry", "position"],
        update_fields=list(_COLUMNS),
    )
    return len(changed)


def _agree(stored: Sequence[Wording], wanted: Sequence[Wording]) -> bool:
    return list(map(_values, stored)) == list(map(_values, wanted))


def _positions(rows: Mapping[int, Sequence[Wording]], entry: int) -> set[int]:
    return {row.position for row in rows.get(entry, [])}


def _stored(entries: Sequence[int]) -> dict[int, list[Wording]]:
    """Return the wordings in the base by entry, in their order."""
    rows: dict[int, list[Wording]] = defaultdict(list)
    for row in Wording.objects.filter(entry__in=entries).order_by("entry", "position"):
        rows[row.entry_id].append(row)
    return rows


def _wanted(entries: Sequence[int], keys: Keys) -> dict[int, list[Wording]]:
    """Return the wordings that entries should have, in their order; `keys` are those that are known by template."""
    with_wordings = When(document__contains='"wordings"', then=F("document"))
    rows = ErrorEntry.objects.filter(pk__in=entries).values_list(
        "pk",
        "repository_id",
        "newest_id",
        "template",
        "message",
        Case(with_wordings, default=Value(""), output_field=TextField()),
    )
    facts = list(rows.order_by("pk"))
    sightings = _sightings(entries)
    order = _scan_order({repository for _, repository, *_ in facts})
    wanted: dict[int, list[Wording]] = {}
    for pk, _, newest, template, message, document in facts:
        found: dict[str, _Found] = {}
        _add_document(found, template, message, json.loads(document) if document else {})
        _add_sightings(found, sightings.get(pk, []), newest, order)
        wanted[pk] = list(_rows(pk, found, order, keys))
    return wanted


def _sightings(entries: Sequence[int]) -> dict[int, list[tuple[Any, ...]]]:
    rows: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    columns = ("entry_id", "pk", "scan_id", "template", "wordings")
    for entry, *seen in Sighting.objects.filter(entry__in=entries).order_by("pk").values_list(*columns):
        rows[entry].append(tuple(seen))
    return rows


def _scan_order(repositories: set[int]) -> _Order:
    scans: dict[int, list[Scan]] = defaultdict(list)
    told = ("pk", "repository_id", "release", "version", "commit", "committed_at", "at")
    for scan in Scan.objects.filter(repository__in=repositories).only(*told).order_by("pk"):
        scans[scan.repository_id].append(scan)
    several = [repository for repository, found in scans.items() if len(found) > 1]
    for row in Repository.objects.filter(pk__in=several) if several else ():
        scans[row.pk] = _in_order(scans[row.pk], row.tag_format)
    ordered = [scan for found in scans.values() for scan in found]
    return _Order({scan.pk: n for n, scan in enumerate(ordered)}, {n: scan.label for n, scan in enumerate(ordered)})


def _in_order(scans: Sequence[Scan], tag_format: str) -> list[Scan]:
    """Return scans of one repository from the oldest release to the newest."""

    def compare(one: Scan, other: Scan) -> int:
        return is_newer(one, other, tag_format) - is_newer(other, one, tag_format)

    return sorted(scans, key=cmp_to_key(compare))


def _add_document(found: dict[str, _Found], template: str, message: str, document: Mapping[str, Any]) -> None:
    if template:
        found[template] = _Found(message, is_current=True)
    style = document.get("placeholders")
    for wording in (document.get("wordings") or [])[:MOST_WORDINGS]:
        text = _template_of(wording, style)
        if not text:
            continue
        until = wording.get("until") or ""
        known = found.setdefault(text, _Found(wording.get("message") or ""))
        known.first, known.last = wording.get("from") or known.first, until or known.last
        known.is_current = known.is_current or not until


def _template_of(wording: Mapping[str, Any], style: str | None) -> str:
    message = wording.get("message") or ""
    try:
        return canonical_template(message, template=wording.get("template") or None, placeholders=style)
    except TemplateError:
        return make_template(parse_message(message, None))


def _add_sightings(
    found: dict[str, _Found], sightings: Sequence[tuple[Any, ...]], newest: int | None, order: _Order
) -> None:
    """Add what scans saw, the newest sighting's own wordings first, then those of later scans before earlier ones."""
    ranked = sorted(sightings, key=lambda seen: (seen[0] == newest, order.ranks.get(seen[1], -1)), reverse=True)
    for pk, scan, template, wordings in ranked:
        for wording in wordings or [{"template": template}]:
            text = wording.get("template") or ""
            if not text or (text not in found and len(found) >= MOST_WORDINGS):
                continue
            known = found.setdefault(text, _Found(wording.get("message") or ""))
            known.is_current = known.is_current or pk == newest
            if scan in order.ranks:
                known.scans.add(order.ranks[scan])


def _rows(entry: int, found: dict[str, _Found], order: _Order, keys: Keys) -> Iterator[Wording]:
    current_first = sorted(found.items(), key=lambda item: not item[1].is_current)
    for position, (template, wording) in enumerate(current_first):
        key, check_key = keys.get(template) or template_keys(template)
        first = order.labels[min(wording.scans)] if wording.scans else ""
        last = order.labels[max(wording.scans)] if wording.scans else ""
        yield Wording(
            entry_id=entry,
            position=position,
            template=template,
            message=wording.message,
            first=wording.first or first,
            last=wording.last or last,
            is_current=wording.is_current,
            key=key,
            check_key=check_key,
        )
