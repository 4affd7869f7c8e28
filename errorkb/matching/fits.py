"""Matching: where the wordings of a shortlist stand in a paste, and in which of its errors."""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
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

# A wording and an offset of the skeleton at which its key is.
Try = tuple[FoundWording, int]
WordingFit = tuple[FoundWording, Fit]


class Fitted(NamedTuple):
    """A wording in the paste, and the error in whose message it is."""

    wording: FoundWording
    fit: Fit
    bits: float
    occurrence: Occurrence


def fit_wordings(reading: Reading, wordings: Iterable[FoundWording]) -> list[Fitted]:
    """Return where wordings stand in the paste, each once in each error, the best place of several.

    Where there is much to try, whole wordings come first, and parts of others are looked for on those lines only that
    no whole one explains.
    """
    tries = list(islice(((wording, place) for wording in wordings for place in wording.places), MOST_TRIED))
    if len(tries) <= MANY_TRIES:
        return list(_best_of_each(reading, _fits(reading, tries)))
    whole, others = _split(reading, tries)
    fitted = list(_best_of_each(reading, whole))
    explained = {line for one in fitted if _explains(one) for line in _lines(reading, one.fit)}
    open_tries = (one for one in others if reading.skeleton.line_at(one[1]) not in explained)
    return fitted + list(_best_of_each(reading, _fits(reading, islice(open_tries, MOST_PARTIAL))))


def _split(reading: Reading, tries: Iterable[Try]) -> tuple[list[WordingFit], list[Try]]:
    """Return where wordings stand whole, and the tries at whose places they do not."""
    whole: list[WordingFit] = []
    others: list[Try] = []
    behind: tuple[FoundWording | None, int] = None, -1
    for one in tries:
        wording, place = one
        if wording is behind[0] and place < behind[1]:
            continue
        fit = fit_whole(wording.template, reading.skeleton, wording.key, place)
        if fit is None:
            others.append(one)
        else:
            whole.append((wording, fit))
            behind = wording, fit.end
    return whole, others


def _fits(reading: Reading, tries: Iterable[Try]) -> Iterator[WordingFit]:
    """Yield where wordings stand in the paste, whole or in part."""
    behind: tuple[FoundWording | None, int] = None, -1
    for wording, place in tries:
        if wording is behind[0] and place < behind[1]:
            continue
        fit = fit_template(wording.template, reading.skeleton, wording.key, place, least=_LEAST_LETTERS)
        if fit is not None:
            yield wording, fit
            behind = wording, fit.end


def _best_of_each(reading: Reading, fits: Iterable[WordingFit]) -> Iterator[Fitted]:
    """Yield the best of the fits of each wording in each error."""
    for wording, group in groupby(fits, itemgetter(0)):
        best: dict[int, Fitted] = {}
        for _, fit in group:
            bits = fit_bits(fit)
            if bits < _LEAST_BITS:
                continue
            occurrence = reading.occurrence_of(fit)
            known = best.get(id(occurrence))
            if known is None or bits > known.bits:
                best[id(occurrence)] = Fitted(wording, fit, bits, occurrence)
        yield from best.values()


def _explains(one: Fitted) -> bool:
    return one.fit.share == 1.0 and one.bits >= _CONVINCING_BITS


def _lines(reading: Reading, fit: Fit) -> range:
    return range(reading.skeleton.line_at(fit.start), reading.skeleton.line_at(fit.end - 1) + 1)
