"""Ingest: the wordings of entries, with the releases that have each and the keys by which match finds them.

They follow from the entry's document and from what scans saw of it. Every write of either calls `sync_wordings` in
its own transaction.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import Case, F, Max, Min, TextField, Value, When
from django.db.models.functions import Coalesce

from errorkb.core.match_keys import template_keys
from errorkb.core.stated_wordings import MOST_WORDINGS, FoundWording, current_first, find_stated
from errorkb.models import ErrorEntry, Scan, Sighting, Wording
from errorkb.models.chunks import in_chunks

_COLUMNS = ("template", "message", "first", "last", "is_current", "key", "check_key")
_values = attrgetter("position", *_COLUMNS)

Keys = Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class _Seen:
    """A sighting with what it saw, and the ranks of the first and the last release that have the same."""

    pk: int
    template: str
    wordings: list[dict[str, Any]]
    first: int
    last: int


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
    labels = _labels({repository for _, repository, *_ in facts})
    wanted: dict[int, list[Wording]] = {}
    for pk, repository, newest, template, message, document in facts:
        found = find_stated(template, message, json.loads(document) if document else {})
        _add_sightings(found, sightings.get(pk, []), newest)
        wanted[pk] = list(_rows(pk, found, labels.get(repository, {}), keys))
    return wanted


def _sightings(entries: Sequence[int]) -> dict[int, list[_Seen]]:
    """Return the whole sightings of entries, each with the range of those that are the same."""
    grouped = Sighting.objects.filter(entry__in=entries).order_by().values_list(Coalesce("same_as", "pk"))
    ranges = {pk: (first, last) for pk, first, last in grouped.annotate(Min("scan__rank"), Max("scan__rank"))}
    rows: dict[int, list[_Seen]] = defaultdict(list)
    columns = ("entry_id", "pk", "template", "wordings")
    whole = Sighting.objects.filter(entry__in=entries, same_as=None).order_by("pk")
    for entry, pk, template, wordings in whole.values_list(*columns):
        rows[entry].append(_Seen(pk, template, wordings, *ranges[pk]))
    return rows


def _labels(repositories: set[int]) -> dict[int, dict[int, str]]:
    """Return what the scans of repositories are called, by repository and rank."""
    labels: dict[int, dict[int, str]] = defaultdict(dict)
    told = ("repository_id", "rank", "release", "version", "commit")
    for scan in Scan.objects.filter(repository__in=repositories).only(*told).order_by("pk"):
        labels[scan.repository_id][scan.rank] = scan.label
    return labels


def _add_sightings(found: dict[str, FoundWording], sightings: Sequence[_Seen], newest: int | None) -> None:
    """Add what scans saw, the newest sighting's own wordings first, then those of later scans before earlier ones."""
    for seen in sorted(sightings, key=lambda seen: (seen.pk == newest, seen.last), reverse=True):
        for wording in seen.wordings or [{"template": seen.template}]:
            text = wording.get("template") or ""
            if not text or (text not in found and len(found) >= MOST_WORDINGS):
                continue
            known = found.setdefault(text, FoundWording(wording.get("message") or ""))
            known.is_current = known.is_current or seen.pk == newest
            known.ranks |= {seen.first, seen.last}


def _rows(entry: int, found: dict[str, FoundWording], labels: Mapping[int, str], keys: Keys) -> Iterator[Wording]:
    for position, (template, wording) in enumerate(current_first(found)):
        key, check_key = keys.get(template) or template_keys(template)
        first = labels[min(wording.ranks)] if wording.ranks else ""
        last = labels[max(wording.ranks)] if wording.ranks else ""
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
