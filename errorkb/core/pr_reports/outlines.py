"""Core, pull request reports: cut a report's lines into sections by its headings."""

from dataclasses import dataclass

from errorkb.core.pr_reports.inlines import take_path
from errorkb.core.pr_reports.marks import Heading, marked_heading, underlined_heading
from errorkb.core.pr_reports.sources import Source
from errorkb.core.pr_reports.titles import TopTitle, parse_top_title
from errorkb.core.pr_reports.words import Word, find_heading

# Sections whose deeper headings, where they name nothing that the form knows, stay a part of them.
_NESTING = ("motivation", "implementation")


@dataclass(frozen=True, slots=True)
class Section:
    """Lines `start` to before `end` under a heading; `word` is None for one that the form does not know.

    `heading` is as written, without its marks; `heading_line` counts from 0, -1 for the text before any heading.
    """

    word: Word | None
    heading: str
    heading_line: int
    start: int
    end: int
    title: TopTitle | None = None


class _Outline:
    """Sections found so far, and the one that is still open."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.word: Word | None = Word("metadata", "")
        self.heading = ""
        self.heading_line = -1
        self.level = self.start = 0
        self.title: TopTitle | None = None
        # The field of the last section that the form knows, and whether the top heading was met.
        self.known = ""
        self.titled = False

    def close(self, end: int) -> None:
        section = Section(self.word, self.heading, self.heading_line, self.start, end, self.title)
        self.sections.append(section)

    def take(self, heading: Heading) -> None:
        """Open a section at a heading, or leave the heading in the section that it stands in."""
        word = find_heading(heading.text)
        title = None if self.known or self.titled else parse_top_title(heading.text)
        if title and not word:
            self._open(heading, Word("metadata", title.language), title)
            self.titled = True
        elif word:
            self._open(heading, word)
            self.known = word.field
        elif heading.strict and not self._keeps(heading):
            self._open(heading, None)

    def _keeps(self, heading: Heading) -> bool:
        if self.known == "snippets" and take_path(heading.text):
            return self.word is not None
        nests = self.word is None or self.word.field in _NESTING
        return nests and heading.level > self.level

    def _open(self, heading: Heading, word: Word | None, title: TopTitle | None = None) -> None:
        self.close(heading.line)
        if word is None and self.known == "snippets" and take_path(heading.text):
            word, start = Word("snippets", ""), heading.line
        else:
            start = heading.start
        self.word, self.heading, self.title = word, heading.text, title
        self.heading_line, self.level, self.start = heading.line, heading.level, start


def outline(source: Source) -> list[Section]:
    """Return the report's sections in order, first what stands before any heading (as `metadata`).

    A heading inside fenced code is none. A known name opens its section at any level; an unknown heading opens one of
    its own, except below a section of prose, where a deeper one is kept as text, and except for a snippet's path.
    """
    found = _Outline()
    number = floor = 0
    lines = source.lines
    while number < len(lines):
        fence = source.fences.get(number)
        if fence:
            number = floor = fence.end
            continue
        heading = _heading_at(lines, number, floor)
        if heading:
            found.take(heading)
            floor = number + 1
        number += 1
    found.close(len(lines))
    return found.sections


def _heading_at(lines: list[str], number: int, floor: int) -> Heading | None:
    mark = lines[number].lstrip()[:1]
    if mark in ("#", "＃"):
        return marked_heading(lines[number], number)
    if mark in ("=", "-"):
        return underlined_heading(lines, number, floor)
    return None
