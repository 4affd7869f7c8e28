"""Core: read the Markdown report form of a pull request into the pull request document."""

from errorkb.core.pr_reports.parsing import looks_like_report, parse_report
from errorkb.core.pr_reports.problems import ReportError

__all__ = ["ReportError", "looks_like_report", "parse_report"]
