"""Web pages: one entry or pull request among search results, and why it was found."""

from dataclasses import dataclass

from errorkb.core.moments import moment_in_words
from errorkb.models import ErrorEntry, PullRequest
from errorkb.search.excerpts import Fragment
from errorkb.search.searching import SearchResult
from errorkb.web.pages.texts import joined


@dataclass(frozen=True)
class Hit:
    """One entry or pull request that was found, with the words that were found marked."""

    url: str
    title: tuple[Fragment, ...]
    where: tuple[str, ...]
    field: str
    excerpt: tuple[Fragment, ...]
    is_report: bool = False


def hit_of(result: SearchResult) -> Hit:
    """Return a result as the page shows it."""
    subject = result.subject
    where = _where_entry(subject) if isinstance(subject, ErrorEntry) else _where_pull_request(subject)
    return Hit(
        url=subject.get_absolute_url(),
        title=result.title,
        where=tuple(part for part in where if part),
        field=_in_words(result.field),
        excerpt=result.excerpt,
        is_report=isinstance(subject, PullRequest),
    )


def _in_words(field: str) -> str:
    """Return a field's dotted name as people say it: `report.risk_flags` is "risk flags"."""
    return field.removeprefix("report.").removeprefix("source.").replace(".", " ").replace("_", " ")


def _where_entry(entry: ErrorEntry) -> tuple[str, ...]:
    place = joined((entry.path, str(entry.line) if entry.line else ""), ":")
    standing = "reviewed" if entry.reviewed else "explained, not reviewed" if entry.explained else "facts only"
    stale = "the code has changed since" if entry.stale else ""
    return entry.repository.name, place, standing, stale, "removed" if entry.removed else ""


def _where_pull_request(row: PullRequest) -> tuple[str, ...]:
    merged = f"merged {moment_in_words(row.merged_at)}" if row.merged_at else ""
    return f"{row.repository.name} #{row.number}", merged
