"""Serving: the pull requests of a repository as a list, by words, risk flag, module and date."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from errorkb.core.queries import parse_query
from errorkb.models import (
    EntryPullRequest,
    FoundPullRequest,
    PullRequest,
    PullRequestJudgement,
    ReportTrait,
    Repository,
)
from errorkb.search.searching import found_pull_requests
from errorkb.serving.found_pull_requests import judged

# So many flags and modules of a repository are offered, the most frequent first.
MOST_CHOICES = 60
_MOST_TOUCHED = 20_000
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?", re.ASCII)


@dataclass(frozen=True)
class PullRequestFilters:
    """What of a repository's pull requests to list: `text` as in the search box, dates as `2026-08-05`."""

    text: str = ""
    flag: str = ""
    module: str = ""
    since: str = ""
    until: str = ""

    @property
    def are_none(self) -> bool:
        return not any((self.text.strip(), self.flag, self.module, self.since, self.until))

    def problem(self) -> str:
        """Say what is wrong with the dates; empty where nothing is."""
        for name, date in (("since", self.since), ("until", self.until)):
            if date and not _DATE.fullmatch(date):
                return f"{name}: expected a date such as 2026-08-05"
        if self.since and self.until and self.since[: len(self.until)] > self.until[: len(self.since)]:
            return f"the range is the wrong way round: {self.since} is after {self.until}"
        return ""


def listed_pull_requests(repository: Repository, filters: PullRequestFilters) -> QuerySet[PullRequest]:
    """Return the reports of a repository that filters let pass, the highest number first, without their documents.

    A module is one that a report names, or a folder of its files, or a folder above one. Wrong dates let nothing pass.
    """
    rows = PullRequest.objects.filter(repository=repository).order_by("-number").defer("document", "owners")
    if filters.problem() or any("\x00" in text for text in (filters.text, filters.flag, filters.module)):
        return rows.none()
    if filters.flag:
        rows = rows.filter(pk__in=_having(ReportTrait.Kind.FLAG, Q(value=filters.flag)))
    if module := filters.module.strip("/"):
        rows = rows.filter(pk__in=_having(ReportTrait.Kind.MODULE, Q(value=module) | Q(value__startswith=f"{module}/")))
    if filters.since:
        rows = rows.filter(merged_at__gte=filters.since)
    if filters.until:
        rows = rows.exclude(merged_at="").filter(merged_at__lt=f"{filters.until}~")
    return found_pull_requests(parse_query(filters.text), rows) if filters.text.strip() else rows


def trait_choices(repository: Repository, kind: ReportTrait.Kind) -> list[str]:
    """Return the flags or modules that the reports of a repository have, the most frequent first."""
    rows = ReportTrait.objects.filter(kind=kind, pull_request__repository=repository).order_by()
    counted = rows.values("value").annotate(count=Count("pk")).order_by("-count", "value")
    return [row["value"] for row in counted[:MOST_CHOICES]]


def flags_of(rows: Iterable[PullRequest]) -> dict[int, list[str]]:
    """Return the risk flags of reports, given on one page of a list, by primary key."""
    flags: dict[int, list[str]] = defaultdict(list)
    traits = ReportTrait.objects.filter(kind=ReportTrait.Kind.FLAG, pull_request__in=[row.pk for row in rows])
    for pk, value in traits.values_list("pull_request", "value"):
        flags[pk].append(value)
    return flags


def touched_counts(repository: Repository, numbers: Sequence[int]) -> dict[int, int]:
    """Return how many public entries each of the pull requests of a page touched; three queries."""
    these = Q(repository=repository, number__in=numbers, entry__state="published")
    touched: dict[int | None, set[int]] = defaultdict(set)
    named = EntryPullRequest.objects.filter(these).order_by().values_list("number", "entry")
    for number, entry in named[:_MOST_TOUCHED]:
        touched[number].add(entry)
    found = FoundPullRequest.objects.filter(these)[:_MOST_TOUCHED]
    for one in judged(found, PullRequestJudgement.objects.filter(these)):
        touched[one.number].add(one.entry)
    return {number: len(touched[number]) for number in numbers}


def _having(kind: ReportTrait.Kind, condition: Q) -> QuerySet[ReportTrait, Any]:
    return ReportTrait.objects.filter(condition, kind=kind).order_by().values("pull_request")
