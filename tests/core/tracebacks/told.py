"""Tests of reading pastes: an error in one line, for tables of what a paste tells of."""

from errorkb.core.tracebacks import Frame, Occurrence


def told(error: Occurrence) -> str:
    """Return an error as `role Type: message`, then its number of frames and the innermost one.

    Lines of the message are parted by ` / `; a count is told only where it is more than one.
    """
    count = f" ×{error.count}" if error.count > 1 else ""
    message = error.message.replace("\n", " / ")
    frames = f" [{len(error.frames)}] {_told_frame(error.frames[-1])}" if error.frames else ""
    return f"{error.role}{count} {error.exception_type or '?'}: {message}{frames}"


def _told_frame(frame: Frame) -> str:
    place = f"{frame.path}:{frame.line} {frame.symbol}".rstrip()
    return f"{place} | {frame.code}" if frame.code else place
