"""Scanning, Python: a source without the functions that hold no throw word: half of what a parser has to read.

What is left out is found again by its line, and parsed where a site asks for it. Line numbers stay the same. Where
the outline of a source is not plain to see, nothing is left out, and a text that does not parse once it is thinned is
to be parsed whole: so what is left in is read as it always was. What is wrong inside of what is left out goes
unnoticed, as in files that are passed over unread; Python 2 is told by its `print`.
"""

import re
from bisect import bisect_left, bisect_right
from functools import cache
from typing import NamedTuple

# Below these letters, a file or a function costs less to parse than to look at.
LEAST_FILE = 4000
LEAST_BODY = 100

_TRIPLE_QUOTE = re.compile("\"\"\"|'''")
_STRANGE_BEFORE_QUOTES = ('"', "'", "#", "\\")
# Indentation that is not by blanks alone, and Python 2.
_STRANGE_IN_FILE = ("\n\t", " \t", "\f", 'print "', "print '")
_PLAIN = r"""[^()"'#\\]++|"[^"\n\\]*+"|'[^'\n\\]*+'|#[^\n]*+"""
_INNERMOST = rf"\((?:{_PLAIN})*+\)"
_INNER = rf"\((?:{_PLAIN}|{_INNERMOST})*+\)"
_RETURNED = r"""[^:()"'#\\]++|"[^"\n\\]*+"|'[^'\n\\]*+'"""
_HEAD = re.compile(
    rf"^( *+)(?:async ++)?def ++\w++ *+\((?:{_PLAIN}|{_INNER})*+\) *+(?:->(?:{_RETURNED})*+)?: *+(?:#[^\n]*+)?\n",
    re.MULTILINE,
)


class Thinned(NamedTuple):
    """A source to be parsed, and by a left-out function's first line its last one, counted from 1."""

    text: str
    left_out: dict[int, int]


def thinned(text: str, throw_words: list[int]) -> Thinned:
    """Return a source without the bodies of functions in which none of the throw words' offsets (ascending) lies."""
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
            if head.start() < taken or self._string_around(head.start()):
                continue
            end = self._start_of(_dedent(len(head[1])), head.end() - 1)
            first = self._first_needless(head, end)
            if end - first < LEAST_BODY:
                continue
            top = line + self._lines(taken, head.start())
            line = top + self._lines(head.start(), end)
            left_out[top] = line - (self._text[end - 1] == "\n")
            nothing = f"{head[1]} pass" if first == head.end() else ""
            pieces += (self._text[taken:first], nothing, "\n" * self._lines(first, end))
            taken = end
        return Thinned("".join([*pieces, self._text[taken:]]), left_out)

    def _lines(self, start: int, end: int) -> int:
        return self._text.count("\n", start, end)

    def _first_needless(self, head: re.Match[str], end: int) -> int:
        """Return from where on a function is not needed: from its body on, or from behind its last throw word.

        What is assigned behind a site cannot reach it, but for sites in functions within.
        """
        text, body = self._text, head.end()
        code = _first_line(len(head[1])).match(text, body, end)
        if code is None or text.find("\\\n", body, end) >= 0:
            return end
        at = bisect_left(self._throw_words, end)
        last = self._throw_words[at - 1] if at else 0
        if last < body:
            return body
        indent = code.end() - 1 - (text.rfind("\n", 0, code.end()) + 1)
        return end if text.find("def ", body, end) >= 0 else min(end, self._start_of(_statement(indent), last))

    def _start_of(self, line: re.Pattern[str], at: int) -> int:
        """Return where the next line of a kind starts that is in no string; the end of the text where none is left."""
        while found := line.search(self._text, at):
            around = self._string_around(found.end() - 1)
            if not around:
                return found.start() + 1
            at = around
        return len(self._text)

    def _string_around(self, offset: int) -> int:
        """Return where the triple-quoted string ends that an offset lies in; 0 where it lies in none."""
        at = bisect_right(self._strings, (offset,)) - 1
        return self._strings[at][1] if at >= 0 and offset < self._strings[at][1] else 0


def _long_strings(text: str) -> list[tuple[int, int]] | None:
    """Return where triple-quoted strings start and end; None where other quotes or escapes stand too near to tell."""
    strings: list[tuple[int, int]] = []
    start, after = -1, 0
    for quote in _TRIPLE_QUOTE.finditer(text):
        at = quote.start()
        if start < 0:
            before = text[max(after, text.rfind("\n", after, at) - 1) : at]
            if any(mark in before for mark in _STRANGE_BEFORE_QUOTES):
                return None
            start = at
        elif text.startswith(quote[0], start):
            if text[at - 1] == "\\":
                return None
            after = quote.end()
            strings.append((start, after))
            start = -1
    return strings if start < 0 else None


@cache
def _dedent(indent: int) -> re.Pattern[str]:
    """Return what finds the start of a line of code with at most some blanks before it."""
    return re.compile(rf"\n {{0,{indent}}}[^\s#]")


@cache
def _statement(indent: int) -> re.Pattern[str]:
    """Return what finds the start of a statement with at most some blanks before it, and not the rest of another."""
    return re.compile(rf"\n {{0,{indent}}}(?!(?:elif|else|except|finally|case)\b)[^\s#)\]}}]")


@cache
def _first_line(indent: int) -> re.Pattern[str]:
    """Return what matches up to code with more than some blanks before it, comments and empty lines passed by."""
    return re.compile(rf"(?: *+(?:#[^\n]*+)?\n)*+ {{{indent + 1}}} *+[^\s#]")
