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
    NONE = "a log message has none"


class Extent(StrEnum):
    """How much of a wording stands in the paste: all, all words, its beginning up to where the text is cut, pieces."""

    WHOLE = "whole"
    LOOSE = "loose"
    CUT = "cut"
    PARTIAL = "partial"


class Code(StrEnum):
    """Whether the code that the frame at the site shows is the throwing line."""

    EQUAL = "equal"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class TextEvidence:
    """How a wording stands in the paste.

    `points`: how rare its literal words are, those that were found. `share`: part of its literal text that was found,
    0 to 1. `begins`: the message, or a quote in it, begins with it. `is_all`: no words of the message are left over,
    and what stands in its slots may be values. `is_exact`: punctuation and capitals agree, too. `is_filled`: no slot
    before its last words is empty. `is_cut_shown`: the text says itself that it ends too early: by the end of a quote
    or of the paste, or by dots. `is_left_out`: what is missing was left out, not replaced. `is_pythons_own`: Python
    itself says this of anybody's code.
    """

    points: float
    share: float = 1.0
    extent: Extent = Extent.WHOLE
    begins: bool = False
    is_all: bool = True
    is_exact: bool = True
    is_filled: bool = True
    is_cut_shown: bool = False
    is_left_out: bool = False
    is_pythons_own: bool = False


@dataclass(frozen=True)
class Evidence:
    """All that speaks for and against an entry. `text` is None where no wording was found.

    `has_text` says whether the entry has a wording that could have been found. `is_traced`: the occurrence has frames
    that name its innermost function. `lines_off`: how far the frame at the site is from its line, None where there is
    no such frame. `is_library_named`: a path or the qualified type names the entry's package. `rivals`: how many other
    entries have the type and nothing that speaks against them. `is_a_log`: the entry is a log message or warning.
    `is_message_too_much`: the site throws without a message, and there is one. `is_unexplained_elsewhere`: the paste
    has a traceback of another error.
    """

    text: TextEvidence | None = None
    type_agreement: TypeAgreement = TypeAgreement.UNKNOWN
    nearness: Nearness = Nearness.ELSEWHERE
    is_innermost: bool = False
    is_traced: bool = False
    lines_off: int | None = None
    code: Code = Code.UNKNOWN
    is_library_named: bool = False
    has_text: bool = True
    rivals: int = 0
    is_a_log: bool = False
    is_message_too_much: bool = False
    is_unexplained_elsewhere: bool = False

    @property
    def is_at_site(self) -> bool:
        """Say whether the innermost frame is in the throwing function."""
        return self.nearness is Nearness.FUNCTION and self.is_innermost


@dataclass(frozen=True)
class Verdict:
    """A score from 0 to 1, and whether the evidence would convince a maintainer."""

    points: float
    score: float
    confident: bool


CONFIDENT_FROM = 25.0
_SLOPE = 7.0
_MOST_TEXT = 44.0
_LEAST_TEXT = 6.0

_TYPE = {
    TypeAgreement.EQUAL: 12.0,
    TypeAgreement.EQUAL_BUILTIN: 4.0,
    TypeAgreement.RELATED: 3.0,
    TypeAgreement.NAMED: 3.0,
    TypeAgreement.MENTIONED: 4.0,
    TypeAgreement.UNKNOWN: 0.0,
    TypeAgreement.OTHER: -14.0,
    TypeAgreement.PYTHONS: -24.0,
    TypeAgreement.NONE: -10.0,
}
_PLACE = {Nearness.FUNCTION: 16.0, Nearness.FILE: 6.0, Nearness.ELSEWHERE: 0.0}
_NOT_INNERMOST = 0.35
_TRACED_ELSEWHERE = -10.0
_LINE_EXACT = 6.0
_LINE_NEAR = 2.0
_NEAR = 40
_SAME_FUNCTION = 100
_CODE = {Code.EQUAL: 5.0, Code.OTHER: -6.0, Code.UNKNOWN: 0.0}
_LIBRARY = 3.0
_BEGINS = 3.0
_EXACT = 2.0
_EXTENT = {Extent.WHOLE: 1.0, Extent.LOOSE: 0.8, Extent.CUT: 0.8, Extent.PARTIAL: 0.6}
_SHOWN = 1.25
_NO_TEXT_EXPECTED = 12.0
_TEXT_MISSING = -14.0
_MESSAGE_TOO_MUCH = -14.0
_DISTRACTION = -30.0
# All words of a text convince without its signs or its end if they are as much as this, where something else says that
# the error is of the library, or as much as that, where nothing does.
_MANY_WORDS = 45.0
_VERY_MANY_WORDS = 60.0
# A text within a longer message, and pieces of a text, convince only if they are as much as this.
_MOST_WORDS = 100.0
_MOST_OF_TEXT = 0.35

_SAME_TYPE = (TypeAgreement.EQUAL, TypeAgreement.EQUAL_BUILTIN, TypeAgreement.RELATED)
_OTHER_TYPE = (TypeAgreement.OTHER, TypeAgreement.PYTHONS, TypeAgreement.NONE)


