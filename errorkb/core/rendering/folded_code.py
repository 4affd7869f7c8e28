r"""Core, rendering: code that arrived on one line, its newlines spelled `\n`, made into lines again."""

import re

# Read from left to right, the first alternative that fits; the quantifiers are possessive, so a failure costs one look.
_PART = re.compile(
    r"""
      (?P<block>"{3}(?:[^"\\]|\\.|"(?!""))*+"{3} | '{3}(?:[^'\\]|\\.|'(?!''))*+'{3})
    | "(?:[^"\\]|\\.)*+" | '(?:[^'\\]|\\.)*+' | `(?:[^`\\]|\\.)*+`
    | (?:\#|//)(?:[^\\]|\\(?!n|r\\n))*+
    | \b[A-Za-z]:(?:\\[\w.-]{2,}+)++
    | (?P<newline>(?:\\r)?\\n)
    | (?P<tab>\\t)
    | \\. | \w++ | [^\\"'`\#/\w]++ | .
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:r\\n|.)", re.DOTALL)
_UNFOLDED = {r"\r\n": "\n", r"\n": "\n", r"\t": "\t"}


MAX_FOLDED = 256 * 1024
"""Longest code, in characters, that is unfolded."""


def _unfold_escapes(text: str) -> str:
    return _ESCAPE.sub(lambda match: _UNFOLDED.get(match[0], match[0]), text)


def _unfold_part(match: re.Match[str]) -> str:
    """Return one part as it was before folding; strings of one line, comments and Windows paths stay as they are."""
    return _unfold_escapes(match[0]) if match.lastgroup else match[0]


def unfold_code(code: str) -> str:
    r"""Return `code` with its literal `\n` and `\t` made newlines and tabs, if it was folded into one line.

    It was if it holds no newline and a `\n` outside of strings, comments and paths: `try:\n    f()` becomes two
    lines, `print("a\nb")` stays. In triple-quoted strings of folded code they are unfolded as well. The work is
    linear in the length of `code`, which is at most MAX_FOLDED.
    """
    if len(code) > MAX_FOLDED or "\n" in code or r"\n" not in code:
        return code
    if not any(match.lastgroup == "newline" for match in _PART.finditer(code)):
        return code
    return _PART.sub(_unfold_part, code)
