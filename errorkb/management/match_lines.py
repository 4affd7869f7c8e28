"""Management: the answer to a paste as lines for a terminal, in the words of the page."""

import re
from collections.abc import Iterator

from errorkb.matching.results import Match, MatchResult, Outcome
from errorkb.matching.verdicts import entry_title, pull_requests_in_words, reasons_in_words, verdict_of
from errorkb.serving.addresses import absolute_url

MAX_VALUE = 200
# What would steer a terminal, or turn the order of its letters round.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def answer_lines(result: MatchResult) -> Iterator[str]:
    """Yield the answer: what the text is, why, where its page is; then what else is in it, or what is covered."""
    for line in _lines(result):
        yield _STEERING.sub("\ufffd", line)


def _lines(result: MatchResult) -> Iterator[str]:
    verdict = verdict_of(result)
    yield verdict.opening
    yield from (f"  {reason}" for reason in verdict.evidence)
    yield from _pull_requests(result)
    if verdict.covered:
        yield f"We cover {len(verdict.covered)}: {', '.join(verdict.covered)}."
    is_sure = result.outcome is Outcome.MATCHED
    if is_sure:
        yield from _about(result.matches[0])
    for match in result.matches[is_sure:]:
        yield ""
        yield f"{_relation(match, is_sure=is_sure)} {entry_title(match)}"
        yield from (f"  {reason}" for reason in reasons_in_words(match))
        yield from _about(match)


def _pull_requests(result: MatchResult) -> Iterator[str]:
    """Yield the pull requests that are about the error, with what their reports say."""
    if result.outcome is not Outcome.PULL_REQUEST and (told := pull_requests_in_words(result)):
        yield f"  {told}"
    for pull in result.pull_requests:
        yield f"  {pull.role} by {pull.repository.name} #{pull.number}: {' '.join(pull.text[:MAX_VALUE].split())}"
        yield f"  {absolute_url(pull.get_absolute_url())}"


def _relation(match: Match, *, is_sure: bool) -> str:
    if not is_sure:
        return "Perhaps:"
    if match.occurrence.role == "consequence":
        return "Follows from it:"
    return "Also there:" if match.confident else "Less likely:"


def _about(match: Match) -> Iterator[str]:
    entry = match.entry
    yield f"  {absolute_url(entry.get_absolute_url())}"
    place = f"{entry.path}:{entry.line}" if entry.path and entry.line else entry.path
    if place:
        yield f"  Thrown at {place}{f' in {entry.symbol}' if entry.symbol else ''}, {entry.repository.name}"
    for name, slot in match.slots.items():
        yield f"  {name} = {' '.join(slot.value[:MAX_VALUE].split())}"
