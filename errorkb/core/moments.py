"""Core: dates and times as documents state them, in words."""

import re

_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(.*))?", re.DOTALL)


def moment_in_words(value: str | None) -> str:
    """Return a stated date or time for people; a time without a zone says so.

    `2026-08-05T09:54` gives `2026-08-05 09:54 (zone not stated)`, `2026-08-05T09:54Z` gives `2026-08-05 09:54 UTC`.
    """
    found = _MOMENT.fullmatch(value or "")
    if not found:
        return value or ""
    date, time, zone = found.groups()
    if not time:
        return date
    if not zone:
        return f"{date} {time} (zone not stated)"
    return f"{date} {time} {'UTC' if zone in 'Zz' else zone}"
