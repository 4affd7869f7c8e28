"""Core: a template as match sees it: literal texts with slots between them, and the letters of each literal.

Unlike `message_templates` this never refuses: a brace that means nothing is literal. Only the beginning of a template
is looked at, which is more than enough to know it by.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from errorkb.core.skeletons import letters_of

MOST_CHARACTERS = 4000
# Of a template with more slots, the rest is not looked at.
MOST_SLOTS = 200

_BRACES = re.compile(r"(\{\{|\}\})|\{([^{}]+)\}|[{}]")
_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal text of a template; `letters` is its skeleton, empty where it has no words.

    `head` and `tail` are what stands before its first and behind its last letter, all of it in `head` where there is
    no letter.
    """

    text: str
    letters: str
    head: str
    core: str
    tail: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A template taken apart: `slots[n]` stands between `literals[n]` and `literals[n + 1]`, which may be empty."""

    literals: tuple[Literal, ...]
    slots: tuple[str, ...]
    letter_count: int


@lru_cache(maxsize=1024)
def shape_of(template: str) -> Shape:
    """Take a template apart.

    >>> [literal.text for literal in shape_of("{0} of {count} {{x}}").literals]
    ['', ' of ', ' {x}']
    """
    texts, slots = [""], []
    template = _beginning(template)
    end = 0
    for match in _BRACES.finditer(template):
        texts[-1] += template[end : match.start()] + (match[1][0] if match[1] else "" if match[2] else match[0])
        end = match.end()
        if match[2]:
            slots.append(match[2])
            texts.append("")
        if len(slots) == MOST_SLOTS:
            break
    else:
        texts[-1] += template[end:]
    literals = tuple(map(_literal, texts))
    return Shape(literals, tuple(slots), sum(len(literal.letters) for literal in literals))


def literal_texts(template: str) -> tuple[str, ...]:
    """Return the literal texts of a template that have words in them."""
    return tuple(literal.text for literal in shape_of(template).literals if literal.letters)


def _beginning(template: str) -> str:
    """Return as much of a template as is looked at; a slot that is cut through is left out."""
    if len(template) <= MOST_CHARACTERS:
        return template
    cut = template[:MOST_CHARACTERS]
    opened = cut.rfind("{")
    return cut[:opened] if opened > cut.rfind("}") else cut


def _literal(text: str) -> Literal:
    letters = letters_of(text)
    if not letters:
        return Literal(text, "", text, "", "")
    first = _LETTER.search(text)
    last = _LETTER.search(text[::-1])
    assert first and last
    start, end = first.start(), len(text) - last.start()
    return Literal(text, letters, text[:start], text[start:end], text[end:])
