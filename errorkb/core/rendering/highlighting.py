"""Core, rendering: code as runs of text that share a colour, found by Pygments within bounds."""

import re
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, Token, _TokenType

from errorkb.core.rendering.languages import canonical_language

MAX_CODE = 64 * 1024
"""Longest code, in characters, that is highlighted."""

MAX_LINE = 1_000
"""Longest line, in characters, of code that is highlighted."""

MAX_BLANK = 1_000
"""Longest run of spaces and newlines in code that is highlighted: several lexers look for the end of each afresh."""

MAX_SECONDS = 0.5
"""Processor time after which a lexer is given up: three to seven times what MAX_CODE of ordinary code takes."""

_CLOCK_EVERY = 32
_OPTIONS: dict[str, dict[str, bool]] = {"php": {"startinline": True}}  # an example seldom begins with `<?php`
_UNREADABLE = re.compile(rf"(?<![^\n])[^\n]{{{MAX_LINE + 1}}}|(?<!\s)\s{{{MAX_BLANK + 1}}}")

_COLOURED = (
    "Comment",
    "Comment.Preproc",
    "Keyword",
    "Keyword.Constant",
    "Keyword.Type",
    "Operator.Word",
    "Name.Attribute",
    "Name.Builtin",
    "Name.Builtin.Pseudo",
    "Name.Class",
    "Name.Constant",
    "Name.Decorator",
    "Name.Exception",
    "Name.Function",
    "Name.Namespace",
    "Name.Tag",
    "Name.Variable",
    "Literal.Number",
    "Literal.String",
    "Literal.String.Doc",
    "Literal.String.Escape",
    "Literal.String.Interpol",
    "Literal.String.Regex",
    "Generic.Deleted",
    "Generic.Inserted",
    "Generic.Heading",
    "Generic.Subheading",
    "Generic.Output",
    "Generic.Prompt",
    "Generic.Error",
    "Generic.Traceback",
)


def _token_type(path: str) -> _TokenType:
    """Return the token type with the dotted `path` below `Token`."""
    found = Token
    for name in path.split("."):
        found = getattr(found, name)
    return found


_CLASSES = {_token_type(path): STANDARD_TYPES[_token_type(path)] for path in _COLOURED}

TOKEN_CLASSES = frozenset(_CLASSES.values())
"""The classes, short names of Pygments, that highlighted code uses and the style sheet colours."""


@cache
def _class_of(kind: _TokenType) -> str:
    """Return the class of the nearest coloured ancestor of `kind`, or nothing."""
    while kind.parent is not None:
        if kind in _CLASSES:
            return _CLASSES[kind]
        kind = kind.parent
    return ""


class _Lexers(threading.local):
    """The lexers that this thread has used: making one costs more than highlighting a few lines."""

    def __init__(self) -> None:
        self.by_language: dict[str, Lexer] = {}

    def get(self, language: str) -> Lexer:
        if language not in self.by_language:
            self.by_language[language] = get_lexer_by_name(language, **_OPTIONS.get(language, {}))
        return self.by_language[language]


_LEXERS = _Lexers()


def _merge(tokens: Iterable[tuple[int, _TokenType, str]], clock: Callable[[], float]) -> list[tuple[str, str]] | None:
    """Return the tokens with neighbours of one class joined, or None when the time is up."""
    runs: list[tuple[str, list[str]]] = []
    deadline = clock() + MAX_SECONDS
    for count, (_, kind, text) in enumerate(tokens):
        if count % _CLOCK_EVERY == 0 and clock() > deadline:
            return None
        name = _class_of(kind)
        if not runs or runs[-1][0] != name:
            runs.append((name, []))
        runs[-1][1].append(text)
    return [(name, "".join(texts)) for name, texts in runs]


def highlight(
    code: str, language: str | None, *, clock: Callable[[], float] = time.thread_time
) -> list[tuple[str, str]]:
    """Return `code` as (class, text) runs; the class is empty or one of TOKEN_CLASSES, the texts joined are `code`.

    Code in an unknown language, over MAX_CODE, with a line over MAX_LINE or blanks over MAX_BLANK, or on which a
    lexer fails, loses text or works longer than MAX_SECONDS by `clock`, comes back as one run without a class.
    """
    plain = [("", code)]
    known = canonical_language(language)
    if known is None or len(code) > MAX_CODE or _UNREADABLE.search(code):
        return plain
    # Line-based lexers drop a last line without its end; `get_tokens` would strip and normalize.
    tokens = _LEXERS.get(known).get_tokens_unprocessed(code + "\n")
    try:
        runs = _merge(tokens, clock)
    except Exception:  # whatever a lexer raises, colour is not worth the page
        return plain
    if runs is None or "".join(text for _, text in runs) != code + "\n":
        return plain
    name, text = runs[-1]
    return [*runs[:-1], (name, text[:-1])]
