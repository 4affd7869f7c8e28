"""Matching: where the wordings of a shortlist stand in a paste, and in which of its errors."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter

from errorkb.core.template_fits import Fit, fit_template, may_stand_whole
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


@dataclass(frozen=True, slots=True)
class Fitted:
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
        return list(_fitted(reading, tries))
    whole, partial = _split(reading, tries)
    fitted = list(_fitted(reading, whole))
    explained = {line for one in fitted if _explains(one) for line in _lines(reading, one.fit)}
    open_tries = (one for one in partial if reading.skeleton.line_at(one[1]) not in explained)
    return fitted + list(_fitted(reading, islice(open_tries, MOST_PARTIAL)))


def _split(reading: Reading, tries: Iterable[Try]) -> tuple[list[Try], list[Try]]:
    """Return the tries at whose places all literals of the wording follow each other, and the others."""
    whole: list[Try] = []
    partial: list[Try] = []
    for one in tries:
        wording, place = one
        is_whole = may_stand_whole(wording.template, reading.skeleton, wording.key, place)
        (whole if is_whole else partial).append(one)
    return whole, partial


def _fitted(reading: Reading, tries: Iterable[Try]) -> Iterator[Fitted]:
    for wording, places in groupby(tries, itemgetter(0)):
        best: dict[int, Fitted] = {}
        behind = -1
        for _, place in places:
            fit = _fit(reading, wording, place) if place >= behind else None
            if fit is None:
                continue
            behind = fit.end
            one = Fitted(wording, fit, fit_bits(fit), reading.occurrence_of(fit))
            known = best.get(id(one.occurrence))
            if one.bits >= _LEAST_BITS and (known is None or one.bits > known.bits):
                best[id(one.occurrence)] = one
        yield from best.values()


def _fit(reading: Reading, wording: FoundWording, place: int) -> Fit | None:
    return fit_template(wording.template, reading.skeleton, wording.key, place, least=_LEAST_LETTERS)


def _explains(one: Fitted) -> bool:
    return one.fit.share == 1.0 and one.bits >= _CONVINCING_BITS


def _lines(reading: Reading, fit: Fit) -> range:
    return range(reading.skeleton.line_at(fit.start), reading.skeleton.line_at(fit.end - 1) + 1)
