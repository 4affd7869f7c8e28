"""Core, rendering: prose in Markdown, written by anybody, as HTML that is safe and loses nothing.

The way: `layout` finds the blocks, the `markdown` package builds their tree, `inline` reads what stands in them,
`code` colours the code, `sanitizer` lets through what is allowed, `controls` shows what is hidden.
"""

import re
import threading
from collections.abc import Callable, Sequence
from typing import ClassVar, Self
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.blockprocessors import (
    BlockProcessor,
    BlockQuoteProcessor,
    EmptyBlockProcessor,
    HashHeaderProcessor,
    HRProcessor,
    ListIndentProcessor,
    ParagraphProcessor,
)
from markdown.extensions.sane_lists import SaneOListProcessor, SaneUListProcessor
from markdown.extensions.tables import TableProcessor
from markdown.util import Registry

from errorkb.core.rendering.code import code_html
from errorkb.core.rendering.controls import escape_text, expose_controls, render_plain, replace_unrepresentable
from errorkb.core.rendering.inline import render_spans
from errorkb.core.rendering.layout import GUARD, MARK, lay_out
from errorkb.core.rendering.prose_lines import CodeBlock
from errorkb.core.rendering.sanitizer import sanitize

MAX_TEXT = 32 * 1024
"""Longest text, in characters, that is read as Markdown; longer text is shown as it was written, in paragraphs."""

TOP_HEADING = 3
"""The level of the highest heading in a text; the page around it has the others."""

_MARKED = re.compile(f"{MARK}([0-9]+){MARK}")
_LOWEST_HEADING = 6


class _Heading(HashHeaderProcessor):
    RE = re.compile(r"^(?P<level>#{1,6}) (?P<header>[^\n]*)(?:\n|$)")


class _Ruler(HRProcessor):
    SEARCH_RE = re.compile(r"^---$", re.MULTILINE)


class _Quote(BlockQuoteProcessor):
    RE = re.compile(r"(^|\n)> (.*)")


class _Table(TableProcessor):
    """The package's table, without its style attributes and without losing the cells of rows that are too long."""

    def test(self, parent: Element, block: str) -> bool:
        return "|" in block and not block.startswith(GUARD) and super().test(parent, block)

    def _build_row(self, row: str, parent: Element, align: Sequence[str | None]) -> None:
        tr = SubElement(parent, "tr")
        cells = [cell.strip(" ") for cell in self._split_row(row)]  # type: ignore[attr-defined]
        last = len(align) - 1
        for text in [*cells[:last], " | ".join(cells[last:])] + [""] * (last - len(cells)):
            cell = SubElement(tr, "th" if parent.tag == "thead" else "td")
            cell.text = text.replace(r"\|", "|")


def _unguarded(text: str) -> str:
    """Return the text of an element as it was written, less the indentation of its lines."""
    return "\n".join(line.lstrip(" ").replace(GUARD, "") for line in text.split("\n"))


class _Serializer:
    """Writes the package's tree as HTML; text is read for inline markup on the way."""

    def __init__(self, root: Element) -> None:
        levels = [int(element.tag[1]) for element in root.iter() if element.tag[0] == "h" and element.tag[1:].isdigit()]
        self.shift = TOP_HEADING - min(levels, default=1)
        self.out: list[str] = []

    def write(self, element: Element) -> None:
        if element.tag == "p" and _MARKED.fullmatch(element.text or ""):
            self.out.append(f"{element.text}\n")
            return
        tag = self._tag(element)
        start = f' start="{int(element.get("start", ""))}"' if element.get("start") else ""
        self.out.append(f"<{tag}{start}>")
        self._write_text(element.text)
        if element.text and len(element):
            self.out.append("\n")
        for child in element:
            self.write(child)
            self._write_text(child.tail)
        self.out.append("" if tag == "hr" else f"</{tag}>\n")

    def _tag(self, element: Element) -> str:
        """Return the tag, of headings the one that makes the highest in the text TOP_HEADING."""
        if not element.tag[1:].isdigit():
            return element.tag
        return f"h{min(int(element.tag[1]) + self.shift, _LOWEST_HEADING)}"

    def _write_text(self, text: str | None) -> None:
        if text:
            self.out.append(render_spans(_unguarded(text)))


def _serialize(root: Element) -> str:
    serializer = _Serializer(root)
    serializer.write(root)
    return "".join(serializer.out)


_PROCESSORS: tuple[tuple[str, Callable[[BlockParser], BlockProcessor]], ...] = (
    ("empty", EmptyBlockProcessor),
    ("indent", ListIndentProcessor),
    ("table", lambda parser: _Table(parser, {})),
    ("heading", _Heading),
    ("ruler", _Ruler),
    ("numbered", SaneOListProcessor),
    ("bulleted", SaneUListProcessor),
    ("quote", _Quote),
    ("paragraph", ParagraphProcessor),
)


class _Prose(Markdown):
    """The package with the blocks of `layout`, and without what reads raw HTML, references or inline markup."""

    output_formats: ClassVar = {"xhtml": _serialize}

    def build_parser(self) -> Self:
        self.preprocessors = Registry()
        self.inlinePatterns = Registry()
        self.treeprocessors = Registry()
        self.postprocessors = Registry()
        self.parser = BlockParser(self)
        for place, (name, make) in enumerate(_PROCESSORS):
            self.parser.blockprocessors.register(make(self.parser), name, -place)
        return self


class _Readers(threading.local):
    """One instance of the package a thread: building it costs more than reading a paragraph."""

    def __init__(self) -> None:
        self.prose = _Prose()


_READERS = _Readers()


def _normalize(text: str) -> str:
    return replace_unrepresentable(text).replace("\r\n", "\n").replace("\r", "\n")


def _is_readable(text: str) -> bool:
    """Tell whether `text` may be read as Markdown: short enough, and without the characters that `layout` writes."""
    return len(text) <= MAX_TEXT and GUARD not in text and MARK not in text


def _render_paragraphs(text: str) -> str:
    """Return `text` as it was written, in paragraphs."""
    paragraphs = (part.strip("\n") for part in text.split("\n\n"))
    return expose_controls("\n".join(f"<p>{escape_text(part)}</p>" for part in paragraphs if part))


def _render_block(block: CodeBlock) -> str:
    return f'<pre class="highlight"><code>{code_html(block.code, block.language)}</code></pre>'


def render_markdown(text: str) -> str:
    """Return `text`, untrusted Markdown, as safe HTML of paragraphs, lists, quotes, tables, code, headings and rules.

    Raw HTML and entities are text like any other; images are links; links go to http, https and mailto only. The
    highest heading is `<h3>`. Only syntax disappears, never a word (see `layout` and `inline` for the grammar). Text
    over MAX_TEXT comes back as it was written, in paragraphs. Nothing is raised; the work is linear in `text`.

    `"# Use `f`\n- *args"` gives `<h3>Use <code>f</code></h3>` and a list of one item, `*args`.
    """
    text = _normalize(text)
    if not _is_readable(text):
        return _render_paragraphs(text)
    layout = lay_out(text)
    html = _READERS.prose.convert(layout.text)
    html = _MARKED.sub(lambda match: _render_block(layout.blocks[int(match[1])]), html)
    return expose_controls(sanitize(html))


def render_inline(text: str) -> str:
    """Return `text`, one line of untrusted Markdown, as safe HTML without block elements.

    Code, emphasis and links are read as in `render_markdown`; newlines are spaces; over MAX_TEXT nothing is read.
    """
    text = _normalize(text)
    if not _is_readable(text):
        return render_plain(text)
    return expose_controls(sanitize(render_spans(text.replace("\n", " "))))
