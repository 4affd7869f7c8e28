"""Admin: what documents are called in lists and headings, on one line and never long."""

from django.utils.safestring import SafeString, mark_safe

from errorkb.admin.readings import Row
from errorkb.core.identity import entry_title
from errorkb.core.rendering import render_plain
from errorkb.models import ErrorEntry

MOST_OF_A_TITLE = 160


def title_in_short(row: Row | None) -> str:
    """Return a row's title; an entry's is made without its message, which lists do not read: one may have 8 MiB."""
    if isinstance(row, ErrorEntry):
        return _in_short(entry_title(row.exception_type, row.message_key, row.symbol))
    return _in_short(str(row)) if row else "(nothing)"


def title_html(row: Row | None) -> SafeString:
    """Return a row's title for a list, invisible characters made visible."""
    return mark_safe(render_plain(title_in_short(row)))


def shown(text: str) -> SafeString:
    """Return a text for a list, on one line and cut, invisible characters made visible."""
    return mark_safe(render_plain(_in_short(text)))


def _in_short(text: str) -> str:
    line = " ".join(text[: 4 * MOST_OF_A_TITLE].split())
    return line if len(line) <= MOST_OF_A_TITLE else line[: MOST_OF_A_TITLE - 1] + "…"
