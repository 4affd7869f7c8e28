"""Core: what kind of thing a slot's value is, by its look."""

import re

# First rule that fits names the kind. Values are cut before they are looked at, so no rule takes long.
_MOST_CHARACTERS = 2000
_RULES = (
    ("url", re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*+://\S*")),
    ("number", re.compile(r"[-+]?+(?:\d[\d_,]*+(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?+\d++)?+%?+|[-+]?+(?:nan|inf)")),
    ("hex", re.compile(r"0[xX][0-9a-fA-F]++|(?=[a-fA-F]*+[0-9])[0-9a-fA-F]{8,}+")),
    ("hex", re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")),
    ("quoted", re.compile(r"(?s)[bru]?(?:'.*'|\".*\"|`.*`|“.*”|‘.*’|«.*»|「.*」)")),
    ("list", re.compile(r"(?s)\[.*\]|\(.*\)")),
    ("object", re.compile(r"(?s)\{.*\}|<.*>|[\w.]++\(.*\)")),
    ("path", re.compile(r"(?:[A-Za-z]:[\\/]|[~.]{0,2}/)[^\n]*+|[^\s/\\]++[/\\]\S*+")),
    ("word", re.compile(r"\S++")),
)  # fmt: skip


def slot_kind(value: str) -> str:
    """Return what a value is: path, url, number, hex, quoted, list, object, word, text or empty.

    >>> [slot_kind(value) for value in ("/etc/hosts", "3.5", "0x1f", "'a b'", "[1, 2]", "cuda", "")]
    ['path', 'number', 'hex', 'quoted', 'list', 'word', 'empty']
    """
    value = value.strip()[:_MOST_CHARACTERS]
    if not value:
        return "empty"
    return next((kind for kind, rule in _RULES if rule.fullmatch(value)), "text")
