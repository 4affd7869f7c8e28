"""Matching: what speaks for an entry in one error of a paste: its text, type and place, held against each other."""

import builtins
import re
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from errorkb.core.builtin_messages import is_builtin_type, is_of_standard_library, is_said_by_python
from errorkb.core.fit_texts import FitText, read_fit
from errorkb.core.message_bounds import (
    goes_on,
    has_more_blanks,
    is_apart,
    is_below_slot,
    is_cut_at_line,
    is_left_out,
    leading_signs,
    stands_at_words,
)
from errorkb.core.scoring import Code, Evidence, Extent, TextEvidence, TypeAgreement, Verdict, judge
from errorkb.core.skeletons import letters_of
from errorkb.core.template_fits import Fit
from errorkb.core.text_evidence import extent_of, fit_bits, found_letters, is_alike, is_last, likeness
from errorkb.core.throw_places import Nearness, PlaceEvidence, ThrowPlace, path_parts
from errorkb.core.tracebacks import Occurrence
from errorkb.matching.readings import Reading
from errorkb.matching.sites import Site

# Folders in which repositories keep their packages; what stands behind them names the library.
_SOURCE_FOLDERS = frozenset(("src", "lib", "python", "packages", "libs"))
# Code that stands at many sites: a call that goes on in the next line.
_SAYS_NOTHING = re.compile(r"(?:raise|assert|return)? ?[\w.]*\(?")
# From so much of a template's words on, a message may be another wording of it.
_LIKE = 0.55
_LOGS = ("log", "warning")
_DOTS = ("...", "\u2026")
# What stands before a message that is quoted, or that a label announces.
_OPENS = re.compile(r"(?:^|[:=>\])|-] ?|[\"'`\[(]|(?:^|\s)[\w.]{1,40}=[^\s\"]{1,40})\s{0,40}$")


@dataclass(frozen=True)
class Finding:
    """An entry and an error of the paste: the evidence, and what it comes to.

    `fit` is where a wording was found, None where none was; `is_old_wording` says that newer releases have another.
    `template` is the one that is meant.
    """

    entry: Site
    occurrence: Occurrence
    evidence: Evidence
    place: PlaceEvidence
    verdict: Verdict
    template: str = ""
    fit: Fit | None = None
    text: FitText | None = None
    is_old_wording: bool = False

    def judged_with(self, **facts: Any) -> "Finding":
        """Return the finding judged again, with further fields of its evidence known."""
        evidence = replace(self.evidence, **facts)
        return replace(self, evidence=evidence, verdict=judge(evidence))


class FoundText(NamedTuple):
    """A template in the message of an error: where, what it reads like there, and how much that says."""

    fit: Fit
    text: FitText
    evidence: TextEvidence


def found_text(reading: Reading, fit: Fit, occurrence: Occurrence) -> FoundText:
    """Return what a template that stands in the message of an error says of it, whosever template it is."""
    begin, end = reading.start_of_message(occurrence), reading.end_of_message(occurrence)
    text = read_fit(fit, reading.skeleton, begin=begin, end=end)
    is_exact = text.is_exact and is_apart(fit, reading.skeleton)
    extent = _extent(reading, fit, text, occurrence, end, is_exact=is_exact)
    evidence = TextEvidence(
        points=fit_bits(fit),
        share=fit.share,
        extent=extent,
        begins=_begins(reading, fit, occurrence),
        is_all=text.is_plausible and not goes_on(fit, reading.skeleton),
        is_exact=is_exact,
        is_filled=text.is_filled,
        is_cut_shown=extent in (Extent.CUT, Extent.LOOSE) and _is_cut_shown(reading, fit, occurrence),
        is_left_out=extent is Extent.PARTIAL and is_left_out(fit, reading.skeleton),
        is_pythons_own=is_said_by_python(found_letters(fit, reading.skeleton)),
    )
    return FoundText(fit, text, evidence)


def find_by_text(
    reading: Reading, entry: Site, found: FoundText, occurrence: Occurrence, *, is_old: bool = False
) -> Finding:
    """Return what speaks for an entry one of whose wordings stands in the message of an error."""
    place = _place(reading, entry, occurrence)
    evidence = _weighed(reading, entry, occurrence, found.evidence, place, has_text=True)
    template = found.fit.template
    return Finding(entry, occurrence, evidence, place, judge(evidence), template, found.fit, found.text, is_old)


def find_by_place(reading: Reading, entry: Site, occurrence: Occurrence) -> Finding | None:
    """Return what speaks for an entry by the frames or the type of an error, its text being unknown or another.

    None where no frame is in its function and its type is not the pasted one; nor where nothing but the type is like
    the pasted error, whose message and frames are others.
    """
    place = _place(reading, entry, occurrence)
    if place.nearness is not Nearness.FUNCTION and _agreement(entry, occurrence) is not TypeAgreement.EQUAL:
        return None
    share, bits = likeness(entry.template, reading.message_words(occurrence)) if entry.template else (0.0, 0.0)
    is_like = share >= _LIKE
    if entry.template and not is_like and occurrence.frames and place.nearness is Nearness.ELSEWHERE:
        return None
    text = TextEvidence(bits, share, Extent.PARTIAL, is_exact=False) if is_like else None
    found = _weighed(reading, entry, occurrence, text, place, has_text=bool(entry.template))
    return Finding(entry, occurrence, found, place, judge(found), entry.template if is_like else "")


def _place(reading: Reading, entry: Site, occurrence: Occurrence) -> PlaceEvidence:
    return reading.trace_of(occurrence).evidence(ThrowPlace(entry.path, entry.line, entry.symbol))


