"""Core, pull request reports: a report's text as lines, with its headings' marks and its fenced code found."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from errorkb.core.pr_reports.problems import ReportError
from errorkb.core.pr_reports.words import find_heading

_REFUSED = re.compile("[\x00\ud800-\udfff]")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)", re.DOTALL)
_HEADING = re.compile(r"[ \t]*([#＃]+)(.*)", re.DOTALL)
_UNDERLINE = re.compile(r" {0,3}(?:={2,}|-{2,})[ \t]*")


@dataclass(frozen=True, slots=True)
class Fence:
    """Fenced code: lines `start` to before `end`, the fence itself included; `closed` if the last line is a fence."""

    start: int
    end: int
    indent: int
    info: str
    closed: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A report's lines without their ends, and its fenced code by the index of the first line."""

    lines: list[str]
    fences: dict[int, Fence]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str
    line: int
    start: int
    strict: bool


def read_source(text: str) -> Source:
    """Return the text's lines and fences; any of the three line ends is read, a byte order mark is dropped.

    Fences are CommonMark's, except that one which is never closed ends before the next heading that the form knows:
    a report loses one snippet then, and not all that follows. Raises ReportError for NUL and lone surrogates.
    """
    refused = _REFUSED.search(text)
    if refused:
        before = text[: refused.start()].replace("\r\n", "\n").replace("\r", "\n")
        name = "NUL character" if refused.group() == "\x00" else "lone surrogate"
        raise ReportError(f"expected text, found a {name}", before.count("\n") + 1)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return Source(lines, _find_fences(lines))


def indent_of(line: str) -> int:
    """Return the columns of white space that a line starts with, tab stops being four apart."""
    lead = line[: len(line) - len(line.lstrip(" \t"))]
    return len(lead.expandtabs(4)) if "\t" in lead else len(lead)


def heading_text(line: str) -> str | None:
    """Return the text of a Markdown heading marked by #, or None for any other line."""
    heading = marked_heading(line, 0)
    return heading.text if heading and heading.strict else None


def marked_heading(line: str, number: int) -> Heading | None:
    """Read `## Heading ##`; `strict` is False for what only a known name makes a heading, such as `##Heading`."""
    if "#" not in line and "＃" not in line:
        return None
    found = _HEADING.fullmatch(line)
    if not found or indent_of(line) > 3:
        return None
    marks, rest = found.groups()
    text = rest.strip()
    closing = text.rstrip("#")
    if not closing or closing[-1] in " \t":
        text = closing.rstrip()
    strict = "＃" not in marks and len(marks) <= 6 and rest[:1] in ("", " ", "\t")
    return Heading(len(marks), text, number, number + 1, strict)


def underlined_heading(lines: list[str], number: int, floor: int) -> Heading | None:
    """Read a heading of one line, alone above the line that underlines it, or of a name that the form knows."""
    if number <= floor or not _UNDERLINE.fullmatch(lines[number]):
        return None
    text = lines[number - 1].strip()
    alone = number - 1 == floor or not lines[number - 2].strip()
    if not text or not (alone or find_heading(text)):
        return None
    mark = lines[number].strip()[0]
    return Heading(1 if mark == "=" else 2, text, number - 1, number + 1, strict=mark == "=")


@dataclass(frozen=True, slots=True)
class _FenceLine:
    line: int
    mark: str
    length: int
    indent: int
    info: str

    def opens(self) -> bool:
        return self.mark == "~" or "`" not in self.info

    def closes(self, opener: "_FenceLine") -> bool:
        fits = self.mark == opener.mark and self.length >= opener.length and not self.info
        return fits and self.indent <= opener.indent + 3


def _find_fences(lines: list[str]) -> dict[int, Fence]:
    candidates = list(_fence_lines(lines))
    reach = _longest_closers(candidates)
    fences: dict[int, Fence] = {}
    position = resume = 0
    while position < len(candidates):
        opener = candidates[position]
        position += 1
        if opener.line < resume or not opener.opens():
            continue
        closed = False
        if reach[position][opener.mark] < opener.length:
            resume = _next_known_heading(lines, opener.line + 1)
        else:
            while position < len(candidates) and not candidates[position].closes(opener):
                position += 1
            closed = position < len(candidates)
            resume = candidates[position].line + 1 if closed else len(lines)
        fences[opener.line] = Fence(opener.line, resume, opener.indent, opener.info, closed)
    return fences


def _fence_lines(lines: list[str]) -> Iterator[_FenceLine]:
    for number, line in enumerate(lines):
        if "```" not in line and "~~~" not in line:
            continue
        found = _FENCE.fullmatch(line)
        if found:
            marks, info = found.groups()
            yield _FenceLine(number, marks[0], len(marks), indent_of(line), info.strip())


def _longest_closers(candidates: list[_FenceLine]) -> list[dict[str, int]]:
    """Return for each position the longest closing fence at or behind it, so that no opener searches in vain twice."""
    longest = {"`": 0, "~": 0}
    behind = [longest]
    for candidate in reversed(candidates):
        if not candidate.info and candidate.length > longest[candidate.mark]:
            longest = {**longest, candidate.mark: candidate.length}
        behind.append(longest)
    behind.reverse()
    return behind


def _next_known_heading(lines: list[str], start: int) -> int:
    for number in range(start, len(lines)):
        heading = marked_heading(lines[number], number)
        if heading and find_heading(heading.text):
            return number
    return len(lines)
