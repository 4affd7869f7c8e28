"""Core: a paste's lines, freed from what stands around them; those of a long log only where an error is near."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from errorkb.core.tracebacks.prefixes import Prefix, split_prefix
from errorkb.core.tracebacks.unwrapping import plain_text, texts_within

# Longer pastes are cleaned only around lines that have to do with errors: so many before and behind.
_WHOLE = 400
_BEFORE, _BEHIND = 2, 12
MOST_LINES = 1_000_000

_TELLING = re.compile(
    r"raceback|File \"|[a-z](?:Error|Exception|Warning)\b|\b(?:ERR(?:OR)?|CRITICAL|FATAL|Error|failed)\b|\bWARN|\bE   "
)
_GROUP_RULE = re.compile(r"[ \t|]{0,400}\+-[+-]{2,}|[ \t|]{0,400}\+-{4,}")
_GROUP_BAR = re.compile(r"[ \t]{0,400}(?:\|[ ]){1,40}(?=\s|\S|$)|[ \t]{0,400}\|$")
_GROUP_HEAD = re.compile(r"[ \t]{0,400}\+[ ](?=Exception Group Traceback)")


class Line(NamedTuple):
    """A line of a paste without its prefix; see `PasteLine`. `prefix` is what stood before it."""

    text: str
    number: int
    stream: str
    prefix: Prefix


_NONE = Prefix()


def clean(text: str) -> list[Line]:
    """Return the lines of a paste, in order. Linear in the text."""
    lines = plain_text(text).split("\n")[:MOST_LINES]
    near = _near_errors(lines) if len(lines) > _WHOLE else None
    is_boxed = "Exception Group Traceback" in text or "│" in text or "╭" in text
    cleaned: list[Line] = []
    stream = ""
    for number, line in enumerate(lines, 1):
        if near is not None and not near[number - 1]:
            cleaned.append(Line(line, number, "", _NONE))
            continue
        for piece in _pieces(line):
            one = _line(piece, number, stream, is_boxed=is_boxed)
            stream = one.stream
            cleaned.append(one)
    return cleaned


def _near_errors(lines: list[str]) -> bytearray:
    """Return for each line whether it has to do with an error, or stands near one that has."""
    near = bytearray(len(lines))
    search = _TELLING.search
    for position, line in enumerate(lines):
        if search(line):
            first, last = max(0, position - _BEFORE), min(len(lines), position + _BEHIND)
            near[first:last] = b"\x01" * (last - first)
    return near


def _pieces(line: str) -> Iterator[str]:
    if "{" in line or '="' in line or "\\n" in line or '\\"' in line:
        yield from texts_within(line)
    else:
        yield line


def _line(text: str, number: int, stream: str, *, is_boxed: bool) -> Line:
    prefix = split_prefix(text)
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
