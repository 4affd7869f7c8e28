"""Core: the fields of Django's debug page, as its text form and a copied page have them."""

import re
from typing import NamedTuple

from errorkb.core.tracebacks.pastes import Frame

_TYPE = re.compile(r"^Exception Type:\s*(?P<type>[A-Za-z_][\w.]*)?")
_VALUE = re.compile(r"^Exception Value:\s*(?P<value>.*)$")
_PLACE = re.compile(r"^Exception Location:\s*(?P<path>[^,\n]{1,800}), line (?P<line>\d{1,9}), in (?P<symbol>[\w.<>]+)")
_OTHER = re.compile(
    r"^(?:Request (?:Method|URL)|Django Version|Python (?:Executable|Version|Path)|Server time|Raised during):"
)
_HEAD = re.compile(r"^(?P<type>(?:[a-z_]\w{0,80}\.){0,8}[A-Z]\w{2,100}) at /\S*$")


class PageField(NamedTuple):
    """A field of the page: its kind (`head`, `type`, `value`, `place`, `other`), its text, the frame it tells of."""

    kind: str
    text: str
    frame: Frame | None = None


def page_field(text: str, number: int) -> PageField | None:
    """Return the field that a line of the page is; most lines are none."""
    stripped = text.strip()
    if not stripped.startswith("Exception "):
        if _OTHER.match(stripped):
            return PageField("other", "")
        head = _HEAD.match(stripped) if " at /" in stripped else None
        return PageField("head", head["type"]) if head else None
    if match := _TYPE.match(stripped):
        return PageField("type", match["type"] or "")
    if match := _VALUE.match(stripped):
        return PageField("value", match["value"])
    match = _PLACE.match(stripped)
    if not match:
        return None
    return PageField("place", "", Frame(match["path"], int(match["line"]), match["symbol"], "", number))
