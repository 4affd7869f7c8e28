"""Core: Python tracebacks at their plainest, until the readers of all shapes take this module's place."""

import re

from errorkb.core.tracebacks.pastes import Frame, Occurrence, Paste, PasteLine

_FRAME = re.compile(r'File "([^"\n]++)", line (\d++),? in ([\w<>*.]++)')
_TYPED = re.compile(r"((?:[A-Za-z_]\w*+\.)*+[A-Z]\w*+)(?::\s|$)")


def read_paste(text: str) -> Paste:
    """Read a text line by line."""
    lines = tuple(PasteLine(line, number) for number, line in enumerate(text.split("\n"), 1))
    found: list[Occurrence] = []
    frames: list[Frame] = []
    for line in lines:
        new = [Frame(m[1], int(m[2]), m[3], "", line.number) for m in _FRAME.finditer(line.text)]
        frames += new
        typed = None if new else _TYPED.search(line.text)
        if typed:
            message = line.text[typed.end() :]
            found.append(Occurrence(typed[1], message, line.number, line.number, tuple(frames), "only", len(found)))
            frames = []
    return Paste(lines, tuple(found))
