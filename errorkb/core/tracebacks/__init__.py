"""Core: pasted tracebacks and logs, read into occurrences of errors; one module a family of languages or formats."""

from errorkb.core.tracebacks.pastes import Frame, Occurrence, Paste, PasteLine
from errorkb.core.tracebacks.reading import read_paste

__all__ = ["Frame", "Occurrence", "Paste", "PasteLine", "read_paste"]
