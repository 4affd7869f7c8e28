"""Core: which lines of a long log have to do with errors, so that only those are cleaned and read."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from errorkb.core.digits import all_digits_aside

# Longer pastes are read only around lines that have to do with errors: so many before and behind.
_WHOLE = 400
_BEFORE, _BEHIND = 2, 12
_MOST_READ = 50_000
# A line that was there so often, but for its digits, is counted and not read again.
_OFTEN = 5
# So many lines behind a frame belong to its traceback.
_OF_FRAME = 4

# A line has to do with errors only if one of these is in it.
_TELLING = (
    b"rror",
    b"xception",
    b"raceback",
    b'File "',
    b"ERR",
    b"WARN",
    b"CRIT",
    b"FATAL",
    b"arning",
    b"ailed",
    b"E   ",
    b"During",
    "│".encode(),
    b"-+----",
)


class Sifted(NamedTuple):
    """Which lines are to be read, by their positions, and how often lines stand in the paste that are not."""

    near: Sequence[int]
    repeats: dict[int, int]
    is_cut: bool


def sift(lines: list[str]) -> Sifted:
    """Return which lines of a text have to do with errors, or stand near one that has: all of a short one."""
    if len(lines) <= _WHOLE:
        return Sifted(range(len(lines)), {}, False)
    folded = all_digits_aside(lines)
    near, repeats = _read_once(lines, folded, _near_errors(folded))
    return Sifted(near, repeats, len(near) >= _MOST_READ)


def _near_errors(folded: list[bytes]) -> Iterable[int]:
    near = bytearray(len(folded))
    telling = _telling(dict.fromkeys(folded))
    for position in [position for position, line in enumerate(folded) if line in telling]:
        first, last = max(0, position - _BEFORE), min(len(folded), position + _BEHIND)
        near[first:last] = b"\x01" * (last - first)
    return compress(range(len(folded)), near)


def _telling(lines: Collection[bytes]) -> set[bytes]:
    """Return those of different lines that have a telling sign."""
    text = b"\n".join(lines)
    signs = [sign for sign in _TELLING if sign in text]
    return {line for line in lines if any(map(line.__contains__, signs))}


def _read_once(lines: list[str], folded: list[bytes], near: Iterable[int]) -> tuple[list[int], dict[int, int]]:
    """Leave out what was there often, tracebacks excepted; return how often, too, by the number of the first."""
    firsts: dict[bytes, int] = {}
    seen: Counter[bytes] = Counter()
    frame = -_OF_FRAME
    kept: list[int] = []
    for position in near:
        line, alike = lines[position], folded[position]
        if 'File "' in line or "raceback" in line:
            frame = position
        count = seen[alike] = seen[alike] + 1
        if count == 1:
            firsts[alike] = position + 1
        if len(kept) < _MOST_READ and (count <= _OFTEN or position - frame <= _OF_FRAME):
            kept.append(position)
    return kept, {firsts[alike]: count for alike, count in seen.items() if count > _OFTEN}
