"""Core: what pytest makes of Python's errors: `E   …` lines, and the place of each call below its code."""

import re

from errorkb.core.tracebacks.pastes import Frame, PasteLine
from errorkb.core.tracebacks.python_lines import defined, plain_code, pytest_place

_ERROR = re.compile(r"^(?:[>E] {0,4})?E(?P<indent> {2,200})?(?=\S|$)")
# Code that pytest marks with `>` stands so far to the right.
_LEAST_INDENT = 3


class PytestLines:
    """Reads the lines of pytest's forms; it remembers which function and which line of code were shown last."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget the code that was shown: another test begins."""
        self._symbol = self._code = ""
        self._indent: int | None = None

    def place(self, line: PasteLine) -> tuple[Frame, str] | None:
        """Return the frame and the exception type, if it is told, that a line ends what was shown with."""
        found = pytest_place(line.text, line.number)
        if found is None:
            self._note(line)
            return None
        frame, name = found
        frame = Frame(frame.path, frame.line, self._symbol, self._code, line.number)
        self.forget()
        return frame, name

    def error_text(self, line: PasteLine) -> str | None:
        """Return the text of an `E   …` line, indented as the message has it; None for other lines."""
        match = _ERROR.match(line.text)
        if not match or (match["indent"] is None and (line.text != "E" or self._indent is None)):
            self._indent = None
            return None
        indent = len(match["indent"] or "")
        if self._indent is None:
            self._indent = indent
        return " " * max(0, indent - self._indent) + line.text[match.end() :]

    def _note(self, line: PasteLine) -> None:
        if "def " in line.text:
            self._symbol = defined(line.text) or self._symbol
        if line.prefix.shape == "q" and line.text.startswith(" " * _LEAST_INDENT):
            self._code = plain_code(line.text)
