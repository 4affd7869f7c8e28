"""Scanning, Python: the lines around a throw site."""

from errorkb.scanning.python.sources import Source

LINES = 12
MOST_LINES = 80
MOST_LETTERS = 20_000


def excerpt(source: Source, line: int, end_line: int) -> tuple[int, str]:
    """Return some twelve lines around a statement, the statement whole, and the number of the first of them.

    A statement beyond all measure is cut.
    """
    spare = max(0, LINES - (end_line - line + 1))
    first = max(1, line - (spare + 1) // 2)
    last = min(len(source.lines), end_line + spare // 2, first + MOST_LINES - 1)
    lines = source.lines[first - 1 : last]
    while lines and not lines[-1].strip():
        lines.pop()
    while len(lines) > 1 and first < line and not lines[0].strip():
        lines.pop(0)
        first += 1
    return first, "\n".join(lines)[:MOST_LETTERS]