def _agreement(entry: Site, occurrence: Occurrence) -> TypeAgreement:
    """Return how an entry's exception type and the pasted one agree."""
    ours, theirs = entry.exception_type.rpartition(".")[2], occurrence.type_name
    if theirs and not ours and entry.kind == "log":
        return TypeAgreement.NONE
    if not ours or not theirs:
        return TypeAgreement.UNKNOWN
    if ours != theirs:
        return _disagreement(ours, occurrence)
    if is_builtin_type(occurrence.exception_type) or is_builtin_type(ours):
        return TypeAgreement.EQUAL_BUILTIN
    module = occurrence.exception_type.partition(".")[0]
    is_foreign = "." in occurrence.exception_type and module not in path_parts(entry.path)
    return TypeAgreement.NAMED if is_foreign else TypeAgreement.EQUAL


def _agreement_in(reading: Reading, entry: Site, occurrence: Occurrence) -> TypeAgreement:
    """Return how the types agree, and whether the entry's stands in the text around where none was read."""
    found = _agreement(entry, occurrence)
    name = entry.exception_type.rpartition(".")[2]
    if found is TypeAgreement.UNKNOWN and name and name in reading.words_near(occurrence):
        return TypeAgreement.MENTIONED
    return found


def _disagreement(ours: str, occurrence: Occurrence) -> TypeAgreement:
    if _are_related(ours, occurrence.type_name):
        return TypeAgreement.RELATED
    is_pythons = is_of_standard_library(occurrence.exception_type)
    return TypeAgreement.PYTHONS if is_pythons else TypeAgreement.OTHER


def library_of(entry: Site) -> str:
    """Return the folder by which an entry's library is known where it is installed: `sqlalchemy`."""
    parts = path_parts(entry.path)
    return next((part for part in parts[:-1] if part not in _SOURCE_FOLDERS), "")


def _weighed(
    reading: Reading,
    entry: Site,
    occurrence: Occurrence,
    text: TextEvidence | None,
    place: PlaceEvidence,
    *,
    has_text: bool,
) -> Evidence:
    return Evidence(
        text=text,
        type_agreement=_agreement_in(reading, entry, occurrence),
        nearness=place.nearness,
        is_innermost=place.is_innermost,
        is_traced=bool(occurrence.frames),
        lines_off=place.lines_off,
        code=_code(entry, place),
        is_library_named=library_of(entry) in reading.folders,
        has_text=has_text,
        is_a_log=entry.kind in _LOGS,
        is_message_too_much=not has_text and entry.kind == "assertion" and bool(occurrence.message),
    )


def _extent(reading: Reading, fit: Fit, text: FitText, occurrence: Occurrence, end: int, *, is_exact: bool) -> Extent:
    """Return how much of a wording stands in a message: all of its words may, but with other signs between them.

    What takes in half a message as the value of a slot is no more than pieces, unless all signs agree.
    """
    extent = extent_of(fit, reading.skeleton, end)
    if not text.is_plausible and not is_exact:
        return Extent.PARTIAL
    if extent is not Extent.WHOLE:
        return extent
    if not stands_at_words(fit, reading.skeleton):
        return Extent.LOOSE
    if is_exact:
        return extent
    if has_more_blanks(fit, reading.skeleton):
        return Extent.LOOSE
    lines = reading.paste.lines[text.start.line : text.end.line + 1]
    told = "\n".join([occurrence.message, *(line.text for line in lines)])
    if is_alike(fit.template, text.slots, told) and is_apart(fit, reading.skeleton, is_strict=False):
        return Extent.WHOLE
    return Extent.CUT if is_last(fit, reading.skeleton, end) else Extent.LOOSE


def _is_cut_shown(reading: Reading, fit: Fit, occurrence: Occurrence) -> bool:
    """Say whether a text itself says that a message ends too early.

    It is a quote, ends with dots, with a line of the template, or where the paste does.
    """
    last = reading.skeleton.line_at(fit.end - 1)
    is_quoted = occurrence.shape == "quoted" or reading.skeleton.lines[last].rstrip().endswith(_DOTS)
    return is_quoted or reading.skeleton.line_starts[last + 1] == len(reading.skeleton.letters) or is_cut_at_line(fit)


def _begins(reading: Reading, fit: Fit, occurrence: Occurrence) -> bool:
    """Say whether a message, or a quote within it, begins with a wording or with the wording's first slot."""
    letters = reading.message_letters(occurrence)
    start, end = next(span for span in fit.spans if span)
    found = letters.find(reading.skeleton.letters[start:end])
    if is_below_slot(fit):
        return found > 0
    before = reading.text_before(start).rstrip().removesuffix(leading_signs(fit))
    if found == 0 or fit.starts_with_slot or _OPENS.search(before):
        return True
    name = letters_of(occurrence.type_name)
    return (
        bool(name) and reading.skeleton.letters.startswith(name, start) and start < reading.start_of_message(occurrence)
    )


def _code(entry: Site, place: PlaceEvidence) -> Code:
    """Say whether the code that a frame shows is the throwing line of the entry's newest sighting.

    `raise ValueError(` and the like are the same at every second site: they say nothing.
    """
    if place.nearness is not Nearness.FUNCTION or place.frame is None:
        return Code.UNKNOWN
    code, line = place.frame.code.strip(), entry.throwing_line
    if not code or not line or _SAYS_NOTHING.fullmatch(code):
        return Code.UNKNOWN
    return Code.EQUAL if code == line else Code.OTHER


def _are_related(ours: str, theirs: str) -> bool:
    """Say whether the pasted type is a builtin one below the entry's, such as FileNotFoundError below OSError."""
    base, pasted = getattr(builtins, ours, None), getattr(builtins, theirs, None)
    if not (isinstance(base, type) and isinstance(pasted, type)):
        return False
    return base not in (Exception, BaseException) and issubclass(pasted, base)
