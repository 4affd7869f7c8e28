"""Core: a template as match sees it: literal texts with slots between them, and the letters of each literal.

Unlike `message_templates` this never refuses: a brace that means nothing is literal. Only the beginning of a template
is looked at, which is more than enough to know it by.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from errorkb.core.skeletons import letters_of

MOST_CHARACTERS = 2000
# Of a template with more slots, the rest is not looked at.
MOST_SLOTS = 200

_SLOT = re.compile(r"\{([^{}]+)\}")
# The same where braces are doubled: what is literal is in no group.
_SLOT_OR_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]+)\}")
_LETTER = re.compile(r"[^\W_]")


class Shape(NamedTuple):
    """A template taken apart: `slots[n]` stands between `texts[n]` and `texts[n + 1]`, which may be empty.

    `letters` is the skeleton of each of the literal `texts`, empty where it has no words; `letter_count` is how many
    letters they have together.
    """

    texts: tuple[str, ...]
    slots: tuple[str, ...]
    letters: tuple[str, ...]
    letter_count: int


def shape_of(template: str) -> Shape:
    """Take a template apart.

    >>> shape_of("{0} of {count} {{x}}").texts
    ('', ' of ', ' {x}')
    """
    return _shape_of(template[:MOST_CHARACTERS])


# A long log has some thousands of templates that come into question, each of which is looked at several times. What is
# kept is what is looked at, for a template may have megabytes.
@lru_cache(maxsize=8192)
def _shape_of(template: str) -> Shape:
    template = _without_cut_slot(template)
    split = _split_escaped if "{{" in template or "}}" in template else _split
    texts, slots = split(template)
    if len(slots) == MOST_SLOTS:
        texts[-1] = ""
    letters = tuple(map(letters_of, texts))
    return Shape(tuple(texts), tuple(slots), letters, sum(map(len, letters)))


def literal_texts(template: str) -> tuple[str, ...]:
    """Return the literal texts of a template that have words in them."""
    shape = shape_of(template)
    return tuple(text for text, letters in zip(shape.texts, shape.letters, strict=True) if letters)


@lru_cache(maxsize=4096)
def split_edges(text: str) -> tuple[str, str, str]:
    """Return what a literal text has before its first letter, from there to its last one, and behind that.

    A text without letters is all before.

    >>> split_edges("' is not a ")
    ("' ", 'is not a', ' ')
    """
    first, last = _LETTER.search(text), _LETTER.search(text[::-1])
    if not first or not last:
        return text, "", ""
    end = len(text) - last.start()
    return text[: first.start()], text[first.start() : end], text[end:]


def _split(template: str) -> tuple[list[str], list[str]]:
    pieces = _SLOT.split(template, MOST_SLOTS)
    return pieces[::2], pieces[1::2]


def _split_escaped(template: str) -> tuple[list[str], list[str]]:
    texts, slots = [""], list[str]()
    end = 0
    for match in _SLOT_OR_BRACES.finditer(template):
        texts[-1] += template[end : match.start()] + ("" if match[1] else match[0][0])
        end = match.end()
        if match[1]:
            slots.append(match[1])
            texts.append("")
        if len(slots) == MOST_SLOTS:
            return texts, slots
    texts[-1] += template[end:]
    return texts, slots


def _without_cut_slot(cut: str) -> str:
    """Return the first MOST_CHARACTERS of a template without the slot that is cut through there, if one is."""
    if len(cut) < MOST_CHARACTERS:
        return cut
    opened = cut.rfind("{")
    return cut[:opened] if opened > cut.rfind("}") else cut
