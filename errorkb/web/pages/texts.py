"""Web pages: short texts made from longer ones."""

import re
from collections.abc import Iterable

from errorkb.core.rendering import plain_text

DESCRIPTION_LENGTH = 160

_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}")


def shortened(text: str, length: int) -> str:
    """Return a text on one line, cut to `length` characters at the end of a word, with an ellipsis where it was cut."""
    line = " ".join(text[: 8 * length].split())
    if len(line) <= length:
        return line
    return line[: length - 1].rsplit(" ", 1)[0].rstrip(" ,.;:") + "…"


def description(prose: str | None, title: str) -> str:
    """Return what a page says of itself to search engines: the beginning of its prose in plain text, else its title."""
    beginning = (prose or "")[: 8 * DESCRIPTION_LENGTH]
    return shortened(plain_text(beginning), DESCRIPTION_LENGTH) or shortened(title, DESCRIPTION_LENGTH)


def joined(parts: Iterable[str | None], separator: str = " · ") -> str:
    """Return the parts that are not empty, with a separator between them."""
    return separator.join(part for part in parts if part)


def language_tag(language: str | None) -> str:
    """Return a BCP 47 language tag for a `lang` attribute; nothing where it is none."""
    return language if language and _LANGUAGE_TAG.fullmatch(language) else ""
