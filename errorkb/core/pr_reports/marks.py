"""Core, pull request reports: the marks that a line of Markdown starts with, and what each makes of it."""

import re
from dataclasses import dataclass

from errorkb.core.pr_reports.inlines import take_label
from errorkb.core.pr_reports.words import find_heading

_HEADING = re.compile(r"[ \t]*([#＃]+)(.*)", re.DOTALL)
_UNDERLINE = re.compile(r" {0,3}(?:={2,}|-{2,})[ \t]*")
_BULLET = re.compile(r"[ \t]*(?:[-*+](?:[ \t]+|$)|[•·‣][ \t]*)")
_NUMBER = re.compile(
    r"[ \t]*(?:[0-9]{1,9}[.)](?:[ \t]+|$|(?=[\u3400-\u9fff]))|[0-9]{1,9}[、．）][ \t]*|[（(][0-9]{1,3}[）)][ \t]*)"
)
_FIRST_NUMBER = re.compile(r"[ \t]*[（(]?0*1[.)、．）]")
_RULE_MARKS = ("-", "*", "_", "—")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at the index `line`, its text from `start` on; not `strict` if only a name of the form makes it one."""

    level: int
    text: str
    line: int
    start: int
    strict: bool


def indent_of(line: str) -> int:
    """Return the columns of white space that a line starts with, tab stops being four apart."""
    if not line.startswith((" ", "\t")):
        return 0
    lead = line[: len(line) - len(line.lstrip(" \t"))]
    return len(lead.expandtabs(4)) if "\t" in lead else len(lead)


def heading_text(line: str) -> str | None:
    """Return the text of a Markdown heading marked by #, or None for any other line."""
    heading = marked_heading(line, 0)
    return heading.text if heading and heading.strict else None


def marked_heading(line: str, number: int) -> Heading | None:
    """Read `## Heading ##`; not strict are `##Heading`, `＃ Heading` and more than six marks."""
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
    named = find_heading(text) is not None
    if not text or not (alone or named) or take_mark(text) is not None or (take_label(text) and not named):
        return None
    mark = lines[number].strip()[0]
    return Heading(1 if mark == "=" else 2, text, number - 1, number + 1, strict=mark == "=")


def is_rule(line: str) -> bool:
    """Tell whether a line is a thematic break, such as `---`."""
    marks = line.strip()
    if not marks.startswith(_RULE_MARKS) or marks.count(marks[0]) < 3:
        return False
    return not marks.strip(f"{marks[0]} \t") and indent_of(line) <= 3


def take_mark(line: str) -> str | None:
    """Return what stands behind a list item's mark (`- `, `1. `, `1、`, `（1）`), or None where there is no mark."""
    found = _BULLET.match(line) or _NUMBER.match(line)
    return line[found.end() :] if found else None


def starts_list(line: str) -> bool:
    """Tell whether a line begins a list in the middle of a paragraph: with a bullet or the number 1, not with 2026."""
    return (_BULLET.match(line) or _FIRST_NUMBER.match(line)) is not None
