"""Scanning, Python: a source without what no site needs of its functions: half of what a parser has to read.

What is left out is found again by its line, and parsed where a site asks for it. Line numbers stay the same. Where
the outline of a source is not plain to see, nothing is left out, and a text that does not parse once it is thinned is
to be parsed whole: so what is left in is read as it always was. What is wrong inside of what is left out goes
unnoticed, as in files that are passed over unread; Python 2 is told by its `print`.
"""

import re
from bisect import bisect_left, bisect_right
from functools import cache
from typing import NamedTuple

from errorkb.scanning.python.words import offsets_of

# Below these letters, a file or a function costs less to parse than to look at.
LEAST_FILE = 4000
LEAST_BODY = 100

_TRIPLE_QUOTES = ('"""', "'''")
_STRANGE_BEFORE_QUOTES = ('"', "'", "#", "\\")
# What may indent beside blanks, and Python 2.
_STRANGE_IN_FILE = ("\t", "\f", 'print "', "print '")
_PLAIN = r"""[^()"'#\\]++|"[^"\n\\]*+"|'[^'\n\\]*+'|#[^\n]*+"""
_INNERMOST = rf"\((?:{_PLAIN})*+\)"
_INNER = rf"\((?:{_PLAIN}|{_INNERMOST})*+\)"
_PARAMETERS = rf"(?:{_PLAIN}|{_INNER})*+"
_RETURNED = r"""(?:->(?:[^:()"'#\\]++|"[^"\n\\]*+"|'[^'\n\\]*+')*+)?"""
# From the end of the line before to the end of its own. What begins with a plain letter is found ten times as fast.
_HEAD = re.compile(
    rf"\n( *+)(?:async ++)?def ++\w++ *+\((?P<given>{_PARAMETERS})\) *+(?P<returned>{_RETURNED}): *+(?:#[^\n]*+)?(?=\n)"
)


class Thinned(NamedTuple):
    """A source to be parsed, and by a thinned function's first line its last one, counted from 1.

    Of some functions it holds the name and what they return, of others all up to their last throw word.
    """

    text: str
    left_out: dict[int, int]


def thinned(text: str, throw_words: list[int]) -> Thinned:
    """Return a source without what needs no parsing, by the offsets of its throw words in ascending order."""
    strings = None if len(text) < LEAST_FILE or any(mark in text for mark in _STRANGE_IN_FILE) else _long_strings(text)
    return Thinned(text, {}) if strings is None else _Thinning(text, throw_words, strings).thinned()


class _Thinning:
    """Goes through the heads of functions; `strings` are where triple-quoted strings start and end."""

    def __init__(self, text: str, throw_words: list[int], strings: list[tuple[int, int]]) -> None:
        self._text = text
        self._throw_words = throw_words
        self._strings = strings

    def thinned(self) -> Thinned:
        pieces: list[str] = []
        left_out: dict[int, int] = {}
        taken, line = 0, 1
        for head in _HEAD.finditer(self._text):
            start, body = head.start(1), head.end() + 1
            if start < taken or self._string_around(start):
                continue
            end = self._next_line(_dedent(len(head[1])), head.end())
            first = self._first_needless(body, end, len(head[1]))
            if end - first < LEAST_BODY:
                continue
            top = line + self._lines(taken, start)
            line = top + self._lines(start, end)
            left_out[top] = line - (self._text[end - 1] == "\n")
            kept = first if first > body else head.start("given")
            rest = "" if first > body else f") {' '.join(head['returned'].split())}: pass"
            pieces += (self._text[taken:kept], rest, "\n" * self._lines(kept, end))
            taken = end
        return Thinned("".join([*pieces, self._text[taken:]]), left_out)

    def _lines(self, start: int, end: int) -> int:
        return self._text.count("\n", start, end)

    def _first_needless(self, body: int, end: int, indent: int) -> int:
        """Return from where on a function needs no parsing: from its body on, or from behind its last throw word.

        What is assigned behind a site cannot reach it, but for sites in functions within.
        """
        text = self._text
        code = _first_line(indent).match(text, body, end)
        if code is None or text.find("\\\n", body, end) >= 0:
            return end
        at = bisect_left(self._throw_words, end)
        last = self._throw_words[at - 1] if at else 0
        if last < body:
            return body
        return end if text.find("def ", body, end) >= 0 else min(end, self._next_line(_statement(len(code[1])), last))

    def _next_line(self, kind: re.Pattern[str], at: int) -> int:
        """Return where the next line of a kind starts that is in no string; the end of the text where none is left."""
        while found := kind.search(self._text, at):
            at = self._string_around(found.end())
            if not at:
                return found.end()
        return len(self._text)

    def _string_around(self, offset: int) -> int:
        """Return where the triple-quoted string ends that an offset lies in; 0 where it lies in none."""
        at = bisect_right(self._strings, (offset,)) - 1
        return self._strings[at][1] if at >= 0 and offset < self._strings[at][1] else 0


def _long_strings(text: str) -> list[tuple[int, int]] | None:
    """Return where triple-quoted strings start and end; None where other quotes or escapes stand too near to tell."""
    strings: list[tuple[int, int]] = []
    start, after = -1, 0
    for at in sorted(at for quote in _TRIPLE_QUOTES for at in offsets_of(quote, text)):
        if start < 0:
            before = text[max(after, text.rfind("\n", after, at) - 1) : at]
            if any(mark in before for mark in _STRANGE_BEFORE_QUOTES):
                return None
            start = at
        elif text.startswith(text[at : at + 3], start):
            if text[at - 1] == "\\":
                return None
            after = at + 3
            strings.append((start, after))
            start = -1
    return strings if start < 0 else None


@cache
def _dedent(indent: int) -> re.Pattern[str]:
    """Return what finds the end of the line before a line of code with at most some blanks before it."""
    return re.compile(rf"\n(?! {{{indent + 1}}}| *+[\n#])")


@cache
def _statement(indent: int) -> re.Pattern[str]:
    """Return what finds the same of a line that is not the rest of a statement either."""
    return re.compile(rf"\n(?! {{{indent + 1}}}| *+(?:[\n#)\]}}]|(?:elif|else|except|finally|case)\b))")


@cache
def _first_line(indent: int) -> re.Pattern[str]:
    """Return what matches up to code with more than some blanks before it, comments and empty lines passed by."""
    return re.compile(rf"(?: *+(?:#[^\n]*+)?\n)*+( {{{indent + 1}}} *+)[^\s#]")
