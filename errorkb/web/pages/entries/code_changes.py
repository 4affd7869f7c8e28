"""Web pages: how the code around an entry's site has changed since its words were written, line by line."""

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.rendering import render_plain
from errorkb.core.source_checks import ChangedLine
from errorkb.models import ErrorEntry
from errorkb.models.written_code import code_changes_of
from errorkb.web.pages.entries.sightings import pin_in_words

# What a line of the difference looks like, what it is read out as, and its element.
_LOOKS = {
    "same": ("\u00a0", "", "span"),
    "removed": ("\u2212", "removed: ", "del"),
    "added": ("+", "added: ", "ins"),
}


@dataclass(frozen=True)
class ShownChanges:
    """The two columns of a difference, and the releases between which it lies."""

    since: str
    now: str
    numbers: SafeString
    listing: SafeString


def shown_changes(entry: ErrorEntry) -> ShownChanges | None:
    """Return how the code around a stale entry's site has changed; None for others."""
    found = code_changes_of(entry, entry.as_document()) if entry.stale else None
    if found is None:
        return None
    return ShownChanges(
        since=pin_in_words(found.since),
        now=pin_in_words(found.now),
        numbers=mark_safe("".join(f'<span class="{line.change}">{line.line}\n</span>' for line in found.lines)),
        listing=mark_safe("".join(map(_code, found.lines))),
    )


def _code(line: ChangedLine) -> str:
    sign, said, element = _LOOKS[line.change]
    seen = f'<span class="sign" aria-hidden="true">{sign} </span>'
    heard = f'<span class="unseen">{said}</span>' if said else ""
    text = f"<{element}>{render_plain(line.text)}</{element}>"
    return f'<span class="line {line.change}" data-line="{line.line}">{seen}{heard}{text}\n</span>'
