"""Matching: the shortlist: which wordings and entries of the base have anything in common with a pasted text.

A wording is on it whose keys are among the windows of the text; an entry, whose throw site a frame is at, or whose
exception type is named. `core.template_fits` then says whether a wording really stands in the text.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import connection

from errorkb.core.match_keys import TextWindows, is_strong, text_windows, type_key
from errorkb.core.skeletons import Skeleton
from errorkb.core.template_literals import MOST_CHARACTERS
from errorkb.core.throw_places import frame_key
from errorkb.core.tracebacks import Frame
from errorkb.matching.backends import Bounds, Index, index_of
from errorkb.matching.backends.base import WordingRow
from errorkb.models import ErrorEntry

# A text with more windows has so much in common with the base that a wording needs both its keys there.
SMALL_TEXT = 4_000
# So many different frames and types are asked for, those first that are told first.
MOST_FRAMES = 1_000
MOST_TYPES = 200

_BOUNDS = Bounds(rows_per_key=200, rows_seen=2_000, rows=20_000, template=MOST_CHARACTERS)
# Columns that no answer needs, or that are read for the few entries that are shown.
_UNREAD = (
    "owners",
    "filled",
    "checked",
    "repository__document",
    "repository__owners",
    "newest__conditions",
    "newest__signature",
    "newest__wordings",
    "newest__scan__counts",
    "newest__scan__languages",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FoundWording:
    """A wording whose `key` is in the text, at the offsets `places` of its skeleton.

    `wording` and `entry` are primary keys; `template` is its beginning, all that is needed to fit it.
    """

    wording: int
    entry: int
    template: str
    key: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the base has in common with a text.

    `by_frame` and `by_type` are entries (primary keys) at whose site a frame is, or whose type is named; of many, the
    ones without text come first. `cut` says in words which bound was reached; it is empty where none was.
    """

    wordings: tuple[FoundWording, ...] = ()
    by_frame: tuple[int, ...] = ()
    by_type: tuple[int, ...] = ()
    cut: str = ""


def find_candidates(
    skeleton: Skeleton, frames: Iterable[Frame], type_names: Iterable[str], *, repository: int | None = None
) -> Candidates:
    """Return what the base has in common with a text, its frames and its exception types; at most three queries.

    `type_names` may be qualified; `repository` is a primary key. Entries that are not public may be among the
    candidates: `load_entries` leaves them out. Work is bounded: so many windows, rows a key, rows in all.
    """
    index, bounds = index_of(connection), replace(_BOUNDS, repository=repository)
    windows = text_windows(skeleton)
    rows = _wording_rows(index, windows, bounds)
    frame_keys = _first(MOST_FRAMES, (frame_key(frame.path, frame.symbol) for frame in frames))
    type_keys = _first(MOST_TYPES, map(type_key, type_names))
    by_frame, by_type = index.entries(connection, frame_keys, type_keys, bounds)
    return Candidates(
        wordings=tuple(_found(windows, rows)),
        by_frame=_entries(by_frame),
        by_type=_entries(by_type),
        cut=_cut(windows, rows),
    )


def load_entries(keys: Collection[int]) -> dict[int, ErrorEntry]:
    """Return the public ones of entries by primary key, with repository and newest sighting, in one query."""
    entries = ErrorEntry.objects.public().select_related("repository", "newest__scan").defer(*_UNREAD)
    return entries.in_bulk(list(keys)) if keys else {}


def _wording_rows(index: Index, windows: TextWindows, bounds: Bounds) -> list[WordingRow]:
    """Return wordings by their keys: both must be there, but of a small text one that is strong is enough."""
    found = windows.found
    keys = index.known(connection, "key", found)
    if len(found) > SMALL_TEXT:
        return [row for row in index.wordings(connection, keys, (), bounds) if row[4] in found or not row[4]]
    checks = index.known(connection, "check_key", filter(is_strong, found))
    rows = index.wordings(connection, keys, checks, bounds)
    return [row for row in rows if is_strong(row[3]) or row[3] not in found or row[4] in found or not row[4]]


def _found(windows: TextWindows, rows: Sequence[WordingRow]) -> Iterator[FoundWording]:
    by_key = {wording: (entry, template, _key_of(windows, *keys)) for wording, entry, template, *keys in rows}
    places = windows.places({key for _, _, key in by_key.values()})
    for wording, (entry, template, key) in by_key.items():
        yield FoundWording(wording, entry, template, key, tuple(places[key]))


def _key_of(windows: TextWindows, key: str, check_key: str) -> str:
    return key if key in windows.found else check_key


def _first(most: int, keys: Iterable[str]) -> list[str]:
    """Return the first of different keys, empty ones left out."""
    return list(dict.fromkeys(filter(None, keys)))[:most]


def _entries(rows: Iterable[tuple[str, int]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(entry for _, entry in rows))


def _cut(windows: TextWindows, rows: Sequence[WordingRow]) -> str:
    if windows.is_cut:
        return "more different words than are looked up"
    return "more wordings have words of it than are compared" if len(rows) >= _BOUNDS.rows else ""
