"""Core, pull request reports: the one error that refuses a report."""


class ReportError(ValueError):
    """A text is refused as a report: `message` says what was wrong and expected, `line` where, counted from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.message = message
        self.line = line
