"""Matching: the one corridor from a pasted text to the entries that it tells of.

The page, the API, the command and later MCP come through here, so that all give the same answer.
"""

from collections.abc import Mapping
from dataclasses import replace

from errorkb.core.slot_kinds import slot_kind
from errorkb.matching.evidence import Finding, library_of
from errorkb.matching.findings import find
from errorkb.matching.pull_requests import find_pull_requests
from errorkb.matching.ranking import Ranked, outcome_of, rank, without_distractions, worth_telling
from errorkb.matching.readings import Reading, read
from errorkb.matching.reasons import reasons
from errorkb.matching.releases import behind_those_that_have_it, release_reasons
from errorkb.matching.results import Match, MatchOptions, MatchResult, Outcome, Reason, SlotValue
from errorkb.matching.told_entries import load_entries
from errorkb.models import ErrorEntry, Repository


def match(text: str, options: MatchOptions) -> MatchResult:
    """Return the answer to a pasted text: a line, a traceback, a log.

    Takes time linear in the text and a fixed number of queries, whatever the base holds; `cut` of the answer says in
    words which bound was reached.
    """
    reading = read(text)
    repository = _repository(options)
    if repository is None and options.repository:
        return MatchResult(Outcome.UNKNOWN, (), reading.paste.occurrences)
    found = find(reading, repository=repository)
    ranked = rank(without_distractions(found.findings, reading.paste.occurrences))
    told = worth_telling(ranked)[: options.limit]
    entries = load_entries([one.finding.entry.pk for one in told])
    releases = _releases(reading, told, entries, options)
    told = behind_those_that_have_it(told, releases)
    pulls = find_pull_requests(reading, repository=repository)
    matches = _matches(reading, told, entries, releases)
    return MatchResult(outcome_of(told, pulls), matches, reading.paste.occurrences, found.cut, pulls)


def _repository(options: MatchOptions) -> int | None:
    if not options.repository:
        return None
    return Repository.objects.named(options.repository).values_list("pk", flat=True).first()


def _releases(
    reading: Reading, ranked: list[Ranked], entries: Mapping[int, ErrorEntry], options: MatchOptions
) -> dict[int, Reason]:
    """Return what is known of entries, by primary key, in the reader's release."""
    libraries = {one.finding.entry.pk: library_of(one.finding.entry) for one in ranked}
    return release_reasons(entries.values(), libraries, reading.paste.releases, options.release)


def _matches(
    reading: Reading, ranked: list[Ranked], entries: Mapping[int, ErrorEntry], releases: Mapping[int, Reason]
) -> tuple[Match, ...]:
    return tuple(
        _match(reading, one, entry, releases.get(entry.pk))
        for one in ranked
        if (entry := entries.get(one.finding.entry.pk))
    )


def _match(reading: Reading, ranked: Ranked, entry: ErrorEntry, release: Reason | None) -> Match:
    finding = ranked.finding
    told = [*reasons(finding), *([release] if release else [])]
    slots = finding.text.slots if finding.text else {}
    return Match(
        entry=entry,
        score=finding.verdict.score,
        confident=ranked.confident,
        template=finding.template,
        occurrence=replace(finding.occurrence, count=reading.count_of(finding.occurrence)),
        numbers=_numbers(reading, finding),
        slots={name: SlotValue(value, slot_kind(value)) for name, value in slots.items()},
        reasons=tuple(told),
        equals=tuple(other.entry.public_id for other in ranked.equals),
        is_old_wording=finding.is_old_wording,
    )


def _numbers(reading: Reading, finding: Finding) -> tuple[int, ...]:
    """Return the lines of the paste on which the message stands."""
    if finding.text is None:
        return (finding.occurrence.number,)
    lines = reading.paste.lines[finding.text.start.line : finding.text.end.line + 1]
    return tuple(dict.fromkeys(line.number for line in lines))
