"""Core, pull request reports: cut a section's lines into paragraphs, list items, fenced code, headings, rules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from errorkb.core.pr_reports.marks import heading_text, indent_of, is_rule, starts_list, take_mark
from errorkb.core.pr_reports.outlines import Section
from errorkb.core.pr_reports.sources import Fence, Source

# A line stays in an item from two columns behind its mark on: writers seldom indent as much as CommonMark asks.
_NESTED = 2


class Kind(Enum):
    """What a block is in Markdown."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    CODE = "code"
    HEADING = "heading"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a section; `line` counts from 1, `gap` says that a blank line stands before it.

    `raw` is the text as written; `text` lacks an item's mark and indentation, a fence around code, a heading's marks.
    """

    kind: Kind
    line: int
    raw: str
    text: str
    gap: bool = True
    info: str = ""


def read_blocks(
    source: Source,
    section: Section,
    *,
    opens: Callable[[str], bool] = lambda line: False,
    code_in_items: bool = True,
) -> Iterator[Block]:
    """Yield a section's blocks in order.

    `opens` tells whether a line begins a block of its own, as a label does. Code that is indented into a list item is
    part of the item, or else, without `code_in_items`, a block behind it.
    """
    return _Reader(source, section, opens, code_in_items=code_in_items).blocks()


class _Reader:
    """Goes once through a section's lines."""

    def __init__(self, source: Source, section: Section, opens: Callable[[str], bool], *, code_in_items: bool) -> None:
        self._lines = source.lines
        self._fences = source.fences
        self._end = section.end
        self._opens = opens
        self._code_in_items = code_in_items
        self._at = section.start

    def blocks(self) -> Iterator[Block]:
        gap = True
        while self._at < self._end:
            if self._blank(self._at):
                gap = True
                self._at += 1
                continue
            yield self._block(gap=gap)
            gap = False

    def _block(self, *, gap: bool) -> Block:
        line = self._lines[self._at]
        fence = self._fences.get(self._at)
        if fence:
            return self._code(fence, gap=gap)
        heading = heading_text(line)
        if heading is not None:
            return self._single(Kind.HEADING, heading, gap=gap)
        if is_rule(line):
            return self._single(Kind.RULE, "", gap=gap)
        behind = take_mark(line)
        if behind is not None:
            return self._item(behind, gap=gap)
        return self._paragraph(gap=gap)

    def _blank(self, at: int) -> bool:
        line = self._lines[at]
        return not line or line.isspace()

    def _single(self, kind: Kind, text: str, *, gap: bool) -> Block:
        self._at += 1
        return Block(kind, self._at, self._lines[self._at - 1].strip(), text, gap)

    def _code(self, fence: Fence, *, gap: bool) -> Block:
        end = min(fence.end, self._end)
        self._at = end
        raw = self._lines[fence.start : end]
        return Block(Kind.CODE, fence.start + 1, _joined(raw), _code_text(raw, fence), gap, fence.info)

    def _paragraph(self, *, gap: bool) -> Block:
        start = self._at
        self._at += 1
        while self._at < self._end and not self._interrupts(self._at, in_list=False):
            self._at += 1
        text = _joined(self._lines[start : self._at])
        # Indented code keeps its first line's indentation, too.
        raw = f"{_lead(self._lines[start])}{text}"
        return Block(Kind.PARAGRAPH, start + 1, raw, text, gap)

    def _item(self, behind: str, *, gap: bool) -> Block:
        start = self._at
        first = self._lines[start]
        nested = indent_of(first) + _NESTED
        self._at += 1
        while self._at < self._end and self._continues(nested):
            pass
        body = self._lines[start + 1 : self._at]
        content = indent_of(first) + len(first.lstrip()) - len(behind.lstrip())
        text = _joined([behind, *(_dedented(line, content) for line in body)])
        return Block(Kind.ITEM, start + 1, _joined(self._lines[start : self._at]), text, gap)

    def _continues(self, nested: int) -> bool:
        """Step over the item's next piece: an indented line or fence, blank lines before one, a lazy line."""
        following = self._at
        while following < self._end and self._blank(following):
            following += 1
        if following == self._end:
            return False
        deep = indent_of(self._lines[following]) >= nested
        if not deep and (following > self._at or self._interrupts(following, in_list=True)):
            return False
        fence = self._fences.get(following)
        if fence and not self._code_in_items:
            return False
        self._at = min(fence.end, self._end) if fence else following + 1
        return True

    def _interrupts(self, at: int, *, in_list: bool) -> bool:
        """Tell whether the paragraph, or the text of a list's item, before a line ends there."""
        line = self._lines[at]
        if self._blank(at) or at in self._fences or heading_text(line) is not None or is_rule(line):
            return True
        return (take_mark(line) is not None if in_list else starts_list(line)) or self._opens(line)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip()


def _lead(line: str) -> str:
    indented = line.startswith((" ", "\t")) and indent_of(line) > 3
    return line[: len(line) - len(line.lstrip(" \t"))] if indented else ""


def _dedented(line: str, columns: int) -> str:
    """Return a line without so many columns of white space; a tab that reaches over the edge goes whole."""
    spaces = len(line[:columns]) - len(line[:columns].lstrip(" "))
    return line[spaces + 1 :] if spaces < columns and line.startswith("\t", spaces) else line[spaces:]


def _code_text(raw: list[str], fence: Fence) -> str:
    """Return the text between the fences, without the line end that belongs to the closing one."""
    inside = raw[1:-1] if fence.closed else raw[1:]
    code = "\n".join(_dedented(line, fence.indent) if fence.indent else line for line in inside)
    return code if fence.closed else code.rstrip()
