"""Core, rendering: rewrite prose into the strict dialect that the `markdown` package's block parser reads safely.

People and models write lists right after a line of text, indent them by two or three spaces, and put fenced code into
items and quotes; the package wants a blank line, four spaces, and fences at the margin. So the blocks of CommonMark
(https://spec.commonmark.org/0.31.2/#leaf-blocks) are found here, line by line, and written out again one way only:
a blank line between blocks, four spaces a level, code taken out and replaced by a mark, and every line of text behind
a guard, so that the package sees syntax exactly where it was found here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from errorkb.core.rendering.prose_lines import CODE_INDENT, FENCE, CodeBlock, Line, read_fenced, run_end

GUARD = "\U0010fffe"
"""Stands before each line of text. A noncharacter: no text that means anything holds it."""

MARK = "\U0010ffff"
"""Encloses the number of a code block that was taken out."""

MAX_DEPTH = 6
"""Deepest nesting of lists, and of quotes; what is deeper is shown at this depth, or as text."""

MAX_TABLE_LINE = 1_000
"""Longest line of a table, in characters: the package's time to split one grows with the square of its length."""

_INDENT = "    "
_ITEM = re.compile(r"(?:[-*+]|([0-9]{1,9})[.)])[ \t]+(?=[^ \t])")
_HEADING = re.compile(r"(#{1,6})[ \t]+(?=[^ \t])")
_QUOTE = re.compile(r">(?:[ \t]|$|(?=>+(?:[ \t]|$)))")
_DOCTEST = re.compile(r">>>(?: |$)")
_UNDERLINES = {"=": "# ", "-": "## "}
_TABLE_RULE = frozenset("|:- \t")


@dataclass(frozen=True)
class Layout:
    """Prose in the strict dialect, and the code blocks that its marks number."""

    text: str
    blocks: tuple[CodeBlock, ...]


@dataclass(frozen=True)
class _Item:
    """An open list item: the columns of its marker and of its content, and whether it is numbered."""

    marker: int
    content: int
    numbered: bool

    def holds(self, indent: int) -> bool:
        """Tell whether a line at `indent` belongs to the item: two columns suffice, even under `10. `."""
        return indent >= self.marker + 2


