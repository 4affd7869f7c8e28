"""Matching: pull requests whose reports quote the pasted error as what they fix, and those that brought it.

Such an error may have no throw site anywhere: Python itself says it of somebody's call. It is held to the rules that
entries are held to (`matching.evidence`), and what Python says of anybody's code counts by its values alone.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from django.db import connection

from errorkb.core.match_keys import text_windows
from errorkb.core.report_evidence import telling_bits
from errorkb.core.scoring import Extent, TypeAgreement
from errorkb.core.skeletons import make_skeleton
from errorkb.core.template_fits import fit_template
from errorkb.core.throw_places import Nearness
from errorkb.matching.backends import index_of
from errorkb.matching.evidence import Finding, find_by_text, found_text
from errorkb.matching.readings import FOLDED_FROM, Reading
from errorkb.matching.results import PullRequestMatch
from errorkb.matching.sites import Site
from errorkb.models import PullRequestMention, QuotedMessage

# So many pull requests are told, and so many quotes are looked at.
MOST_TOLD = 5
MOST_QUOTES = 200
# Of a log, the messages of so many errors are looked at, and so much of each.
_MOST_MESSAGES = 500
_MOST_MESSAGE = 1_000
_LEAST_LETTERS = 12
# What only values tell apart must be told by so much, or by the library.
_MANY_BITS = 25.0
_EXTENTS = (Extent.WHOLE, Extent.LOOSE)
_OTHER_TYPES = (TypeAgreement.OTHER, TypeAgreement.PYTHONS, TypeAgreement.NONE)


def find_pull_requests(reading: Reading, *, repository: int | None = None) -> tuple[PullRequestMatch, ...]:
    """Return the pull requests that fix an error of a paste, the surest first, then those that brought it.

    They are of one repository (primary key) if asked. One query, and two more where there is something to tell.
    """
    quotes = _quotes(reading, repository)
    places = reading.windows.places({quote.key for quote in quotes}) if quotes else {}
    found = [told for quote in quotes if (told := _told(reading, quote, places[quote.key]))]
    if not found:
        return ()
    best: dict[int, tuple[QuotedMessage, Finding]] = {}
    for quote, finding in sorted(found, key=lambda one: -one[1].verdict.points):
        best.setdefault(quote.pull_request_id, (quote, finding))
    fixing = list(best.values())[:MOST_TOLD]
    return (*(_fixing(quote) for quote, _ in fixing), *_introducing([quote for quote, _ in fixing]))


def _quotes(reading: Reading, repository: int | None) -> list[QuotedMessage]:
    """Return the quotes whose keys are in the messages of a paste."""
    windows = _windows(reading)
    keys = index_of(connection).quoted(connection, windows, MOST_QUOTES)
    if not keys:
        return []
    rows = QuotedMessage.objects.filter(pk__in=keys)
    if repository is not None:
        rows = rows.filter(pull_request__repository=repository)
    quotes = rows.select_related("pull_request__repository").defer("pull_request__document", "pull_request__owners")
    return [quote for quote in quotes if not quote.check_key or quote.check_key in windows]


def _windows(reading: Reading) -> Set[str]:
    """Return the windows of a short paste; of a log, those of the errors' messages alone."""
    if len(reading.paste.lines) <= FOLDED_FROM:
        return reading.windows.found
    told = reading.paste.occurrences[:_MOST_MESSAGES]
    messages = [occurrence.message[:_MOST_MESSAGE] for occurrence in told]
    return text_windows(make_skeleton(messages, fold=True)).found


def _told(reading: Reading, quote: QuotedMessage, places: Sequence[int]) -> tuple[QuotedMessage, Finding] | None:
    """Return a quote and the best place where the whole of it stands in the paste, if it convinces there."""
    findings = list(_findings(reading, quote, places))
    sure = [finding for finding in findings if finding.verdict.confident]
    return (quote, max(sure, key=lambda finding: finding.verdict.points)) if sure else None


def _findings(reading: Reading, quote: QuotedMessage, places: Sequence[int]) -> Iterator[Finding]:
    site = Site(0, "", "error", quote.exception_type, quote.template, quote.path, None, "", None, None)
    for place in places:
        fit = fit_template(quote.template, reading.skeleton, quote.key, place, least=_LEAST_LETTERS)
        if fit is None:
            continue
        occurrence = reading.occurrence_of(fit)
        finding = find_by_text(reading, site, found_text(reading, fit, occurrence), occurrence)
        text, agreement = finding.evidence.text, finding.evidence.type_agreement
        if text is not None and text.extent in _EXTENTS and agreement not in _OTHER_TYPES:
            yield _judged(finding, telling_bits(quote.message))


def _judged(finding: Finding, values: float | None) -> Finding:
    """Judge again what is known of a quote: its error may be thrown anywhere in the library that was mended."""
    evidence, text = finding.evidence, finding.evidence.text
    is_of_library = evidence.is_library_named or evidence.nearness is not Nearness.ELSEWHERE
    if values is not None and text is not None:
        enough = is_of_library or values >= _MANY_BITS
        text = replace(text, points=values, is_pythons_own=not enough)
    return finding.judged_with(text=text, is_traced=evidence.is_traced and not is_of_library)


def _fixing(quote: QuotedMessage) -> PullRequestMatch:
    row = quote.pull_request
    told = f"{quote.exception_type}: {quote.message}" if quote.exception_type else quote.message
    return PullRequestMatch(row.repository, row.number, "fixed", told)


def _introducing(quotes: Sequence[QuotedMessage]) -> Iterable[PullRequestMatch]:
    """Return the pull requests that these reports name as having brought the error, each once."""
    if not quotes:
        return ()
    reports = [quote.pull_request_id for quote in quotes]
    mentions = PullRequestMention.objects.filter(report__in=reports).select_related("repository", "report")
    ordered = sorted(mentions.defer("report__document"), key=lambda one: (reports.index(one.report_id), one.position))
    told: dict[tuple[int, int], PullRequestMatch] = {}
    for one in ordered[:MOST_QUOTES]:
        text = one.text or f"the report on #{one.report.number} names it as what introduced this"
        told.setdefault(
            (one.repository_id, one.number), PullRequestMatch(one.repository, one.number, "introduced", text)
        )
    return list(told.values())[:MOST_TOLD]
