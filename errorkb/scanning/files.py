"""Scanning: one source file as lines of text, read with care: paths come from documents and repositories of others."""

import re
from pathlib import Path

MAX_BYTES = 4 * 1024 * 1024
# Where a line ends in the eyes of compilers; str.splitlines() knows more ends than they do.
_LINE_END = re.compile(r"\r\n|\r|\n")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\\]")
_NO_NAMES = frozenset({"", ".", ".."})


def is_plain_path(path: str) -> bool:
    """Tell whether a path stays below its root and is written in the one usual way: `django/db/models/options.py`."""
    return not _CONTROL.search(path) and not _NO_NAMES.intersection(path.split("/"))


def is_hidden(path: str) -> bool:
    """Tell whether a path or a folder above it has a name that starts with a dot: `.git/config`, `shop/.env`."""
    return path.startswith(".") or "/." in path


def lines_of(content: bytes) -> tuple[str, ...] | None:
    """Return the lines of a UTF-8 text; None for a file that is too large, binary or in another encoding."""
    if len(content) > MAX_BYTES or b"\0" in content:
        return None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    lines = _LINE_END.split(text)
    return tuple(lines if lines[-1] else lines[:-1])


def read_below(root: Path, path: str) -> bytes | None:
    """Return the content of a file below a folder, or None.

    Hidden files and folders are not read (a document must not fetch `.git/config` or `.env` into a page), nor what
    lies behind a link that leaves the folder, nor anything but regular files of at most 4 MiB.
    """
    if not is_plain_path(path) or is_hidden(path):
        return None
    try:
        home = root.resolve(strict=True)
        place = (home / path).resolve(strict=True)
        if not place.is_relative_to(home) or not place.is_file() or place.stat().st_size > MAX_BYTES:
            return None
        return place.read_bytes()
    except (OSError, ValueError, RuntimeError):
        return None
