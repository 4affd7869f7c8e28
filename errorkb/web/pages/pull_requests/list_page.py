"""Web pages: the pull requests of a repository, filtered by words, risk flag, module and date."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import ceil

from django.http import Http404, QueryDict

from errorkb.core.moments import moment_in_words
from errorkb.models import PullRequest, ReportTrait, Repository
from errorkb.serving.addresses import absolute_url
from errorkb.serving.known_pull_requests import known_numbers
from errorkb.serving.pull_request_lists import (
    PullRequestFilters,
    flags_of,
    listed_pull_requests,
    touched_counts,
    trait_choices,
)
from errorkb.web.pages.entries.records import Record
from errorkb.web.pages.links import Link
from errorkb.web.pages.slices import Pager, page_number, pager
from errorkb.web.pages.texts import joined

PAGE_SIZE = 50
MOST_LENGTH = 300


@dataclass(frozen=True)
class PullRequestListPage:
    """What the template reads; `problem` says what is wrong with the filters."""

    title: str
    crumbs: tuple[Link, ...]
    filters: PullRequestFilters
    flags: tuple[str, ...]
    modules: tuple[str, ...]
    total: str
    records: tuple[Record, ...]
    known: tuple[Record, ...]
    known_left_out: int
    problem: str
    pager: Pager
    canonical: str


def pull_request_list_page(repository: Repository, parameters: QueryDict) -> PullRequestListPage:
    """Return a page of the pull requests of a repository. Raises Http404 where there is no such page."""
    filters, number = _filters(parameters), page_number(parameters)
    rows = listed_pull_requests(repository, filters)
    total = rows.count()
    count = max(1, ceil(total / PAGE_SIZE))
    if number > count:
        raise Http404("no such page")
    shown = list(rows[(number - 1) * PAGE_SIZE : number * PAGE_SIZE])
    known = known_numbers(repository) if number == 1 and filters.are_none else []
    touched = touched_counts(repository, [*(row.number for row in shown), *known[:PAGE_SIZE]])
    address = f"{repository.get_absolute_url()}pulls/"
    links = pager(address, _known(filters), number, count)
    flags = flags_of(shown)
    return PullRequestListPage(
        title=f"Pull requests of {repository.name}",
        crumbs=(Link(repository.short_name, repository.get_absolute_url()), Link("pull requests")),
        filters=filters,
        flags=tuple(trait_choices(repository, ReportTrait.Kind.FLAG)),
        modules=tuple(trait_choices(repository, ReportTrait.Kind.MODULE)),
        total=f"{total:,} report" if total == 1 else f"{total:,} reports",
        records=tuple(_record(repository, row, flags.get(row.pk, []), touched) for row in shown),
        known=tuple(_known_record(address, one, touched) for one in known[:PAGE_SIZE]),
        known_left_out=max(0, len(known) - PAGE_SIZE),
        problem=filters.problem(),
        pager=links,
        canonical=absolute_url(links.here),
    )


def _filters(parameters: QueryDict) -> PullRequestFilters:
    names = {"q": "text"}
    given = {names.get(key, key): parameters.get(key, "")[:MOST_LENGTH].strip() for key in _PARAMETERS}
    return PullRequestFilters(**given)


_PARAMETERS = ("q", *(field.name for field in fields(PullRequestFilters) if field.name != "text"))


def _known(filters: PullRequestFilters) -> QueryDict:
    """Return the parameters that mean something here."""
    known = QueryDict(mutable=True)
    for key in _PARAMETERS:
        if value := getattr(filters, "text" if key == "q" else key):
            known[key] = value
    return known


def _record(repository: Repository, row: PullRequest, flags: list[str], touched: Mapping[int, int]) -> Record:
    row.repository = repository
    merged = f"merged {moment_in_words(row.merged_at)}" if row.merged_at else "date of merging not stated"
    note = joined((merged, _touched(touched[row.number]), joined(flags, ", ")))
    return Record(Link(f"#{row.number} {row.title or 'title not given'}", row.get_absolute_url()), note)


def _known_record(address: str, number: int, touched: Mapping[int, int]) -> Record:
    return Record(Link(f"#{number}", f"{address}{number}/"), joined(("no report yet", _touched(touched[number]))))


def _touched(count: int) -> str:
    return "" if not count else "touched one error" if count == 1 else f"touched {count:,} errors"
