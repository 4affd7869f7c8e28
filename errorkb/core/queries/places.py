"""Core: files of the source as they are pasted into the search box: with a line behind them, as links to a forge."""

import re

# As tracebacks and editors write a line of a file: `a/b.py:12`, `a/b.ts:12:7`.
_LINED = re.compile(r"(?P<file>\S*\w\.[A-Za-z]\w{0,4}):\d+(?::\d+)?[:,;.]?")
# GitHub's, and GitLab's with a dash: owner, name, commit, path, lines.
_LINK = re.compile(
    r"https?://[^\s/]+/[^\s/]+/[^\s/]+/(?:-/)?blob/[^\s/]+/(?P<path>[^\s?#]+)(?:\?[^\s#]*)?(?:#(?:L(?P<line>\d+)\S*)?)?"
)


def place_of(word: str) -> str:
    """Return the place that a link to a forge leads to, as a path and a line; every other word as it is.

    >>> place_of("https://github.com/a/b/blob/0132848349/src/conn.py#L136-L140")
    'src/conn.py:136'
    """
    link = _LINK.fullmatch(word)
    if link is None:
        return word
    return f"{link['path']}:{link['line']}" if link["line"] else link["path"]


def without_line(word: str) -> str:
    """Return the file of a place, without the line; every other word as it is.

    >>> without_line("conn.py:136")
    'conn.py'
    """
    lined = _LINED.fullmatch(word)
    return lined["file"] if lined else word


def file_of(value: str) -> str:
    """Return the file that a place or a link leads to; every other value as it is."""
    return without_line(place_of(value))
