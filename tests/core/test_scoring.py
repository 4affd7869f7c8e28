"""What evidence convinces, and what does not: each row is a case that a maintainer decided by hand."""

import pytest

from errorkb.core.scoring import Code, Evidence, Extent, TextEvidence, TypeAgreement, judge
from errorkb.core.throw_places import Nearness

LONG = TextEvidence(points=60, begins=True)
SHORT = TextEvidence(points=7, begins=True)
PYTHONS = TextEvidence(points=30, begins=True, is_pythons_own=True)

CONVINCING = {
    "a long text alone": Evidence(text=LONG),
    "a long text in a log line, its type unknown": Evidence(text=TextEvidence(points=50, begins=True)),
    "a very long text within another message": Evidence(text=TextEvidence(points=110)),
    "a long text without its signs, of its own type": Evidence(
        text=TextEvidence(points=50, begins=True, is_exact=False), type_agreement=TypeAgreement.EQUAL
    ),
    "a very long text without its signs": Evidence(text=TextEvidence(points=65, begins=True, is_exact=False)),
    "a short text without its full stop, in its function": Evidence(
        text=TextEvidence(points=21, begins=True, is_exact=False), type_agreement=TypeAgreement.EQUAL_BUILTIN,
        nearness=Nearness.FUNCTION, is_innermost=True, is_traced=True, lines_off=41, code=Code.OTHER,
    ),
    "the beginning of a text, quoted, with its own type": Evidence(
        text=TextEvidence(points=20, share=0.4, extent=Extent.CUT, begins=True, is_cut_shown=True),
        type_agreement=TypeAgreement.EQUAL,
    ),
    "the beginning of a text, and the code that throws it": Evidence(
        text=TextEvidence(points=60, share=0.6, extent=Extent.CUT, begins=True),
        type_agreement=TypeAgreement.EQUAL_BUILTIN, nearness=Nearness.FUNCTION, is_innermost=True, lines_off=6,
        code=Code.EQUAL,
    ),
    "most of a very long text, a sentence left out": Evidence(
        text=TextEvidence(points=300, share=0.5, extent=Extent.PARTIAL, begins=True, is_left_out=True),
        type_agreement=TypeAgreement.EQUAL_BUILTIN,
    ),
    "a short text, its type and its function": Evidence(
        text=SHORT, type_agreement=TypeAgreement.EQUAL_BUILTIN, nearness=Nearness.FUNCTION, is_innermost=True
    ),
    "no text at all, but the very function and its own type": Evidence(
        has_text=False, type_agreement=TypeAgreement.EQUAL, nearness=Nearness.FUNCTION, is_innermost=True
    ),
    "the only site without text of a type of its own": Evidence(
        has_text=False, type_agreement=TypeAgreement.EQUAL, is_library_named=True, rivals=0
    ),
    "pieces of a text at the very line": Evidence(
        text=TextEvidence(points=40, share=0.7, extent=Extent.PARTIAL, begins=True),
        type_agreement=TypeAgreement.EQUAL_BUILTIN, nearness=Nearness.FUNCTION, is_innermost=True, lines_off=0,
    ),
    "what Python says too, at the line that raises it": Evidence(
        text=PYTHONS, type_agreement=TypeAgreement.EQUAL_BUILTIN, nearness=Nearness.FUNCTION, is_innermost=True,
        lines_off=3, code=Code.EQUAL,
    ),
}  # fmt: skip

