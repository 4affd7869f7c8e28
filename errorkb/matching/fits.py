"""Matching: where the wordings of a shortlist stand in a paste, and in which of its errors."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from errorkb.core.template_fits import Fit, fit_template, fit_whole
from errorkb.core.text_evidence import fit_bits
from errorkb.core.tracebacks import Occurrence
from errorkb.matching.candidates import FoundWording
from errorkb.matching.readings import Reading

# Bounds of the work for one paste: places at which wordings are tried; with more than so many, only so many of those at
# which a wording cannot stand whole.
MOST_TRIED = 20_000
MANY_TRIES = 100
MOST_PARTIAL = 1_000
# Less text than this says nothing, whatever else agrees; a line of which so much is explained needs no partial fits.
_LEAST_BITS = 5.0
_CONVINCING_BITS = 25.0
# Nor do fewer letters that are less than half of a template's.
_LEAST_LETTERS = 12

# Wordings of one template; they stand wherever one of them does.
Twins = Sequence[FoundWording]
# Twins and an offset of the skeleton at which their key is.
Try = tuple[Twins, int]
TwinsFit = tuple[Twins, Fit]


class Fitted(NamedTuple):
    """A template in the paste, the wordings that are it, and the error in whose message it is."""

    twins: Twins
    fit: Fit
    bits: float
    occurrence: Occurrence


def fit_wordings(reading: Reading, wordings: Iterable[FoundWording]) -> list[Fitted]:
    """Return where wordings stand in the paste, each once in each error, the best place of several.

    Where there is much to try, whole wordings come first, and parts of others are looked for on those lines only that
    no whole one explains.
    """
    tries = list(islice(((twins, place) for twins in _twins(wordings) for place in twins[0].places), MOST_TRIED))
    if sum(len(twins) for twins, _ in tries) <= MANY_TRIES:
        return list(_best_of_each(reading, _fits(reading, tries)))
    whole, others = _split(reading, tries)
    fitted = list(_best_of_each(reading, whole))
    explained = {line for one in fitted if _explains(one) for line in _lines(reading, one.fit)}
    open_tries = (one for one in others if reading.skeleton.line_at(one[1]) not in explained)
    return fitted + list(_best_of_each(reading, _fits(reading, islice(open_tries, MOST_PARTIAL))))


def _twins(wordings: Iterable[FoundWording]) -> Iterable[Twins]:
    """Return wordings with those that have the same template, and are looked for by the same key."""
    groups: dict[tuple[str, str], list[FoundWording]] = {}
    for wording in wordings:
        groups.setdefault((wording.template, wording.key), []).append(wording)
    return groups.values()


def _split(reading: Reading, tries: Iterable[Try]) -> tuple[list[TwinsFit], list[Try]]:
    """Return where templates stand whole, and the tries at whose places they do not."""
    whole: list[TwinsFit] = []
    others: list[Try] = []
    behind: tuple[Twins | None, int] = None, -1
    for one in tries:
        twins, place = one
        if twins is behind[0] and place < behind[1]:
            continue
        fit = fit_whole(twins[0].template, reading.skeleton, twins[0].key, place)
        if fit is None:
            others.append(one)
        else:
            whole.append((twins, fit))
            behind = twins, fit.end
    return whole, others


def _fits(reading: Reading, tries: Iterable[Try]) -> Iterator[TwinsFit]:
    """Yield where templates stand in the paste, whole or in part."""
    behind: tuple[Twins | None, int] = None, -1
    for twins, place in tries:
        if twins is behind[0] and place < behind[1]:
            continue
        fit = fit_template(twins[0].template, reading.skeleton, twins[0].key, place, least=_LEAST_LETTERS)
        if fit is not None:
            yield twins, fit
            behind = twins, fit.end


def _best_of_each(reading: Reading, fits: Iterable[TwinsFit]) -> Iterator[Fitted]:
    """Yield the best of the fits of each template in each error."""
    for _, group in groupby(fits, lambda one: id(one[0])):
        best: dict[int, Fitted] = {}
        for twins, fit in group:
            bits = fit_bits(fit)
            if bits < _LEAST_BITS:
                continue
            occurrence = reading.occurrence_of(fit)
            known = best.get(id(occurrence))
            if known is None or bits > known.bits:
                best[id(occurrence)] = Fitted(twins, fit, bits, occurrence)
        yield from best.values()


def _explains(one: Fitted) -> bool:
    return one.fit.share == 1.0 and one.bits >= _CONVINCING_BITS


def _lines(reading: Reading, fit: Fit) -> range:
    return range(reading.skeleton.line_at(fit.start), reading.skeleton.line_at(fit.end - 1) + 1)
