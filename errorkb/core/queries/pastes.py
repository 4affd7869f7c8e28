"""Core: whether a query is no search at all, but an error that somebody has pasted."""

import re

from errorkb.core.queries.shapes import Query

# A query of so many words is an error that was pasted.
PASTED_WORDS = 5
_ERROR_TYPE = re.compile(r"[a-z](?:Error|Exception|Warning)\b|\w:$")


def is_pasted(query: Query) -> bool:
    """Return whether a query looks like a line of an error rather than a few words: `KeyError: x`, or a sentence."""
    return len(query.words) >= PASTED_WORDS or any(map(_ERROR_TYPE.search, query.words))


def is_several_lines(text: str) -> bool:
    """Return whether a text has more lines than one that say something, as no search has."""
    return len(text.strip().splitlines()) > 1
