"""Matching: the one corridor from a pasted text to the entries that it tells of."""

from errorkb.core.tracebacks import Occurrence
from errorkb.matching.results import MatchOptions, MatchResult, Outcome


def match(text: str, options: MatchOptions) -> MatchResult:
    """Return the answer to a pasted text."""
    exception_type, _, message = text.strip().rpartition("\n")[2].partition(": ")
    return MatchResult(Outcome.UNKNOWN, (), (Occurrence(exception_type, message, 1, 1),))
