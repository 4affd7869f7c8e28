"""Matching: the answer to a paste as JSON, the same for the API, the command and whatever else hands it out."""

from typing import Any

from errorkb.core.tracebacks import Occurrence
from errorkb.matching.results import Match, MatchResult, PullRequestMatch
from errorkb.models import ErrorEntry
from errorkb.serving.addresses import absolute_url

# What one answer holds at most, however large the paste and the documents are.
MAX_TEXT = 10_000
MAX_UNDERSTOOD = 100
MAX_FRAMES = 100

# What an entry's own document tells about it, for `full` answers.
WORDS = ("meaning", "trigger", "common_situations", "solutions")


def served_result(result: MatchResult, *, full: bool = False) -> dict[str, Any]:
    """Return the body of `/api/match`: outcome, matches best first, pull requests, what was understood.

    `cut` says what was cut. With `full`, each entry has its meaning, trigger, situations and solutions too, as its
    document has them.
    """
    words = matched_words(result) if full else {}
    served: dict[str, Any] = {
        "outcome": result.outcome.value,
        "matches": [_match(match, words.get(match.entry.pk, {})) for match in result.matches],
        "pull_requests": [_pull_request(pull) for pull in result.pull_requests],
        "understood": [_understood(occurrence) for occurrence in result.understood[:MAX_UNDERSTOOD]],
    }
    return served | ({"cut": result.cut} if result.cut else {})


def matched_words(result: MatchResult) -> dict[int, dict[str, Any]]:
    """Return what the documents of the matched entries say about them, null where they say nothing, by primary key."""
    rows = ErrorEntry.objects.filter(pk__in=[match.entry.pk for match in result.matches]).only("document")
    return {row.pk: {name: document.get(name) for name in WORDS} for row in rows for document in [row.as_document()]}


def occurrence_text(occurrence: Occurrence) -> str:
    """Return an error as Python would print it on its last line: type and message, what there is of them."""
    return ": ".join(filter(None, (occurrence.exception_type, occurrence.message)))


def _match(match: Match, words: dict[str, Any]) -> dict[str, Any]:
    occurrence = match.occurrence
    served: dict[str, Any] = {
        "confident": match.confident,
        "score": round(match.score, 4),
        "chain_role": occurrence.role,
        "template": _cut(match.template),
        "entry": _entry(match.entry) | words,
        "occurrence": {
            "line": match.numbers[0] if match.numbers else occurrence.number,
            "text": _cut(occurrence_text(occurrence)),
            "count": occurrence.count,
        },
        "slots": {name: {"value": _cut(slot.value), "kind": slot.kind} for name, slot in match.slots.items()},
        "reasons": [{"kind": reason.kind, "text": reason.text} for reason in match.reasons],
    }
    return served | ({"equals": list(match.equals)} if match.equals else {})


def _pull_request(pull: PullRequestMatch) -> dict[str, Any]:
    return {
        "repository": pull.repository.name,
        "number": pull.number,
        "role": pull.role,
        "html_url": absolute_url(pull.get_absolute_url()),
        "text": _cut(pull.text),
    }


def _entry(entry: ErrorEntry) -> dict[str, Any]:
    return {
        "id": entry.public_id,
        "repository": entry.repository.name,
        "exception_type": entry.exception_type or None,
        "message": _cut(entry.message),
        "html_url": absolute_url(entry.get_absolute_url()),
        "source": {"path": entry.path or None, "line": entry.line, "symbol": entry.symbol},
        "reviewed": entry.reviewed,
        "stale": entry.stale,
    }


def _understood(occurrence: Occurrence) -> dict[str, Any]:
    frames = occurrence.frames[-MAX_FRAMES:]
    return {
        "exception_type": occurrence.exception_type or None,
        "message": _cut(occurrence.message),
        "frames": [{"path": _cut(frame.path), "line": frame.line, "symbol": _cut(frame.symbol)} for frame in frames],
        "line": occurrence.number,
        "count": occurrence.count,
    }


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
