"""Admin: who wrote, by which command and when, in words for curators."""

from datetime import UTC, datetime
from pathlib import PurePath

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from errorkb.core import writers
from errorkb.core.rendering import render_plain

_WRITERS = {writers.TOOL: "the tool {}", writers.SCAN: "the scan of {}"}
# A run of a command writes for each of its files, and names none of them.
_EACH_FILE = "files"
_STANDARD_INPUT = writers.file("standard input")

COMMANDS = {
    "edit_ErrorEntry": "Change of an entry",
    "edit_PullRequest": "Change of a pull request",
    "edit_Repository": "Change of a repository",
    "create_entry": "New entry",
    "load_entries": "Loading of entries",
    "load_pull_requests": "Loading of pull requests",
    "load_repositories": "Loading of repositories",
    "scan_source": "Scan of source",
}


def writer_html(writer: str) -> SafeString:
    """Return who wrote: `person:ada` gives `ada`, `file:/srv/a.json` gives `the file a.json`, its path as a title."""
    kind, _, name = writer.partition(":")
    if kind != writers.FILE:
        return mark_safe(render_plain(_WRITERS.get(kind, "{}").replace("{}", name or writer)))
    if not name or writer == _STANDARD_INPUT:
        return mark_safe(render_plain(name or _EACH_FILE))
    return format_html('the file <span title="{}">{}</span>', name, mark_safe(render_plain(PurePath(name).name)))


def command_in_words(command: str) -> str:
    """Return what a batch was: `load_entries` gives `Loading of entries`."""
    return COMMANDS.get(command, command.replace("_", " ").capitalize())


def moment_in_short(at: datetime) -> str:
    """Return a moment as all pages of the admin write it: `2026-08-05 09:54 UTC`."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def moment_html(at: datetime | None) -> SafeString:
    """Return a moment for a page, its seconds as a title; a dash where there is none."""
    if at is None:
        return mark_safe("–")
    exact = at.astimezone(UTC)
    shown = (exact.isoformat(), f"{exact:%Y-%m-%d %H:%M:%S} UTC", moment_in_short(at))
    return format_html('<time datetime="{}" title="{}">{}</time>', *shown)
