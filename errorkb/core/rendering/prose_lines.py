"""Core, rendering: the lines of prose with their indentation, and the fenced code among them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from errorkb.core.rendering.languages import is_language

CODE_INDENT = 4
"""Columns of indentation from which on text is code."""

FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)")
"""The line that opens fenced code: the fence, then words about the code."""


@dataclass(frozen=True)
class Line:
    """A line, and the same without its indentation, which is counted in columns: a tab goes to the next fourth."""

    raw: str
    body: str
    indent: int

    @classmethod
    def of(cls, raw: str) -> "Line":
        body = raw.lstrip(" \t")
        return cls(raw, body, len(raw[: len(raw) - len(body)].expandtabs(CODE_INDENT)) if body else 0)

    def without(self, columns: int) -> str:
        """Return the line with up to `columns` of its indentation taken off, the rest as it was written."""
        if self.raw.startswith(" " * columns):
            return self.raw[columns:]
        lead = self.raw[: len(self.raw) - len(self.raw.lstrip(" \t"))]
        return lead.expandtabs(CODE_INDENT)[columns:] + self.raw[len(lead) :]


@dataclass(frozen=True)
class CodeBlock:
    """Code that was taken out of prose, and the name of its language if its fence gives one that is known."""

    code: str
    language: str | None


@dataclass(frozen=True)
class Fenced:
    """Fenced code, the words on its fence that name no language, and the number of the line after it."""

    block: CodeBlock
    caption: str
    end: int


def run_end(lines: Sequence[Line], start: int, belongs: Callable[[Line], object]) -> int:
    """Return the number of the first line from `start` on that does not belong."""
    while start < len(lines) and belongs(lines[start]):
        start += 1
    return start


def read_fenced(lines: Sequence[Line], start: int, fence: re.Match[str], indent: int) -> Fenced:
    """Return the code behind the line `start`, on which `fence` was found at column `indent`.

    Up to `indent` columns are taken off each line. Without a closing fence the code goes on to the last line.
    """
    ticks, info = fence[1], fence[2].strip(" \t")
    end = run_end(lines, start + 1, lambda line: not _closes(line.body, ticks))
    word, _, rest = info.partition(" ")
    language, caption = (word, rest.strip(" \t")) if is_language(word) else (None, info)
    code = "\n".join(line.without(indent) for line in lines[start + 1 : end])
    return Fenced(CodeBlock(code, language), caption, end + 1)


def _closes(body: str, ticks: str) -> bool:
    """Tell whether a line ends the code that a fence of `ticks` began."""
    return body.startswith(ticks) and not body.rstrip(" \t").strip(ticks[0])
