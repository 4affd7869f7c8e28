"""Matching: the evidence for an entry in words that a reader can check against their own text."""

from collections.abc import Iterator

from errorkb.core.scoring import Code, Extent, TypeAgreement
from errorkb.core.throw_places import Nearness
from errorkb.matching.evidence import Finding, library_of
from errorkb.matching.results import Reason

_TYPES = {
    TypeAgreement.EQUAL: ("type", "the type {theirs} is the one that it raises"),
    TypeAgreement.EQUAL_BUILTIN: ("type", "the type {theirs} is the one that it raises"),
    TypeAgreement.NAMED: ("type", "the type has the same name, {ours}, but is of another module"),
    TypeAgreement.RELATED: ("type", "{theirs} is a kind of {ours}, which it raises"),
    TypeAgreement.MENTIONED: ("type", "your text names {ours}, which it raises"),
    TypeAgreement.PYTHONS: ("against", "it raises {ours}, your text says {theirs}, which Python's own library raises"),
    TypeAgreement.NONE: ("against", "it is a message that is logged, your text has an exception, {theirs}"),
    TypeAgreement.OTHER: ("against", "it raises {ours}, your text says {theirs}"),
}


def reasons(finding: Finding) -> tuple[Reason, ...]:
    """Return what speaks for a finding, then what speaks against it."""
    found = [
        *_of_text(finding),
        *_of_age(finding),
        *_of_place(finding),
        *_of_type(finding),
        *_of_library(finding),
    ]
    return tuple(sorted(found, key=lambda reason: reason.kind == "against"))


def _of_text(finding: Finding) -> Iterator[Reason]:
    text = finding.evidence.text
    number = finding.occurrence.number
    if text is None:
        yield from _of_missing_text(finding)
        return
    if finding.fit is None:
        yield Reason("text", f"line {number} of your text has {text.share:.0%} of the words of its message")
    elif text.extent is Extent.CUT:
        yield Reason("text", f"line {number} of your text is the beginning of its message")
    elif text.extent is Extent.PARTIAL:
        yield Reason("text", f"line {number} of your text has {text.share:.0%} of its message")
    elif text.is_exact:
        yield Reason("text", f"line {number} of your text is its message word for word")
    else:
        yield Reason("text", f"line {number} of your text is its message, but for signs or capitals")
    if text.is_pythons_own:
        yield Reason("against", "Python itself says this of anybody's code")


def _of_age(finding: Finding) -> Iterator[Reason]:
    if finding.is_old_wording:
        yield Reason("text", "it is an earlier wording of the message")


def _of_missing_text(finding: Finding) -> Iterator[Reason]:
    if finding.evidence.has_text:
        yield Reason("against", "your text has not its message")
    elif finding.occurrence.message:
        yield Reason("text", "its message is made elsewhere, so that there is no text to compare")


def _of_place(finding: Finding) -> Iterator[Reason]:
    place, entry = finding.place, finding.entry
    if place.frame is None:
        if finding.evidence.is_traced:
            yield Reason("against", f"no frame of your traceback is in {entry.path}")
        return
    where = f"line {place.frame.number} of your text" if place.frame.number else "a frame of your text"
    if place.nearness is Nearness.FILE:
        yield Reason("frame", f"{where} is in the file that raises it, in another function")
    elif place.is_innermost and finding.evidence.code is Code.EQUAL:
        yield Reason("frame", f"{where} shows the line that raises it")
    elif place.is_innermost:
        yield Reason("frame", f"{where} is in the function that raises it")
    else:
        yield Reason("frame", f"{where} passes through the function that raises it")


def _of_type(finding: Finding) -> Iterator[Reason]:
    told = _TYPES.get(finding.evidence.type_agreement)
    if told:
        kind, text = told
        ours, theirs = finding.entry.exception_type, finding.occurrence.type_name
        yield Reason(kind, text.format(ours=ours.rpartition(".")[2], theirs=theirs))


def _of_library(finding: Finding) -> Iterator[Reason]:
    if finding.evidence.is_library_named and finding.place.frame is None:
        yield Reason("library", f"your text names {library_of(finding.entry)}")
