"""Matching: findings put in order: which explain others away, which nothing separates, and what the answer is."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from errorkb.core.scoring import Extent
from errorkb.core.template_literals import shape_of
from errorkb.core.tracebacks import Occurrence
from errorkb.matching.evidence import Finding
from errorkb.matching.results import Outcome, PullRequestMatch

# So many points apart, one of two findings in the same message is meant, and the other is not.
_MARGIN = 5.0
# A score from which on an entry may be the one that is meant, and one from which on it is worth naming.
_MAYBE = 0.4
_NEAR = 0.05

_ROLES = {"root": 0, "only": 0, "consequence": 1}


@dataclass(frozen=True)
class Ranked:
    """A finding, whether it is meant for sure, and the others that nothing separates from it."""

    finding: Finding
    confident: bool
    equals: tuple[Finding, ...] = ()


def rank(findings: Iterable[Finding]) -> list[Ranked]:
    """Return findings in the order in which they are told, each entry once: by confidence, role in its chain, points.

    Of several in one error of the paste, those that a better one explains are never confident.
    """
    grouped: dict[int, list[Finding]] = {}
    for finding in _best_of_each_entry(findings):
        grouped.setdefault(id(finding.occurrence), []).append(finding)
    ranked = [one for group in grouped.values() for one in _ranked(_best_first(group))]
    return sorted(ranked, key=_order)


def outcome_of(ranked: Sequence[Ranked], pull_requests: Sequence[PullRequestMatch] = ()) -> Outcome:
    """Return what came of a paste: that pull requests are about it only where no entry is meant for sure."""
    if pull_requests and not (ranked and ranked[0].confident):
        return Outcome.PULL_REQUEST
    if not ranked:
        return Outcome.UNKNOWN
    first = ranked[0]
    if first.confident:
        return Outcome.AMBIGUOUS if first.equals else Outcome.MATCHED
    return Outcome.AMBIGUOUS if first.finding.verdict.score >= _MAYBE else Outcome.UNKNOWN


def worth_telling(ranked: Iterable[Ranked]) -> list[Ranked]:
    """Leave out what has next to nothing to do with the paste: neither points nor the whole message as its text."""
    return [one for one in ranked if one.finding.verdict.score >= _NEAR or _is_the_message(one.finding)]


def without_distractions(findings: list[Finding], traced: Iterable[Occurrence]) -> list[Finding]:
    """Judge log messages again, where a traceback of the paste is of an error that nobody knows.

    What a program logged on the way is not what it failed of. Frames without an error are no reason.
    """
    known = {id(finding.occurrence) for finding in findings if finding.verdict.confident}
    unknown = [one for one in traced if one.frames and one.exception_type and id(one) not in known]
    if not unknown:
        return findings
    return [
        finding.judged_with(is_unexplained_elsewhere=True) if finding.evidence.is_a_log else finding
        for finding in findings
    ]


def _best_of_each_entry(findings: Iterable[Finding]) -> list[Finding]:
    """Return the best finding of each entry: an error that stands in a paste several times is told once."""
    best: dict[int, Finding] = {}
    for finding in findings:
        known = best.get(finding.entry.pk)
        if known is None or _goodness(finding) > _goodness(known):
            best[finding.entry.pk] = finding
    return list(best.values())


def _goodness(finding: Finding) -> tuple[bool, float, int]:
    return finding.verdict.confident, _points(finding), -finding.occurrence.number


def _best_first(group: list[Finding]) -> list[Finding]:
    """Return the findings of one error in order; of texts that differ in names of slots only, the commonest first."""
    sites = Counter(finding.template for finding in group)
    return sorted(group, key=lambda finding: (_fitness(finding), sites[finding.template]), reverse=True)


def _ranked(group: list[Finding]) -> list[Ranked]:
    """Rank the findings of one error, the one with most points first."""
    best = group[0]
    equals = [one for one in group if _is_equal(one, best)]
    return [
        Ranked(
            finding,
            finding.verdict.confident and (finding in equals or _points(finding) > _points(best) - _MARGIN),
            tuple(other for other in equals if other is not finding) if finding in equals else (),
        )
        for finding in group
    ]


def _is_equal(one: Finding, best: Finding) -> bool:
    return _points(one) >= _points(best) - 0.5 and one.template == best.template


def _points(finding: Finding) -> float:
    return finding.verdict.points


def _is_the_message(finding: Finding) -> bool:
    """Say whether a text is all of a message, sign for sign."""
    text = finding.evidence.text
    return text is not None and text.extent is Extent.WHOLE and text.begins and text.is_all and text.is_exact


def _fitness(finding: Finding) -> tuple[float, bool, int, int]:
    """Return what tells the better of two findings in one error: points, then whose text agrees, and has more of it.

    Of two texts as long, the one with fewer slots explains more; of two that were not found, the shorter lacks less.
    """
    shape = shape_of(finding.template)
    size = sum(len(word) for text in shape.texts for word in text.split())
    return _points(finding), _is_the_message(finding), size if finding.fit else -size, -len(shape.slots)


def _order(one: Ranked) -> tuple[bool, bool, bool, int, float, bool, int, int, int, str, int]:
    """Return what findings are told by: for sure, an error that says something before one that only its place tells."""
    finding = one.finding
    points, is_message, size, slots = _fitness(finding)
    return (
        not one.confident,
        one.confident and finding.evidence.is_a_log,
        one.confident and finding.evidence.text is None,
        _ROLES.get(finding.occurrence.role, 0),
        -points,
        not is_message,
        -size,
        -slots,
        -len(one.equals),
        finding.entry.path,
        finding.entry.line or 0,
    )
