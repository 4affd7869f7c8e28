"""Answers to pastes that tests build on, made by hand: what matching would say of a text."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from errorkb.core.tracebacks import Frame, Occurrence
from errorkb.matching.results import Match, MatchOptions, MatchResult, Outcome, Reason, SlotValue
from errorkb.models import ErrorEntry

DOORS = ("errorkb.api.matches", "errorkb.web.views.matches", "errorkb.management.commands.match")

PASTE = """$ python shop.py
Traceback (most recent call last):
  File "/app/shop.py", line 3, in <module>
    basket.add(1)
  File "/venv/lib/python3.11/site-packages/shop/basket.py", line 20, in add
    raise ValueError(f"cannot add {count} of {item}")
ValueError: cannot add 0 of 'tea'
bye"""

FRAMES = (
    Frame("/app/shop.py", 3, "<module>", "basket.add(1)", 3),
    Frame("/venv/lib/python3.11/site-packages/shop/basket.py", 20, "add", 'raise ValueError(f"cannot…")', 5),
)


def occurrence(**fields) -> Occurrence:
    """Return the error of PASTE."""
    given = {"exception_type": "ValueError", "message": "cannot add 0 of 'tea'", "number": 7, "last_number": 7}
    return Occurrence(**given | {"frames": FRAMES, "shape": "python"} | fields)


def found(entry: ErrorEntry, **fields) -> Match:
    """Return the match of an entry whose template is `cannot add {count} of {item}` with PASTE."""
    given = {
        "score": 0.98765,
        "confident": True,
        "template": "cannot add {count} of {item}",
        "occurrence": occurrence(),
        "numbers": (7,),
        "slots": {"count": SlotValue("0", "number"), "item": SlotValue("'tea'", "quoted")},
        "reasons": (Reason("text", "Line 7 of your text is its message word for word."),),
    }
    return Match(entry, **given | fields)


def matched(*matches: Match, **fields) -> MatchResult:
    """Return the answer with these matches."""
    understood = tuple(dict.fromkeys(match.occurrence for match in matches))
    return MatchResult(**{"outcome": Outcome.MATCHED, "matches": matches, "understood": understood} | fields)


def unknown(*understood: Occurrence, **fields) -> MatchResult:
    """Return the answer that knows none of these errors."""
    return MatchResult(**{"outcome": Outcome.UNKNOWN, "matches": (), "understood": understood} | fields)


@contextmanager
def answering(answer: MatchResult | Callable[[str, MatchOptions], MatchResult]) -> Iterator[list]:
    """Let every door get this answer from matching; yield what each asked: (text, options)."""
    asked = []

    def match(text: str, options: MatchOptions) -> MatchResult:
        asked.append((text, options))
        return answer(text, options) if callable(answer) else answer

    patches = [patch(f"{door}.match", match) for door in DOORS]
    try:
        for each in patches:
            each.start()
        yield asked
    finally:
        for each in patches:
            each.stop()
