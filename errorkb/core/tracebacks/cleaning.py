"""Core: a paste's lines, freed from what stands around them; those of a long log only where an error is near."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from errorkb.core.tracebacks.prefixes import Prefix, Prefixes
from errorkb.core.tracebacks.unwrapping import plain_text, texts_within

# Longer pastes are cleaned only around lines that have to do with errors: so many before and behind.
_WHOLE = 400
_BEFORE, _BEHIND = 2, 12
# Lines that are kept at all; lines near errors that are read; lines that one line's escapes may hold.
MOST_LINES = 200_000
_MOST_READ = 50_000
_MOST_PIECES = 5_000
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
)
_GROUP_RULE = re.compile(r"[ \t|]{0,400}\+-[+-]{2,}|[ \t|]{0,400}\+-{4,}")
_GROUP_BAR = re.compile(r"[ \t]{0,400}(?:\|[ ]){1,40}(?=\s|\S|$)|[ \t]{0,400}\|$")
_GROUP_HEAD = re.compile(r"[ \t]{0,400}\+[ ](?=Exception Group Traceback)")


class Line(NamedTuple):
    """A line of a paste without its prefix; see `PasteLine`. `prefix` is what stood before it.

    `is_near` says that it may have to do with an error; the others of a long log are not cleaned.
    """

    text: str
    number: int
    stream: str
    prefix: Prefix
    is_near: bool = True


_NONE = Prefix()
_DIGITS = str.maketrans("123456789", "000000000")


class Cleaned(NamedTuple):
    """The lines of a paste; `repeats` is how often a line stands in it that was read a few times, by its number."""

    lines: list[Line]
    repeats: dict[int, int]
    is_cut: bool


def clean(text: str) -> Cleaned:
    """Return the lines of a paste, in order. Linear in the text."""
    lines = plain_text(text).split("\n")
    is_cut = len(lines) > MOST_LINES
    del lines[MOST_LINES:]
    near = _near_errors(lines) if len(lines) > _WHOLE else None
    repeats = _fold(lines, near) if near is not None else {}
    is_boxed = "Exception Group Traceback" in text or "│" in text or "╭" in text
    cleaned: list[Line] = []
    stream, prefixes = "", Prefixes()
    for number, line in enumerate(lines, 1):
        if near is not None and not near[number - 1]:
            cleaned.append(Line(line, number, "", _NONE, is_near=False))
            continue
        for piece in islice(_pieces(line), _MOST_PIECES):
            one = _line(piece, number, stream, prefixes.of(piece), is_boxed=is_boxed)
            stream = one.stream
            cleaned.append(one)
    return Cleaned(cleaned, repeats, is_cut or (near is not None and near.count(1) >= _MOST_READ))


def _near_errors(lines: list[str]) -> bytearray:
    """Return for each line whether it has to do with an error, or stands near one that has; so many at most."""
    near = bytearray(len(lines))
    for position, line in enumerate(lines):
        if any(map(line.__contains__, _TELLING)):
            first, last = max(0, position - _BEFORE), min(len(lines), position + _BEHIND)
            near[first:last] = b"\x01" * (last - first)
    return near


def _fold(lines: list[str], near: bytearray) -> dict[int, int]:
    """Take out of `near` what was there often, tracebacks excepted; return how often, by the number of the first."""
    firsts: dict[str, int] = {}
    seen: Counter[str] = Counter()
    frame = -_OF_FRAME
    read = 0
    for position, line in enumerate(lines):
        if not near[position]:
            continue
        if 'File "' in line or "raceback" in line:
            frame = position
        folded = line.translate(_DIGITS)
        seen[folded] += 1
        firsts.setdefault(folded, position + 1)
        is_known = seen[folded] > _OFTEN and position - frame > _OF_FRAME
        near[position] = not is_known and read < _MOST_READ
        read += near[position]
    return {firsts[folded]: count for folded, count in seen.items() if count > _OFTEN}


def _pieces(line: str) -> Iterator[str]:
    if "{" in line or '="' in line or "\\n" in line or '\\"' in line:
        yield from texts_within(line)
    else:
        yield line


def _line(text: str, number: int, stream: str, prefix: Prefix, *, is_boxed: bool) -> Line:
    own = text[prefix.end :] if prefix.shape else text
    own = _unboxed(own) if is_boxed else own
    if prefix.stream:
        stream = prefix.stream
    elif prefix.is_record:
        stream = ""
    return Line(own.rstrip(), number, stream, prefix)


def _unboxed(text: str) -> str:
    """Return a line without the box of an exception group, or of a terminal's."""
    if _GROUP_RULE.match(text):
        return ""
    head = _GROUP_HEAD.match(text) or _GROUP_BAR.match(text)
    if head:
        return text[head.end() :]
    if "│" in text and text.rstrip().endswith("│"):
        return text.strip().strip("│").rstrip()
    return text
