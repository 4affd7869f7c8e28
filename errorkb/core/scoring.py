"""Core: how much the evidence says that a pasted error is an entry's, as one calibrated score.

Evidence is counted in points, about the bits by which it makes chance unlikely, and adds up. Every weight stands in
one table here, so that it can be measured and moved; `docs/matching.md` says how they were found.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from errorkb.core.throw_places import Nearness


class TypeAgreement(StrEnum):
    """How the pasted exception type and the entry's agree."""

    EQUAL = "equal"
    EQUAL_BUILTIN = "equal builtin"
    RELATED = "related"
    NAMED = "named"
    MENTIONED = "mentioned"
    UNKNOWN = "unknown"
    OTHER = "other"
    PYTHONS = "another of Python's"


@dataclass(frozen=True)
class TextEvidence:
    """How a wording stands in the paste.

    `points`: how rare its literal words are, those that were found. `share`: part of its literal text that was found,
    0 to 1. `is_head`: what was not found is its end only, as of a text that was cut. `begins`: the
    message begins with it, after the type or a log's prefix. `is_exact`: punctuation and capitals agree, too.
    `is_pythons_own`: Python itself says this of anybody's code.
    """

    points: float
    share: float = 1.0
    is_head: bool = False
    begins: bool = False
    is_exact: bool = True
    is_pythons_own: bool = False


@dataclass(frozen=True)
class Evidence:
    """All that speaks for and against an entry. `text` is None where no wording was found.

    `has_text` says whether the entry has a wording that could have been found. `is_traced`: the occurrence has frames
    that name its innermost function. `is_line_near`, `is_code_equal`: the frame's line number and code are the
    site's. `is_library_named`: a path or the qualified type names the entry's package. `rivals`: how many other
    entries have the type and nothing that speaks against them. `is_a_log`: the entry is a log message or warning.
    `is_unexplained_elsewhere`: the paste has a traceback of another error.
    """

    text: TextEvidence | None = None
    type_agreement: TypeAgreement = TypeAgreement.UNKNOWN
    nearness: Nearness = Nearness.ELSEWHERE
    is_innermost: bool = False
    is_traced: bool = False
    is_line_near: bool = False
    is_code_equal: bool = False
    is_library_named: bool = False
    has_text: bool = True
    rivals: int = 0
    is_a_log: bool = False
    is_unexplained_elsewhere: bool = False


@dataclass(frozen=True)
class Verdict:
    """A score from 0 to 1, and whether the evidence would convince a maintainer."""

    points: float
    score: float
    confident: bool


CONFIDENT_FROM = 26.0
_SLOPE = 7.0
_MOST_TEXT = 44.0
_LEAST_TEXT = 6.0
# What the head of a text is worth where its end is missing, at least.
_HEAD = 0.65

_TYPE = {
    TypeAgreement.EQUAL: 12.0,
    TypeAgreement.EQUAL_BUILTIN: 4.0,
    TypeAgreement.RELATED: 3.0,
    TypeAgreement.NAMED: 3.0,
    TypeAgreement.MENTIONED: 4.0,
    TypeAgreement.UNKNOWN: 0.0,
    TypeAgreement.OTHER: -14.0,
    TypeAgreement.PYTHONS: -24.0,
}
_PLACE = {Nearness.FUNCTION: 16.0, Nearness.FILE: 6.0, Nearness.ELSEWHERE: 0.0}
_NOT_INNERMOST = 0.35
_TRACED_ELSEWHERE = -10.0
_LINE = 3.0
_CODE = 5.0
_LIBRARY = 3.0
_BEGINS = 3.0
_EXACT = 2.0
_NO_TEXT_EXPECTED = 12.0
_TEXT_MISSING = -14.0
_DISTRACTION = -30.0


def judge(evidence: Evidence) -> Verdict:
    """Return the verdict on an entry: points add up, and the score is their logistic."""
    points = (
        _text_points(evidence)
        + _TYPE[evidence.type_agreement]
        + _place_points(evidence)
        + _LIBRARY * evidence.is_library_named
        + _DISTRACTION * (evidence.is_a_log and evidence.is_unexplained_elsewhere)
    )
    confident = points >= CONFIDENT_FROM and _is_founded(evidence)
    return Verdict(points, _score(points, confident=confident), confident)


def _text_points(evidence: Evidence) -> float:
    text = evidence.text
    if text is None:
        return _TEXT_MISSING if evidence.has_text else _NO_TEXT_EXPECTED / (1 + evidence.rivals)
    if text.is_pythons_own:
        return 0.0
    found = min(text.points, _MOST_TEXT) * (_HEAD + (1 - _HEAD) * text.share if text.is_head else text.share)
    return found + _BEGINS * text.begins + _EXACT * text.is_exact


def _place_points(evidence: Evidence) -> float:
    if evidence.nearness is Nearness.ELSEWHERE:
        return _TRACED_ELSEWHERE * evidence.is_traced
    points = _PLACE[evidence.nearness] + _LINE * evidence.is_line_near + _CODE * evidence.is_code_equal
    return points if evidence.is_innermost else points * _NOT_INNERMOST


def _is_founded(evidence: Evidence) -> bool:
    """Say whether anything but the sum convinces: enough text, or the very function, or a type of its own.

    Short templates are never enough without type or frame, and what Python says of anybody's code only with the frame.
    """
    if evidence.nearness is Nearness.FUNCTION and evidence.is_innermost:
        return evidence.type_agreement not in (TypeAgreement.OTHER, TypeAgreement.PYTHONS)
    text = evidence.text
    if text is None:
        return evidence.type_agreement is TypeAgreement.EQUAL and not evidence.has_text and evidence.rivals == 0
    return not text.is_pythons_own and text.points >= _LEAST_TEXT


def _score(points: float, *, confident: bool) -> float:
    """Return the score of points: 0.8 at the border of confidence; below it without a foundation."""
    score = 1 / (1 + math.exp(-((points - CONFIDENT_FROM) / _SLOPE + math.log(4))))
    return round(score if confident else min(score, 0.79), 3)
