"""Core: which lines of a long log have to do with errors, so that only those are cleaned and read."""

from collections import Counter
from typing import NamedTuple

from errorkb.core.digits import digits_aside

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
    "rror",
    "xception",
    "raceback",
    'File "',
    "ERR",
    "WARN",
    "CRIT",
    "FATAL",
    "arning",
    "ailed",
    "E   ",
    "During",
    "│",
    "-+----",
)


class Sifted(NamedTuple):
    """Which lines are to be read (all where `near` is None), and how often lines stand in the paste that are not."""

    near: bytearray | None
    repeats: dict[int, int]
    is_cut: bool

    def is_far(self, number: int) -> bool:
        """Say whether a line, counted from 1, need not be read."""
        return self.near is not None and not self.near[number - 1]


def sift(lines: list[str], text: str) -> Sifted:
    """Return which lines of a text have to do with errors, or stand near one that has."""
    if len(lines) <= _WHOLE:
        return Sifted(None, {}, False)
    near = _near_errors(lines, tuple(sign for sign in _TELLING if sign in text))
    repeats = _fold(lines, near)
    return Sifted(near, repeats, near.count(1) >= _MOST_READ)


def _near_errors(lines: list[str], telling: tuple[str, ...]) -> bytearray:
    near = bytearray(len(lines))
    for position, line in enumerate(lines):
        if any(map(line.__contains__, telling)):
            first, last = max(0, position - _BEFORE), min(len(lines), position + _BEHIND)
            near[first:last] = b"\x01" * (last - first)
    return near


def _fold(lines: list[str], near: bytearray) -> dict[int, int]:
    """Take out of `near` what was there often, tracebacks excepted; return how often, by the number of the first."""
    firsts: dict[bytes, int] = {}
    seen: Counter[bytes] = Counter()
    frame = -_OF_FRAME
    read = 0
    for position, line in enumerate(lines):
        if not near[position]:
            continue
        if 'File "' in line or "raceback" in line:
            frame = position
        folded = digits_aside(line)
        seen[folded] += 1
        firsts.setdefault(folded, position + 1)
        is_known = seen[folded] > _OFTEN and position - frame > _OF_FRAME
        near[position] = not is_known and read < _MOST_READ
        read += near[position]
    return {firsts[folded]: count for folded, count in seen.items() if count > _OFTEN}
