"""Core: frames of Python's tracebacks that a terminal or a mail program broke over lines, made one line again."""

from errorkb.core.tracebacks.pastes import PasteLine
from errorkb.core.tracebacks.python_lines import frames_of, is_cut_frame, joined_ways, rejoined

# The rest of a frame is looked for in so many further lines.
_MOST_HELD = 3


class BrokenFrames:
    """Holds the first lines of a broken frame back until the frame is whole; `_ways` are readings of them so far."""

    def __init__(self) -> None:
        self._held: list[PasteLine] = []
        self._ways: list[str] = []

    def passed(self, line: PasteLine) -> list[PasteLine]:
        """Return the lines that can be read now that a further one is there."""
        ready: list[PasteLine] = []
        if self._held:
            joined = rejoined(self._ways, line.text)
            if joined is not None:
                first, self._held = self._held[0], []
                return [first._replace(text=joined)]
            if len(self._held) < _MOST_HELD and line.text.strip() and not frames_of(line.text, line.number):
                self._held.append(line)
                self._ways = joined_ways(self._ways, line.text)
                return []
            ready = self.rest()
        if is_cut_frame(line.text, in_box=line.depth > 0):
            self._held, self._ways = [line], [line.text]
            return ready
        return [*ready, line]

    def rest(self) -> list[PasteLine]:
        """Return the lines that were held in vain."""
        held, self._held = self._held, []
        return held
