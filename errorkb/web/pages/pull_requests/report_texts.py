"""Web pages: which leaves of a pull request's report are prose, and which are code."""

from collections.abc import Iterator, Sequence

from errorkb.core.documents import PullRequestDocument, Report
from errorkb.web.pages.facts import SHOWN_ITEMS
from errorkb.web.pages.fragments import Written

_PROSE = ("summary", "recommendation", "motivation", "risk", "impact")


def written_in_report(document: PullRequestDocument) -> Written:
    """Return the prose and code of a report, and the notes on related pull requests."""
    report = document.report or Report()
    return Written(tuple(_prose(document, report)), tuple(_code(report)))


def _prose(document: PullRequestDocument, report: Report) -> Iterator[tuple[str, str]]:
    yield from ((f"report.{name}", text) for name in _PROSE if (text := getattr(report, name)))
    for number, step in enumerate((report.implementation or [])[:SHOWN_ITEMS]):
        yield f"report.implementation[{number}]", step
    yield from _attribute("report.key_files", report.key_files, "note")
    yield from _attribute("report.snippets", report.snippets, "note")
    if report.discussion:
        if report.discussion.summary:
            yield "report.discussion.summary", report.discussion.summary
        yield from _attribute("report.discussion.topics", report.discussion.topics, "note")
    yield from _attribute("report.sections", report.sections, "body")
    yield from _attribute("related", document.related, "note")


def _attribute(name: str, items: Sequence[object] | None, attribute: str) -> Iterator[tuple[str, str]]:
    for number, item in enumerate((items or [])[:SHOWN_ITEMS]):
        if text := getattr(item, attribute):
            yield f"{name}[{number}].{attribute}", text


def _code(report: Report) -> Iterator[tuple[str, str, str]]:
    for number, snippet in enumerate((report.snippets or [])[:SHOWN_ITEMS]):
        yield f"report.snippets[{number}].code", snippet.code, snippet.language or ""
