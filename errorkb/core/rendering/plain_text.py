"""Core, rendering: prose in Markdown as plain text, for excerpts and descriptions."""

import re
from html import unescape

from errorkb.core.rendering.inline import render_spans

# What opens a line and is no text: marks of lists, headings and quotes; fences and rules are lines of their own.
_LINE_MARK = re.compile(
    r"^[ \t]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++|\#{1,6}[ ]++|>[ ]?|(?:`{3,}|~{3,})[^`\n]*$|(?:-{3,}|\*{3,})[ \t]*+$)",
    re.MULTILINE,
)
_TAG = re.compile("<[^>]*>")


def plain_text(prose: str) -> str:
    """Return prose without its Markdown; line breaks stay. Linear in the length of `prose`.

    >>> plain_text("- Pass `x=1`, **not** [y](https://example.org/)")
    'Pass x=1, not y'
    """
    return unescape(_TAG.sub("", render_spans(_LINE_MARK.sub("", prose))))
