"""Matching: from a shortlist to findings: wordings fitted into the paste, then entries found by frame and type."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from errorkb.core.throw_places import path_parts
from errorkb.core.tracebacks import Occurrence
from errorkb.matching.backends import WordingRow
from errorkb.matching.candidates import Candidates, find_candidates
from errorkb.matching.evidence import Finding, FoundText, find_by_place, find_by_text, found_text
from errorkb.matching.fits import NEAR_BEST, Fitted, fit_templates
from errorkb.matching.readings import Reading
from errorkb.matching.sites import Site, load_sites

# Bounds of the work for one paste: fits that are weighed; pairs of an entry and an error that are
# compared by place, and frames of an error, innermost ones, that are looked at for these.
MOST_WEIGHED = 400
MOST_PLACED = 2_000
MOST_FRAMES = 60
# Of one error, so many fits are weighed.
MOST_OF_ERROR = 40

# A wording, and how the template that it shares with others stands in the paste.
WordingFitted = tuple[WordingRow, Fitted]


@dataclass(frozen=True)
class Found:
    """The findings of a paste, and which bound was reached, in words; empty where none was."""

    findings: list[Finding]
    cut: str = ""


def find(reading: Reading, *, repository: int | None = None) -> Found:
    """Return all findings of a paste, of one repository (primary key) if asked."""
    occurrences = reading.paste.occurrences
    frames = [frame for occurrence in occurrences for frame in reversed(occurrence.frames)]
    types = [occurrence.exception_type for occurrence in occurrences if occurrence.exception_type]
    candidates = find_candidates(reading.windows, frames, types, repository=repository)
    placed = [*candidates.by_frame, *candidates.by_type][: 2 * MOST_WEIGHED]
    are_placed = set(placed)
    fitted = fit_templates(reading, candidates.templates, placed=are_placed)
    weighed = sorted(_worth_weighing(fitted, are_placed), key=_best_first)[:MOST_WEIGHED]
    entries = load_sites({*(wording.entry for wording, _ in weighed), *placed})
    by_text = list(_by_text(reading, weighed, entries))
    by_place = list(_by_place(reading, [entries[key] for key in placed if key in entries], by_text))
    return Found(by_text + by_place, _cut(reading, candidates, fitted))


def _worth(one: Fitted) -> float:
    return one.bits * one.fit.share


def _best_first(pair: WordingFitted) -> tuple[float, int]:
    """Return what wordings are ordered by; of equals the oldest are first, on any database."""
    wording, one = pair
    return -_worth(one), wording.wording


def _worth_weighing(fitted: Iterable[Fitted], placed: set[int]) -> Iterator[WordingFitted]:
    """Yield of the fits in each error those that come near the best one, and those that a frame or type speaks for."""
    groups: dict[int, list[Fitted]] = {}
    for one in fitted:
        groups.setdefault(id(one.occurrence), []).append(one)
    for group in groups.values():
        least = NEAR_BEST * max(map(_worth, group))
        near = (one for one in group if _worth(one) >= least)
        pairs = ((wording, one) for one in near for wording in one.wordings if wording.entry not in placed)
        yield from sorted(pairs, key=_best_first)[:MOST_OF_ERROR]
        yield from ((wording, one) for one in group for wording in one.wordings if wording.entry in placed)


def _by_text(reading: Reading, weighed: Iterable[WordingFitted], entries: dict[int, Site]) -> Iterator[Finding]:
    texts: dict[int, FoundText] = {}
    for wording, one in weighed:
        entry = entries.get(wording.entry)
        if entry is None:
            continue
        if id(one) not in texts:
            texts[id(one)] = found_text(reading, one.fit, one.occurrence)
        yield find_by_text(reading, entry, texts[id(one)], one.occurrence, is_old=not wording.is_current)


def _by_place(reading: Reading, entries: list[Site], by_text: list[Finding]) -> Iterator[Finding]:
    """Yield what frames and types say of entries whose text was not found in that error."""
    found = {(finding.entry.pk, id(finding.occurrence)) for finding in by_text}
    by_name = _by_name(entries)
    room = MOST_PLACED
    for occurrence in reading.paste.occurrences:
        placed = [entry for entry in _meant(by_name, occurrence) if (entry.pk, id(occurrence)) not in found][:room]
        findings = (find_by_place(reading, entry, occurrence) for entry in placed)
        yield from _with_rivals([finding for finding in findings if finding is not None])
        room -= len(placed)
        if room <= 0:
            return


def _by_name(entries: Iterable[Site]) -> dict[str, list[Site]]:
    """Return entries by the name of their file and by that of their type."""
    by_name: dict[str, list[Site]] = {}
    for entry in entries:
        for name in {*path_parts(entry.path)[-1:], entry.exception_type.rpartition(".")[2]}:
            by_name.setdefault(name, []).append(entry)
    return by_name


def _meant(by_name: dict[str, list[Site]], occurrence: Occurrence) -> Iterator[Site]:
    """Yield the entries that an error's innermost frames or its type may mean, each once."""
    files = (part for frame in occurrence.frames[: -MOST_FRAMES - 1 : -1] for part in path_parts(frame.path)[-1:])
    names = dict.fromkeys(filter(None, (occurrence.type_name, *files)))
    yield from {entry.pk: entry for name in names for entry in by_name.get(name, ())}.values()


def _with_rivals(findings: list[Finding]) -> Iterator[Finding]:
    """Yield findings, those without a text to compare knowing how many others might be meant as well."""
    textless = [finding for finding in findings if not finding.evidence.has_text]
    for finding in findings:
        rivals = sum(other.place.nearness >= finding.place.nearness for other in textless) - 1
        yield finding if finding.evidence.has_text or not rivals else finding.judged_with(rivals=rivals)


def _cut(reading: Reading, candidates: Candidates, fitted: list[Fitted]) -> str:
    if candidates.cut:
        return candidates.cut
    if reading.paste.is_cut:
        return "more text than is read"
    return "more messages than are compared" if sum(len(one.wordings) for one in fitted) > MOST_WEIGHED else ""
