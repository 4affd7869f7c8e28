"""Core, pull request reports: a report's text as lines, with its fenced code found."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from errorkb.core.pr_reports.marks import indent_of, marked_heading
from errorkb.core.pr_reports.problems import ReportError
from errorkb.core.pr_reports.words import find_heading

_REFUSED = re.compile("[\x00\ud800-\udfff]")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)", re.DOTALL)


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
