"""Core: a paste's lines, freed from what stands around them; those of a long log only where an error is near."""

import re
from functools import partial
from itertools import count, repeat
from typing import NamedTuple

from errorkb.core.tracebacks.pastes import PasteLine
from errorkb.core.tracebacks.prefixes import NO_PREFIX, Prefix, Prefixes
from errorkb.core.tracebacks.rewrapping import rewrapped
from errorkb.core.tracebacks.sifting import sift
from errorkb.core.tracebacks.unwrapping import has_records, lines_within, plain_text, unfenced

# Lines that are kept at all, and lines that one line's escapes may hold.
MOST_LINES = 200_000
_MOST_PIECES = 5_000
_MOST_BOXES = 10
# In pastes of so many lines, blank ones between all others are what some page or program added.
_SPACED = 6

# A line that carries others, or that lost its line breaks, has one of these in it.
_CARRYING = ("{", '="', "='", "\\", "</", "<br", "**", "|", " pid=", '": "')
_GROUPS = ("Exception Group Traceback", "sub-exception")
_BOXES = ("│", "╭")
_FRAME = 'File "'
_MEMBER_RULE = re.compile(r"[ \t|]{0,400}\+(?:-\+)?-{4,}[ ](\d{1,9}|\.\.\.)[ ]-{4,}")
_GROUP_RULE = re.compile(r"[ \t|]{0,400}\+-{4,}$")
_GROUP_BAR = re.compile(r"[ \t]{0,4000}\|[ ]?")
_GROUP_HEAD = re.compile(r"[ \t]{0,4000}\+[ ](?=Exception Group Traceback)")


class Cleaned(NamedTuple):
    """The lines of a paste; `repeats` is how often a line stands in it that was read a few times, by its number."""

    lines: list[PasteLine]
    repeats: dict[int, int]
    is_cut: bool


def clean(text: str) -> Cleaned:
    """Return the lines of a paste, in order. Linear in the text."""
    lines = plain_text(text).split("\n")
    is_cut = len(lines) > MOST_LINES
    del lines[MOST_LINES:]
    lines = rewrapped(lines) if _FRAME in text else lines
    is_spaced = len(lines) >= _SPACED and not any(map(str.strip, lines[1::2]))
    sifted = sift(lines)
    near = [position for position in sifted.near if position % 2 == 0] if is_spaced else sifted.near
    cleaner = _Cleaner(text, "\n".join(map(lines.__getitem__, near)))
    as_they_are = _unread(lines)
    cleaned: list[PasteLine] = []
    behind = 0
    for position in near:
        cleaned += as_they_are[behind:position]
        cleaned += cleaner.lines_of(lines[position], position + 1)
        behind = position + 1
    cleaned += as_they_are[behind:]
    return Cleaned(cleaned, sifted.repeats, is_cut or sifted.is_cut or cleaner.is_cut)


def _unread(lines: list[str]) -> list[PasteLine]:
    """Return lines as they stand in the paste; all at once, for a log has thousands of them."""
    rest = (repeat(value) for value in ("", NO_PREFIX, False, "", 0))
    return list(map(partial(tuple.__new__, PasteLine), zip(lines, count(1), *rest, strict=False)))


class _Cleaner:
    """Cleans line after line; it remembers the stream of the line before and how deep the boxes are."""

    def __init__(self, text: str, near: str) -> None:
        """Take a paste and those of its lines that are going to be cleaned, where a sign is looked for first."""
        self._stream = ""
        self._prefixes = Prefixes()
        signs = {sign for sign in (*_GROUPS, *_BOXES, *_CARRYING) if sign in near and sign in text}
        self._has_groups = not signs.isdisjoint(_GROUPS)
        self._has_boxes = not signs.isdisjoint(_BOXES)
        self.is_cut = False
        self._carries = tuple(signs.intersection(_CARRYING))

    def lines_of(self, line: str, number: int) -> list[PasteLine]:
        """Return the lines that one line of the paste becomes."""
        if "```" in line:
            line = unfenced(line)
        prefix = self._prefixes.of(line)
        head, own = line[: prefix.end], line[prefix.end :] if prefix.shape else line
        if not (any(map(line.__contains__, self._carries)) or _is_joined(own) or has_records(own)):
            return [self._line(own, number, prefix, head)]
        lines = []
        pieces = lines_within(own)
        self.is_cut |= len(pieces) > _MOST_PIECES
        for said in pieces[:_MOST_PIECES]:
            inner = self._prefixes.of(said.text) if said.text is not own else NO_PREFIX
            both = _both(prefix, inner, said.level)
            lines.append(self._line(said.text[inner.end :] if inner.shape else said.text, number, both, head))
            prefix = NO_PREFIX._replace(stream=prefix.stream)
        return lines

    def _line(self, own: str, number: int, prefix: Prefix, head: str) -> PasteLine:
        depth = 0
        if self._has_groups:
            own, depth = _ungrouped(own)
        if self._has_boxes:
            own, boxes = _unboxed(own)
            depth += boxes
        if prefix.stream:
            self._stream = prefix.stream
        elif prefix.is_record:
            self._stream = ""
        return PasteLine(own.rstrip(), number, self._stream, prefix, head=head if prefix.is_record else "", depth=depth)


def _is_joined(text: str) -> bool:
    """Say whether a frame stands in a line behind something else."""
    at = text.find(_FRAME)
    return at >= 0 and (bool(text[:at].strip(" \t>")) or text.find(_FRAME, at + 1) >= 0)


def _both(outer: Prefix, inner: Prefix, level: str) -> Prefix:
    """Return the prefix of a line that was found within another one."""
    return Prefix(
        level=inner.level or level or outer.level,
        stream=inner.stream or outer.stream,
        is_record=outer.is_record or inner.is_record or bool(level),
        shape=inner.shape if inner.is_record else f"{outer.shape}{inner.shape}{'j' if level else ''}",
    )


def _ungrouped(text: str) -> tuple[str, int]:
    """Return a line without the bars of an exception group, and how deep in groups it stands."""
    member = _MEMBER_RULE.match(text)
    if member:
        return f"---- {member[1]} ----", _depth(text)
    if _GROUP_RULE.match(text):
        return "", _depth(text)
    bar = _GROUP_HEAD.match(text) or _GROUP_BAR.match(text)
    return (text[bar.end() :], _depth(text)) if bar else (text, 0)


def _depth(text: str) -> int:
    """Return the depth of a bar by its indentation: two blanks a level."""
    return (len(text) - len(text.lstrip(" \t"))) // 2 or 1


def _unboxed(text: str) -> tuple[str, int]:
    """Return a line without the boxes that a terminal draws around a traceback, and how many there were."""
    boxes = 0
    while boxes < _MOST_BOXES and "│" in text:
        stripped = text.strip()
        if len(stripped) < 2 or stripped[0] != "│" or stripped[-1] != "│":
            break
        text = stripped[1:-1].rstrip()
        boxes += 1
    return text, boxes
