"""Matching: where the wordings of a shortlist stand in a paste, and in which of its errors."""

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from errorkb.core.template_fits import Fit, fit_template, fit_whole, whole_places
from errorkb.core.text_evidence import fit_bits, whole_bits
from errorkb.core.tracebacks import Occurrence
from errorkb.matching.backends import WordingRow
from errorkb.matching.candidates import FoundTemplate
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
# Of what stands in one error, nothing says anything that says less than this part of what says most.
NEAR_BEST = 0.5

# A template and offsets of the skeleton at which its key is.
Tries = tuple[FoundTemplate, Sequence[int]]
TemplateFit = tuple[FoundTemplate, Fit]


class Fitted(NamedTuple):
    """A template in the paste, the wordings that are it, and the error in whose message it is."""

    wordings: Sequence[WordingRow]
    fit: Fit
    bits: float
    occurrence: Occurrence


def fit_templates(
    reading: Reading, templates: Iterable[FoundTemplate], *, placed: Set[int] = frozenset()
) -> list[Fitted]:
    """Return where templates stand in the paste, each once in each error, the best place of several.

    Where there is much to try, whole ones come first, and parts of others are looked for on those lines only that no
    whole one explains. `placed` are entries (primary keys) that more than text speaks for.
    """
    tries = [(one, one.places) for one in _first(templates)]
    if sum(len(places) * len(one.wordings) for one, places in tries) <= MANY_TRIES:
        return list(_best_of_each(reading, _fits(reading, _each(tries))))
    whole, others = _split(reading, tries)
    fitted = list(_best_of_each(reading, _whole_fits(reading, whole, placed)))
    explained = _explained(reading, (one.fit for one in fitted if _explains(one)))
    open_tries = (one for one in _each(others) if not explained[one[1]])
    return fitted + list(_best_of_each(reading, _fits(reading, islice(open_tries, MOST_PARTIAL))))


def _first(templates: Iterable[FoundTemplate]) -> Iterator[FoundTemplate]:
    """Yield the first templates, MOST_TRIED places in all."""
    room = MOST_TRIED
    for one in templates:
        room -= len(one.places)
        if room < 0:
            return
        yield one


def _each(tries: Iterable[Tries]) -> Iterator[tuple[FoundTemplate, int]]:
    return ((one, place) for one, places in tries for place in places)


def _split(reading: Reading, tries: Iterable[Tries]) -> tuple[list[Tries], list[Tries]]:
    """Return the tries at whose places the template stands whole, and the others."""
    whole: list[Tries] = []
    others: list[Tries] = []
    for one, places in tries:
        standing = whole_places(one.template, reading.skeleton, one.key, places)
        if standing:
            whole.append((one, standing))
            others.append((one, [place for place in places if place not in standing]))
        else:
            others.append((one, places))
    return whole, others


def _whole_fits(reading: Reading, tries: Iterable[Tries], placed: Set[int]) -> Iterator[TemplateFit]:
    """Yield where templates stand whole, those first that say most; none that another one on its line makes idle."""
    most: dict[int, float] = {}
    told = ((whole_bits(one.template), one, places) for one, places in tries)
    for bits, one, places in sorted(told, key=itemgetter(0), reverse=True):
        if bits < _LEAST_BITS:
            return
        is_placed = not placed.isdisjoint(wording.entry for wording in one.wordings)
        behind = 0
        for place in places:
            line = reading.skeleton.line_at(place)
            if place < behind or (bits < NEAR_BEST * most.get(line, 0.0) and not is_placed):
                continue
            fit = fit_whole(one.template, reading.skeleton, one.key, place)
            if fit is not None:
                yield one, fit
                behind = fit.end
                if _lines(reading, fit) == range(line, line + 1):
                    most.setdefault(line, bits)


def _fits(reading: Reading, tries: Iterable[tuple[FoundTemplate, int]]) -> Iterator[TemplateFit]:
    """Yield where templates stand in the paste, whole or in part."""
    last, behind = None, 0
    for one, place in tries:
        if one is last and place < behind:
            continue
        fit = fit_template(one.template, reading.skeleton, one.key, place, least=_LEAST_LETTERS)
        if fit is not None:
            yield one, fit
            last, behind = one, fit.end


def _best_of_each(reading: Reading, fits: Iterable[TemplateFit]) -> Iterator[Fitted]:
    """Yield the best of the fits of each template in each error."""
    for _, group in groupby(fits, lambda one: id(one[0])):
        best: dict[int, Fitted] = {}
        for found, fit in group:
            bits = fit_bits(fit)
            if bits < _LEAST_BITS:
                continue
            occurrence = reading.occurrence_of(fit)
            known = best.get(id(occurrence))
            if known is None or bits > known.bits:
                best[id(occurrence)] = Fitted(found.wordings, fit, bits, occurrence)
        yield from best.values()


def _explains(one: Fitted) -> bool:
    return one.fit.share == 1.0 and one.bits >= _CONVINCING_BITS


def _explained(reading: Reading, fits: Iterable[Fit]) -> bytearray:
    """Return for each letter of the skeleton whether a fit is on its line."""
    skeleton = reading.skeleton
    explained = bytearray(len(skeleton.letters))
    for fit in fits:
        first, last = skeleton.line_at(fit.start), skeleton.line_at(fit.end - 1)
        start, end = skeleton.line_starts[first], skeleton.line_starts[last + 1]
        explained[start:end] = b"\x01" * (end - start)
    return explained


def _lines(reading: Reading, fit: Fit) -> range:
    return range(reading.skeleton.line_at(fit.start), reading.skeleton.line_at(fit.end - 1) + 1)
