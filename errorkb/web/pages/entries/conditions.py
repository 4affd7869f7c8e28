"""Web pages: the conditions of an error as a scanner has worked them out, told apart from what people wrote."""

import re
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.documents import EntryDocument
from errorkb.core.rendering import render_plain
from errorkb.models import ErrorEntry, Sighting
from errorkb.web.pages.entries.sightings import scan_in_words
from errorkb.web.pages.facts import SHOWN_ITEMS

# A text with more marks is shown as it is.
MAX_MARKS = 200

_SIGNATURE = "Signature: "
_MARKS = re.compile(r"(`+)")
_HIDDEN_MARK = '<span class="unseen" aria-hidden="true">{}</span>'


@dataclass(frozen=True)
class Conditions:
    """What one scan has worked out: where it comes from, the function's signature, the steps to the error."""

    origin: str
    signature: SafeString
    steps: tuple[SafeString, ...]


def conditions_of(entry: ErrorEntry, document: EntryDocument) -> tuple[Conditions, ...]:
    """Return the conditions that the newest scan saw, then those of the document that are not among them."""
    seen = _seen(entry.newest) if entry.newest else []
    stated = [text for text in (document.conditions or [])[:SHOWN_ITEMS] if text not in seen]
    origin = f"Worked out from the source by a scanner, {scan_in_words(entry.newest.scan)}." if entry.newest else ""
    plain = "Worked out from the source by a scanner."
    earlier = "Worked out from the source when the entry was written." if seen else plain
    return tuple(_conditions(where, texts) for where, texts in ((origin, seen), (earlier, stated)) if texts)


def step_html(text: str) -> SafeString:
    """Return a condition as HTML: what stands between backticks as code, or all of it where there are none.

    Its text is `text`, to the mark: the backticks are there for whoever copies it.
    """
    pieces = _MARKS.split(text) if text.count("`") <= MAX_MARKS else [text]
    if len(pieces) == 1:
        return mark_safe(render_plain(text) if "`" in text else f"<code>{render_plain(text)}</code>")
    made, position = [], 0
    while position < len(pieces):
        closing = _closing(pieces, position)
        if closing:
            mark = _HIDDEN_MARK.format(pieces[position])
            code = render_plain("".join(pieces[position + 1 : closing]))
            made.append(f"{mark}<code>{code}</code>{mark}")
        else:
            made.append(render_plain(pieces[position]))
        position = (closing or position) + 1
    return mark_safe("".join(made))


def _closing(pieces: list[str], opening: int) -> int:
    """Return the place of the marks that close those at `opening`; 0 where none do, or it is no mark."""
    if opening % 2 == 0:
        return 0
    return next((n for n in range(opening + 2, len(pieces), 2) if pieces[n] == pieces[opening]), 0)


def _seen(sighting: Sighting) -> list[str]:
    """Return the conditions of a sighting, its signature last, as the document of a scan has it."""
    fence = "``" if "`" in sighting.signature else "`"
    signature = [f"{_SIGNATURE}{fence}{sighting.signature}{fence}"] if sighting.signature else []
    return [*map(str, sighting.conditions[: SHOWN_ITEMS - 1]), *signature]


def _conditions(origin: str, texts: list[str]) -> Conditions:
    signature = next((text for text in texts if text.startswith(f"{_SIGNATURE}`")), "")
    steps = (step_html(text) for text in texts if text != signature)
    return Conditions(origin, step_html(signature) if signature else SafeString(""), tuple(steps))
