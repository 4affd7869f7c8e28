"""Core, report evidence: all of it from one document: its quotes, its key files and symbols, its sentences."""

from collections.abc import Iterator

from errorkb.core.documents import PullRequestDocument
from errorkb.core.report_evidence.errors import prose_texts, quoted_errors
from errorkb.core.report_evidence.judging import Quote, ReportText, sentences_of
from errorkb.core.report_evidence.throws import snippet_throws

# So many quotes of one report are kept; key files and snippets beyond so many are not read.
MOST_QUOTES = 200
MOST_SNIPPETS = 100
MOST_FILES = 500
_MOST_MESSAGE = 2_000
_CHANGES = {"": "thrown", "+": "added", "-": "taken"}


def report_quotes(document: PullRequestDocument) -> tuple[Quote, ...]:
    """Return the errors that a report quotes in fields, prose and snippets, each once, MOST_QUOTES at most."""
    return tuple(dict.fromkeys((*_of_errors(document), *_of_snippets(document))))[:MOST_QUOTES]


def report_text(document: PullRequestDocument) -> ReportText:
    """Return what stands in a report around its quotes."""
    report = document.report
    files = (report.key_files or [])[:MOST_FILES] if report else []
    snippets = (report.snippets or [])[:MOST_SNIPPETS] if report else []
    notes = [note for note in (*(file.note for file in files), *(snippet.note for snippet in snippets)) if note]
    symbols = [*(name for file in files for name in file.symbols or []), *((report and report.key_symbols) or [])]
    return ReportText(
        paths=frozenset(filter(None, (*(file.path for file in files), *(snippet.path for snippet in snippets)))),
        symbols=frozenset(name.rpartition(".")[2] for name in symbols[:MOST_FILES]),
        sentences=sentences_of((*prose_texts(document), *notes)),
    )


def _of_errors(document: PullRequestDocument) -> Iterator[Quote]:
    files = (document.report and document.report.key_files) or []
    path = files[0].path[:600] if files else ""
    for error in quoted_errors(document):
        kind = "quoted" if not error.fixes else "stated" if error.is_stated else "fixed"
        yield Quote(kind, error.exception_type, error.message, "", path)


def _of_snippets(document: PullRequestDocument) -> Iterator[Quote]:
    report = document.report
    for snippet in ((report and report.snippets) or [])[:MOST_SNIPPETS]:
        for throw in snippet_throws(snippet.code, snippet.language):
            message, template = throw.message[:_MOST_MESSAGE], throw.template[:_MOST_MESSAGE]
            kind = _CHANGES[throw.change]
            yield Quote(kind, throw.exception_type, message, template, (snippet.path or "")[:600], throw.symbol)
