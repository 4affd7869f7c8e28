"""Core: the frames of the Python traceback that is being read, and what is told of each below it."""

from dataclasses import dataclass, field

from errorkb.core.tracebacks.drafts import Draft
from errorkb.core.tracebacks.pastes import Frame
from errorkb.core.tracebacks.python_errors import Error, names_error
from errorkb.core.tracebacks.python_lines import MOST_FRAMES, line_below, numbered_code, plain_code

# Frames may follow an error by so many lines where it is told first.
SOON = 4


@dataclass
class Trace:
    """The frames so far.

    `shape` is that of their lines' prefixes, `indent` how far the last one's line is indented; `is_boxed` is for rich,
    IPython and pages.
    """

    frames: list[Frame] = field(default_factory=list)
    shape: str = ""
    is_headed: bool = False
    is_reversed: bool = False
    is_boxed: bool = False
    awaits_code: bool = False
    indent: int = 0

    @property
    def is_open(self) -> bool:
        """Say whether an error must follow."""
        return self.is_headed or bool(self.frames)

    def add(self, frames: list[Frame], *, shape: str, is_boxed: bool, indent: int = 0) -> None:
        """Take the frames of one line."""
        if not self.frames:
            self.shape = shape
        self.frames += frames
        if len(self.frames) > 2 * MOST_FRAMES:
            self.frames = self.frames[-MOST_FRAMES:]
        self.awaits_code = not frames[-1].code
        self.is_boxed = is_boxed
        self.indent = indent

    def take_line_below(self, text: str) -> bool:
        """Take the line number of the last frame, if a line tells it and the frame lacks it."""
        below = line_below(text) if self.frames and self.frames[-1].line is None else None
        if below is None:
            return False
        self.frames[-1] = self.frames[-1]._replace(line=below)
        self.awaits_code = False
        return True

    def take_numbered(self, text: str) -> bool:
        """Take a line of code with its number before it, below a frame of rich or IPython."""
        numbered = numbered_code(text) if self.frames and self.is_boxed else None
        if numbered is None:
            return False
        number, code, is_run = numbered
        if is_run:
            self.frames[-1] = self.frames[-1]._replace(line=self.frames[-1].line or number, code=code)
        self.awaits_code = False
        return True

    def take_code(self, text: str, shape: str) -> bool:
        """Take a line between frames: code, or something that tells nothing of the error.

        Code is not indented less than the frame that it is of, and has no prefix where frames have none.
        """
        if not self.frames:
            self.is_headed = False
            return False
        if self.awaits_code and _indent(text) >= self.indent and (self.shape or not shape):
            self.frames[-1] = self.frames[-1]._replace(code=plain_code(text))
        self.awaits_code = False
        return True

    def has_as_code(self, error: Error, text: str) -> bool:
        """Say whether a line that could be an error is the code of the frame above it."""
        if not self.awaits_code:
            return error.column > 8 and not error.message and not self.is_boxed
        return not names_error(text.strip()) and (error.column > 2 or not error.message)

    def may_follow(self, draft: Draft) -> bool:
        """Say whether the frames can be those of an error that was told above them."""
        if self.is_headed or self.is_reversed:
            return False
        if draft.shape == "debug page":
            return len(draft.frames) < 2
        return not draft.frames and draft.last < self.frames[0].number <= draft.last + SOON

    def in_order(self) -> list[Frame]:
        """Return the frames, outermost first, the innermost ones of very many."""
        return (self.frames[::-1] if self.is_reversed else self.frames)[-MOST_FRAMES:]


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