class _Writer:
    """Writes the lines of one container: the whole text, or the inside of one quote."""

    def __init__(self, lines: list[Line], blocks: list[CodeBlock], depth: int) -> None:
        self.lines = lines
        self.blocks = blocks
        self.depth = depth
        self.out: list[str] = []
        self.items: list[_Item] = []  # open, outermost first
        self.flowing = False  # the line before was text, and this one may go on with it
        self.tight = False  # … and that text began on the line of an item's marker

    def write(self) -> list[str]:
        at = 0
        while at < len(self.lines):
            at = self._write_from(at)
        return self.out

    def _write_from(self, at: int) -> int:
        """Write the block that starts at line `at`; return the line after it."""
        line = self.lines[at]
        if not line.body:
            self.flowing = False
            return at + 1
        if not self._goes_on(line):
            for rule in _RULES:
                if after := rule(self, at, line):
                    return after
        self._put_text(line)
        return at + 1

    def _goes_on(self, line: Line) -> bool:
        """Tell whether `line` can only be more of the paragraph before it, being indented as far as code."""
        deep = self.flowing and line.indent >= self._margin(line.indent) + CODE_INDENT
        return deep and not (self.items and _ITEM.match(line.body))

    def _margin(self, indent: int) -> int:
        """Return the column at which the content of the innermost item around `indent` starts."""
        return next((item.content for item in reversed(self.items) if item.holds(indent)), 0)

    def _enter(self, indent: int) -> int:
        """Close the items that do not hold `indent`; return how many are left."""
        while self.items and not self.items[-1].holds(indent):
            self.items.pop()
        return len(self.items)

    def _put(self, level: int, *texts: str, joined: bool) -> None:
        """Add lines at `level`, after a blank line unless they are joined to the line before."""
        if self.out and not joined:
            self.out.append("")
        self.out.extend(_INDENT * level + text if text else "" for text in texts)

    def _put_text(self, line: Line) -> None:
        level = len(self.items) if self.flowing else self._enter(line.indent)
        self._put(level, GUARD + line.body, joined=self.flowing)
        self.tight = self.tight and self.flowing
        self.flowing = True

    def _put_block(self, indent: int, *texts: str) -> None:
        self._put(self._enter(indent), *texts, joined=False)
        self.flowing = False

    def _put_code(self, indent: int, block: CodeBlock) -> None:
        self._put_block(indent, self._mark(block))

    def _mark(self, block: CodeBlock) -> str:
        """Take a code block out; return what stands in its place."""
        self.blocks.append(block)
        return f"{MARK}{len(self.blocks) - 1}{MARK}"

    def _fenced(self, at: int, fence: re.Match[str], indent: int) -> tuple[int, list[str]]:
        """Return the line after the fenced code, and what stands in its place: a mark, a caption above it if any."""
        fenced = read_fenced(self.lines, at, fence, indent)
        caption = [GUARD + fenced.caption, ""] if fenced.caption else []
        return fenced.end, [*caption, self._mark(fenced.block)]

    # Rules: each returns the line after the block that it has written, or 0 if there is none of its kind.

    def fence(self, at: int, line: Line) -> int:
        fence = FENCE.match(line.body)
        if not fence:
            return 0
        end, texts = self._fenced(at, fence, line.indent)
        self._put_block(line.indent, *texts)
        return end

    def doctest(self, at: int, line: Line) -> int:
        if not _DOCTEST.match(line.body):
            return 0
        end = run_end(self.lines, at, lambda each: each.body)
        code = "\n".join(each.without(line.indent) for each in self.lines[at:end])
        self._put_code(line.indent, CodeBlock(code, "pycon"))
        return end

    def indented(self, at: int, line: Line) -> int:
        column = self._margin(line.indent) + CODE_INDENT
        if self.flowing or line.indent < column or (self.items and _ITEM.match(line.body)):
            return 0
        end = run_end(self.lines, at, lambda each: not each.body or each.indent >= column)
        code = "\n".join(each.without(column) for each in self.lines[at:end])
        self._put_code(line.indent, CodeBlock(code.rstrip("\n"), None))
        return end

    def quote(self, at: int, line: Line) -> int:
        if self.depth >= MAX_DEPTH or not _QUOTE.match(line.body):
            return 0
        end = run_end(self.lines, at, lambda each: _QUOTE.match(each.body) and not _DOCTEST.match(each.body))
        inside = [Line.of(_QUOTE.sub("", each.body, count=1)) for each in self.lines[at:end]]
        self._put_block(line.indent, *(f"> {text}" for text in _Writer(inside, self.blocks, self.depth + 1).write()))
        return end

    def heading(self, at: int, line: Line) -> int:
        heading = _HEADING.match(line.body)
        if not heading:
            return 0
        text = line.body[heading.end() :].rstrip(" \t")
        bare = text.rstrip("#")
        text = bare.rstrip(" \t") if bare.endswith((" ", "\t")) else text  # `## C#` keeps its sign
        self._put_block(line.indent, f"{heading[1]} {GUARD}{text}{GUARD}")
        return at + 1

    def underlined(self, at: int, line: Line) -> int:
        """Write a line of text with a row of `=` or `-` below it as a heading."""
        below = self._below(at).rstrip(" \t")
        if self.flowing or len(below) < 3 or len(set(below)) > 1 or below[0] not in _UNDERLINES:
            return 0
        self._put_block(line.indent, f"{_UNDERLINES[below[0]]}{GUARD}{line.body}{GUARD}")
        return at + 2

    def ruler(self, at: int, line: Line) -> int:
        signs = line.body.replace(" ", "").replace("\t", "")
        if len(signs) < 3 or set(signs) not in ({"-"}, {"*"}):
            return 0
        self._put_block(line.indent, "---")
        return at + 1

    def item(self, at: int, line: Line) -> int:
        item = _ITEM.match(line.body)
        if not item or (self.flowing and not self.items and item[1] not in (None, "1")):
            return 0
        numbered = item[1] is not None
        joined = self._join_item(line.indent, numbered=numbered)
        level = len(self.items)
        content, column = line.body[item.end() :], line.indent + item.end()
        fence = FENCE.match(content)
        end, texts = self._fenced(at, fence, column) if fence else (at + 1, [GUARD + content])
        self._put(level, f"{item[1]}. {texts[0]}" if numbered else f"- {texts[0]}", joined=joined)
        self._put(level + 1, *texts[2:], joined=len(texts) == 1)
        self.items.append(_Item(line.indent, column, numbered))
        self.flowing = self.tight = not fence
        return end

    def _join_item(self, indent: int, *, numbered: bool) -> bool:
        """Close the items beside or below which a new one at `indent` starts; tell whether no blank line parts them."""
        sibling = None
        while self.items and (len(self.items) >= MAX_DEPTH or not self.items[-1].holds(indent)):
            sibling = self.items.pop()
        return self.flowing and self.tight and (sibling is None or sibling.numbered == numbered)

    def table(self, at: int, line: Line) -> int:
        below = frozenset(self._below(at))
        if "|" not in line.body or not {"|", "-"} <= below <= _TABLE_RULE:
            return 0
        end = run_end(self.lines, at, lambda each: "|" in each.body and not _QUOTE.match(each.body))
        rows = [each.body.rstrip(" \t") for each in self.lines[at:end]]
        if len(rows) < 2 or max(map(len, rows)) > MAX_TABLE_LINE:
            return 0
        self._put_block(line.indent, *rows)
        return end

    def _below(self, at: int) -> str:
        return self.lines[at + 1].body if at + 1 < len(self.lines) else ""


_RULES: tuple[Callable[[_Writer, int, Line], int], ...] = (
    _Writer.fence,
    _Writer.doctest,
    _Writer.indented,
    _Writer.quote,
    _Writer.heading,
    _Writer.ruler,
    _Writer.item,
    _Writer.table,
    _Writer.underlined,
)


def lay_out(text: str) -> Layout:
    """Return `text`, whose lines end with a newline only and which holds neither GUARD nor MARK, in the strict dialect.

    Every line of it is a guarded line of text, a mark, a row of a table, `---`, or one of these after indentation and
    the markers `- `, `1. `, `> `, `## `. The work is linear in the length of `text`.
    """
    blocks: list[CodeBlock] = []
    out = _Writer([Line.of(raw) for raw in text.split("\n")], blocks, 0).write()
    return Layout("\n".join(out), tuple(blocks))