NOT_CONVINCING = {
    "nothing": Evidence(),
    "a short text alone": Evidence(text=SHORT),
    "a short text and a builtin type": Evidence(text=SHORT, type_agreement=TypeAgreement.EQUAL_BUILTIN),
    "a text behind other words of the message": Evidence(text=TextEvidence(points=60)),
    "a text before other words of the message": Evidence(text=TextEvidence(points=60, begins=True, is_all=False)),
    "a text with other signs, of a builtin type": Evidence(
        text=TextEvidence(points=50, begins=True, is_exact=False), type_agreement=TypeAgreement.EQUAL_BUILTIN
    ),
    "a text with an empty slot, of a builtin type": Evidence(
        text=TextEvidence(points=50, begins=True, is_filled=False), type_agreement=TypeAgreement.EQUAL_BUILTIN
    ),
    "a text with other signs, of the library, thrown elsewhere": Evidence(
        text=TextEvidence(points=50, begins=True, is_exact=False), type_agreement=TypeAgreement.EQUAL_BUILTIN,
        is_traced=True, is_library_named=True,
    ),
    "a text with other signs, far away in its function": Evidence(
        text=TextEvidence(points=38, begins=True, is_exact=False), type_agreement=TypeAgreement.EQUAL_BUILTIN,
        nearness=Nearness.FUNCTION, is_innermost=True, is_traced=True, lines_off=250,
    ),
    "the words of a text as parts of longer ones, in its function": Evidence(
        text=TextEvidence(points=50, begins=True, extent=Extent.LOOSE), type_agreement=TypeAgreement.EQUAL_BUILTIN,
        nearness=Nearness.FUNCTION, is_innermost=True, is_traced=True, lines_off=20,
    ),
    "the beginning of a text, and the message ends there": Evidence(
        text=TextEvidence(points=40, share=0.6, extent=Extent.CUT, begins=True),
        type_agreement=TypeAgreement.EQUAL_BUILTIN, nearness=Nearness.FUNCTION, is_innermost=True, lines_off=12,
    ),
    "the beginning of a text, behind other words": Evidence(
        text=TextEvidence(points=40, share=0.6, extent=Extent.CUT, is_cut_shown=True),
        type_agreement=TypeAgreement.EQUAL,
    ),
    "most of a long text, a word replaced": Evidence(
        text=TextEvidence(points=140, share=0.9, extent=Extent.PARTIAL, begins=True),
        type_agreement=TypeAgreement.EQUAL,
    ),
    "a type alone, of many sites": Evidence(type_agreement=TypeAgreement.EQUAL),
    "a builtin type at a site without text": Evidence(has_text=False, type_agreement=TypeAgreement.EQUAL_BUILTIN),
    "the function, but another type": Evidence(
        text=SHORT, type_agreement=TypeAgreement.OTHER, nearness=Nearness.FUNCTION, is_innermost=True
    ),
    "the function, but another text": Evidence(
        type_agreement=TypeAgreement.EQUAL_BUILTIN, nearness=Nearness.FUNCTION, is_innermost=True
    ),
    "what Python itself says": Evidence(text=PYTHONS, type_agreement=TypeAgreement.EQUAL_BUILTIN),
    "a moderate text, thrown elsewhere": Evidence(
        text=TextEvidence(points=28), type_agreement=TypeAgreement.EQUAL_BUILTIN, is_traced=True
    ),
    "pieces of a text at its function, on another line": Evidence(
        text=TextEvidence(points=50, share=0.85, extent=Extent.PARTIAL, begins=True),
        type_agreement=TypeAgreement.EQUAL_BUILTIN, nearness=Nearness.FUNCTION, is_innermost=True, lines_off=4,
    ),
    "a message where the site throws without one": Evidence(
        has_text=False, is_message_too_much=True, type_agreement=TypeAgreement.EQUAL_BUILTIN,
        nearness=Nearness.FUNCTION, is_innermost=True, lines_off=4,
    ),
    "a log message beside another error's traceback": Evidence(
        text=LONG, is_a_log=True, is_unexplained_elsewhere=True
    ),
}  # fmt: skip


@pytest.mark.parametrize("evidence", CONVINCING.values(), ids=CONVINCING)
def test_is_convinced(evidence: Evidence) -> None:
    verdict = judge(evidence)
    assert verdict.confident
    assert 0.8 <= verdict.score <= 1


@pytest.mark.parametrize("evidence", NOT_CONVINCING.values(), ids=NOT_CONVINCING)
def test_is_not_convinced(evidence: Evidence) -> None:
    verdict = judge(evidence)
    assert not verdict.confident
    assert 0 <= verdict.score < 0.8


def test_scores_more_evidence_higher() -> None:
    grown = [
        Evidence(text=SHORT),
        Evidence(text=SHORT, type_agreement=TypeAgreement.EQUAL),
        Evidence(text=SHORT, type_agreement=TypeAgreement.EQUAL, nearness=Nearness.FILE, is_innermost=True),
        Evidence(text=SHORT, type_agreement=TypeAgreement.EQUAL, nearness=Nearness.FUNCTION, is_innermost=True),
        Evidence(text=LONG, type_agreement=TypeAgreement.EQUAL, nearness=Nearness.FUNCTION, is_innermost=True),
    ]
    scores = [judge(evidence).score for evidence in grown]
    assert scores == sorted(scores)
    assert len(set(scores)) == len(scores)
