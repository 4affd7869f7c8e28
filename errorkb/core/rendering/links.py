"""Core, rendering: which addresses in prose become links, and where a bare one ends."""

import re

from errorkb.core.rendering.controls import EXPOSED_CHARACTERS
from errorkb.core.rendering.sanitizer import keeps_address

MAX_URL = 2_000
"""Longest address, in characters, that is made a link."""

# After a bare address these belong to the sentence, not to the address.
_SENTENCE_END = "?!.,:;*_~'\"`|"
_LINKABLE = re.compile(r"(?:https?://[^\s/?#]|mailto:[^\s@]+@[^\s@]+\Z)", re.IGNORECASE)
_ESCAPED_PUNCTUATION = re.compile(r"\\([!-/:-@\[-`{-~])")


def link_address(destination: str) -> str | None:
    """Return the address that the destination of a Markdown link names, or None if it may not be linked.

    Only absolute http, https and mailto addresses of at most MAX_URL characters are linked; backslash escapes of
    punctuation are undone. Entities are not: `javascript&#58;x` is an unknown scheme.
    """
    url = _ESCAPED_PUNCTUATION.sub(r"\1", destination)
    if len(url) > MAX_URL or not _LINKABLE.match(url) or not EXPOSED_CHARACTERS.isdisjoint(url):
        return None
    return url if keeps_address(url) else None


def trim_bare_address(text: str) -> str:
    """Return the part of `text`, a run without spaces, that is an address: `(see http://a.b/c).` ends before `).`."""
    surplus = text.count(")") - text.count("(")
    end = len(text)
    while end:
        last = text[end - 1]
        if last == ")" and surplus > 0:
            surplus -= 1
        elif last not in _SENTENCE_END:
            break
        end -= 1
    return text[:end]