def judge(evidence: Evidence) -> Verdict:
    """Return the verdict on an entry: points add up, and the score is their logistic."""
    points = (
        _text_points(evidence)
        + _TYPE[evidence.type_agreement]
        + _place_points(evidence)
        + _LIBRARY * evidence.is_library_named
        + _MESSAGE_TOO_MUCH * evidence.is_message_too_much
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
    share = text.share if text.extent is Extent.PARTIAL else 1.0
    shown = _SHOWN if text.extent is Extent.CUT and text.is_cut_shown else 1.0
    found = min(text.points * share * _EXTENT[text.extent] * shown, _MOST_TEXT)
    return found + _BEGINS * text.begins + _EXACT * text.is_exact


def _place_points(evidence: Evidence) -> float:
    if evidence.nearness is Nearness.ELSEWHERE:
        return _TRACED_ELSEWHERE * evidence.is_traced
    off = evidence.lines_off
    line = 0.0 if off is None or off > _NEAR else _LINE_NEAR if off else _LINE_EXACT
    points = _PLACE[evidence.nearness] + line + _CODE[evidence.code]
    return points if evidence.is_innermost else points * _NOT_INNERMOST


def _is_founded(evidence: Evidence) -> bool:
    """Say whether anything but the sum convinces.

    Short templates are never enough without type or frame, what Python says of anybody's code only with the frame,
    and what differs from the text in words or signs only at the very line or if there is much of it.
    """
    text = evidence.text
    if text is None:
        return _is_founded_without_text(evidence)
    if text.is_pythons_own:
        return evidence.is_at_site and evidence.type_agreement not in _OTHER_TYPE
    if _is_at_very_line(evidence, text):
        return text.extent is Extent.WHOLE or evidence.type_agreement in _SAME_TYPE
    return _FOUNDED[text.extent](evidence, text)


def _is_at_very_line(evidence: Evidence, text: TextEvidence) -> bool:
    """Say whether the innermost frame is the throwing line, by its number or, where no other words are, by its code."""
    off = evidence.lines_off
    if not evidence.is_at_site or off is None:
        return False
    has_other_words = text.extent is Extent.PARTIAL or not text.is_all
    return off == 0 or (off <= _NEAR and evidence.code is Code.EQUAL and not has_other_words)


def _is_near_site(evidence: Evidence) -> bool:
    """Say whether the innermost frame is in the throwing function, and not on a line far away."""
    return evidence.is_at_site and (evidence.lines_off or 0) <= _SAME_FUNCTION


def _is_founded_without_text(evidence: Evidence) -> bool:
    if evidence.has_text:
        return False
    if evidence.is_at_site:
        return evidence.type_agreement in _SAME_TYPE and evidence.code is not Code.OTHER
    return evidence.type_agreement is TypeAgreement.EQUAL and evidence.rivals == 0 and not evidence.is_traced


def _is_founded_on_whole(evidence: Evidence, text: TextEvidence) -> bool:
    if not (text.begins and text.is_all):
        return text.points >= _MOST_WORDS
    if not (text.is_exact and text.is_filled) and not _is_near_site(evidence):
        return text.points >= (_MANY_WORDS if _is_of_library(evidence) else _VERY_MANY_WORDS)
    return text.points >= _LEAST_TEXT or (evidence.is_at_site and evidence.type_agreement not in _OTHER_TYPE)


def _is_founded_on_words(evidence: Evidence, text: TextEvidence) -> bool:
    return text.is_cut_shown and text.points >= _MANY_WORDS and _is_of_library(evidence)


def _is_founded_on_beginning(evidence: Evidence, text: TextEvidence) -> bool:
    if not (text.begins and text.is_cut_shown):
        return False
    if evidence.type_agreement is TypeAgreement.UNKNOWN:
        return text.points >= _MANY_WORDS or (text.points >= _LEAST_TEXT and _is_of_library(evidence))
    return text.points >= _LEAST_TEXT and evidence.type_agreement not in _OTHER_TYPE


def _is_founded_on_pieces(evidence: Evidence, text: TextEvidence) -> bool:
    if evidence.is_traced or evidence.type_agreement not in (*_SAME_TYPE, TypeAgreement.MENTIONED):
        return False
    is_much = text.points * text.share >= _MOST_WORDS and text.share >= _MOST_OF_TEXT
    return text.begins and text.is_left_out and is_much


_FOUNDED = {
    Extent.WHOLE: _is_founded_on_whole,
    Extent.LOOSE: _is_founded_on_words,
    Extent.CUT: _is_founded_on_beginning,
    Extent.PARTIAL: _is_founded_on_pieces,
}


def _is_of_library(evidence: Evidence) -> bool:
    """Say whether anything but the text says that the error is of the entry's library, and no frame says otherwise."""
    if evidence.is_traced:
        return evidence.nearness is not Nearness.ELSEWHERE
    return evidence.is_library_named or evidence.type_agreement is TypeAgreement.EQUAL


def _score(points: float, *, confident: bool) -> float:
    """Return the score of points: 0.8 at the border of confidence; below it without a foundation."""
    score = 1 / (1 + math.exp(-((points - CONFIDENT_FROM) / _SLOPE + math.log(4))))
    return round(score if confident else min(score, 0.79), 3)
