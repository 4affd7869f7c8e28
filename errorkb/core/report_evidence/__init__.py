"""Core: what a report on a pull request shows of errors: those that it quotes, throws and fixes, and who brought them.

`report_quotes` and `report_text` read a document, `judge_report` holds an entry against them, `settle` the reports of
one entry against each other. Only text is evidence: the same file alone says nothing.
"""

from errorkb.core.report_evidence.errors import (
    QuotedError,
    is_telling,
    plain_template,
    quoted_errors,
    quoted_template,
    telling_bits,
)
from errorkb.core.report_evidence.introducers import Introducer, introducers
from errorkb.core.report_evidence.judging import Quote, ReportedSite, ReportLink, ReportText, judge_report, settle
from errorkb.core.report_evidence.reading import MOST_FILES, MOST_SNIPPETS, report_quotes, report_text

__all__ = [
    "MOST_FILES",
    "MOST_SNIPPETS",
    "Introducer",
    "Quote",
    "QuotedError",
    "ReportLink",
    "ReportText",
    "ReportedSite",
    "introducers",
    "is_telling",
    "judge_report",
    "plain_template",
    "quoted_errors",
    "quoted_template",
    "report_quotes",
    "report_text",
    "settle",
    "telling_bits",
]
