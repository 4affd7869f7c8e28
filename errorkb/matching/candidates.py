"""Matching: the shortlist: which wordings and entries of the base have anything in common with a pasted text.

A wording is on it whose keys are among the windows of the text; an entry, whose throw site a frame is at, or whose
exception type is named. `core.template_fits` then says whether a wording really stands in the text.
"""

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection

from errorkb.core.match_keys import MOST_PLACES, TextWindows, is_strong, type_key
from errorkb.core.template_literals import MOST_CHARACTERS
from errorkb.core.throw_places import frame_key
from errorkb.core.tracebacks import Frame
from errorkb.matching.backends import Index, KeyedWordings, WordingRow, index_of

# A text with more windows has so much in common with the base that a wording needs both its keys there.
SMALL_TEXT = 4_000
# One key is enough only where so few different other keys go with it, of those that are looked at.
MOST_ALONE = 8
MOST_ALONE_SEEN = 20
# So many wordings of one key are looked at; of a weak one, without a second key; and so many in all.
MOST_OF_KEY = 200
MOST_OF_WEAK_KEY = 40
MOST_WORDINGS = 20_000
# The two keys of a wording that is in the text are not farther apart than this, in letters.
MOST_APART = 1_000
# So many wordings of a key are looked at where only those of one repository are wanted.
MOST_OF_KEY_SEEN = 2_000
# So many different frames and types are asked for, those first that are told first, and so many entries of each: with a
# type that hundreds have, it is the frames and the text that tell which of them.
MOST_FRAMES = 1_000
MOST_TYPES = 200
MOST_OF_FRAME = 200
MOST_OF_TYPE = 100
# Two keys of a wording, the one at which it is fitted first.
Keys = tuple[str, str]


class FoundTemplate(NamedTuple):
    """A template whose `key` is in the text, at the offsets `places` of its skeleton, and the wordings that are it.

    `template` is its beginning, which is all that is needed to fit it.
    """

    template: str
    key: str
    places: Sequence[int]
    wordings: list[WordingRow]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the base has in common with a text.

    `by_frame` and `by_type` are entries (primary keys) at whose site a frame is, or whose type is named; of too
    many, the ones without text. `cut` says in words which bound was reached; it is empty where none was.
    """

    templates: tuple[FoundTemplate, ...] = ()
    by_frame: tuple[int, ...] = ()
    by_type: tuple[int, ...] = ()
    cut: str = ""


def find_candidates(
    windows: TextWindows, frames: Iterable[Frame], type_names: Iterable[str], *, repository: int | None = None
) -> Candidates:
    """Return what the base has in common with the windows of a text, its frames and its exception types; three queries.

    `type_names` may be qualified; `repository` is a primary key. Entries that are not public may be among the
    candidates: `load_sites` leaves them out. Work is bounded: so many windows, wordings of a key, wordings in all.
    """
    index = index_of(connection)
    chosen = _chosen(index, windows.found, MOST_OF_KEY if repository is None else MOST_OF_KEY_SEEN)
    places = _places(windows, chosen)
    wordings = index.wordings(connection, list(places)[:MOST_WORDINGS], MOST_CHARACTERS, repository)
    frame_keys = _first(MOST_FRAMES, (frame_key(frame.path, frame.symbol) for frame in frames))
    type_keys = _first(MOST_TYPES, map(type_key, type_names))
    entries = (frame_keys, MOST_OF_FRAME), (type_keys, MOST_OF_TYPE)
    by_frame, by_type = index.entries(connection, *entries, repository)
    return Candidates(
        templates=tuple(_templates(wordings, chosen, places)),
        by_frame=tuple(dict.fromkeys(by_frame)),
        by_type=tuple(dict.fromkeys(by_type)),
        cut=_cut(windows, places),
    )


def _chosen(index: Index, windows: Set[str], most: int) -> dict[int, Keys]:
    """Return the wordings that are worth a closer look, the best first, each with the keys of it that are in the text.

    The second one is empty where the first is all that there is, or enough.
    """
    is_small = len(windows) <= SMALL_TEXT
    strong = list(filter(is_strong, windows)) if is_small else []
    by_key, by_check = index.keyed(connection, (windows, most), (strong, MOST_ALONE_SEEN))
    chosen = {
        int(wording): (key, check_key)
        for key, found in by_key.items()
        for wording, check_key in zip(*found, strict=True)
        if check_key in windows
    }
    for key, found in by_key.items():
        if "" in found[1]:
            chosen.update(dict.fromkeys(_without_check(key, found), (key, "")))
    if is_small:
        for key, (wordings, _) in _few([*by_key.items(), *by_check.items()]):
            chosen.update({one: (key, "") for one in map(int, wordings) if one not in chosen})
    return chosen


def _places(windows: TextWindows, chosen: Mapping[int, Keys]) -> dict[int, list[int]]:
    """Return where the first keys of wordings are; of those with two keys, where the other one is not far away."""
    places = windows.places({key for keys in chosen.values() for key in keys if key})
    near: dict[Keys, list[int]] = {}
    for keys in chosen.values():
        if keys not in near:
            near[keys] = _near(places[keys[0]], places[keys[1]]) if keys[1] else places[keys[0]]
    return {wording: near[keys] for wording, keys in chosen.items() if near[keys]}


def _templates(
    rows: Iterable[WordingRow], chosen: Mapping[int, Keys], places: Mapping[int, Sequence[int]]
) -> Iterable[FoundTemplate]:
    """Return the templates of wordings, each once for all wordings that are found by the same key of it."""
    found: dict[Keys, FoundTemplate] = {}
    for row in rows:
        wording, _, template, _ = row
        key = chosen[wording][0]
        known = found.get((template, key))
        if known is None:
            found[template, key] = FoundTemplate(template, key, places[wording], [row])
        else:
            known.wordings.append(row)
    return found.values()


def _near(ones: Sequence[int], others: Sequence[int]) -> list[int]:
    """Return those of ascending offsets that have one of the others near.

    Of a key that is there more often than is told, nobody knows what is behind the last place.
    """
    known = others[-1] if len(others) == MOST_PLACES else math.inf
    return [one for one in ones if one > known or _has_near(one, others)]


def _has_near(one: int, others: Sequence[int]) -> bool:
    first = bisect_left(others, one - MOST_APART)
    return first < len(others) and others[first] <= one + MOST_APART


def _without_check(key: str, found: KeyedWordings) -> list[int]:
    """Return the wordings that have a key and no other; of a weak key, the first ones."""
    alone = [int(wording) for wording, check_key in zip(*found, strict=True) if not check_key]
    return alone if is_strong(key) else alone[:MOST_OF_WEAK_KEY]


def _few(groups: Iterable[tuple[str, KeyedWordings]]) -> Iterator[tuple[str, KeyedWordings]]:
    """Yield strong keys, and their wordings, that so few have that they say enough alone."""
    for key, found in groups:
        if is_strong(key) and len(set(found[1])) <= MOST_ALONE:
            yield key, found


def _first(most: int, keys: Iterable[str]) -> list[str]:
    """Return the first of different keys, empty ones left out."""
    return list(dict.fromkeys(filter(None, keys)))[:most]


def _cut(windows: TextWindows, chosen: Collection[int]) -> str:
    if windows.is_cut:
        return "more different words than are looked up"
    return "more known messages have words of it than are compared" if len(chosen) > MOST_WORDINGS else ""
