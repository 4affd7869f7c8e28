"""Core: lines that a terminal broke at its right edge, in the middle of words, made whole again."""

import re
from itertools import pairwise

from errorkb.core.tracebacks.prefixes import split_prefix
from errorkb.core.tracebacks.python_lines import frames_of, is_cut_frame

# Longer pastes were not copied from a screen; so wide are screens.
_MOST_LINES = 2_000
_NARROWEST, _WIDEST = 40, 300
_REST_OF_NAME = re.compile(r"[\w>]{1,80}$")
_BEGINS = re.compile(r'\s*(?:File "|Traceback |During handling|The above exception|$)')


def rewrapped(lines: list[str]) -> list[str]:
    """Return as many lines, those that were broken whole in the place of their first part, the other parts empty."""
    width = _width(lines) if len(lines) <= _MOST_LINES else 0
    if not width:
        return lines
    whole = list(lines)
    first = 0
    for position in range(1, len(lines)):
        if len(lines[position - 1]) != width or _begins_anew(lines[position]):
            first = position
            continue
        whole[first] += lines[position]
        whole[position] = ""
    return whole


def _begins_anew(line: str) -> bool:
    return bool(_BEGINS.match(line)) or bool(split_prefix(line).shape)


def _width(lines: list[str]) -> int:
    """Return how wide the screen was, if a frame shows that it broke lines; else 0."""
    longest = max(map(len, lines))
    if not _NARROWEST <= longest <= _WIDEST:
        return 0
    at_edge = (pair for pair in pairwise(lines) if len(pair[0]) == longest and 'File "' in pair[0])
    return longest if any(_is_broken(*pair) for pair in at_edge) else 0


def _is_broken(first: str, second: str) -> bool:
    """Say whether a frame goes on in the next line: it is cut, or its name is."""
    if is_cut_frame(first, in_box=False):
        return any(frame.symbol for frame in frames_of(first + second, 0)[-1:])
    frames = frames_of(first, 0)
    return bool(frames) and bool(frames[-1].symbol) and not frames[-1].code and bool(_REST_OF_NAME.match(second))
