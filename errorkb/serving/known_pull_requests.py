"""Serving: what is known of a pull request beside its report: the entries that it touched, and who names it.

A pull request that something public names is known, report or not.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.db.models import Q, QuerySet

from errorkb.models import (
    EntryPullRequest,
    ErrorEntry,
    FoundPullRequest,
    PullRequest,
    PullRequestJudgement,
    PullRequestMention,
    QuotedMessage,
    Repository,
)
from errorkb.models.chunks import in_chunks
from errorkb.serving.found_pull_requests import Evidence, Found, evidence_of, judged

_UNREAD = ("document", "owners", "template", "filled", "checked", "repository__document", "repository__owners")
LARGEST_NUMBER = 2_147_483_647
# So many entries of one pull request are read, and so many numbers of a repository.
MOST_ENTRIES = 1_000
MOST_NUMBERS = 10_000


@dataclass(frozen=True)
class TouchedEntry:
    """An entry that a pull request touched: its role, who says so, and the evidence that the product found."""

    entry: ErrorEntry
    role: str
    named_by: Literal["document", "product"]
    evidence: tuple[Evidence, ...] = ()
    commit: str = ""
    is_confirmed: bool = False


@dataclass(frozen=True)
class KnownPullRequest:
    """A pull request that is known here without a report: who names it as what brought an error, which entries do."""

    repository: Repository
    number: int
    mentions: tuple[PullRequestMention, ...] = ()
    entries: tuple[TouchedEntry, ...] = field(default=())

    def get_absolute_url(self) -> str:
        return f"{self.repository.get_absolute_url()}pulls/{self.number}/"

    def forge_url(self) -> str:
        links = self.repository.links()
        return links.pull_request(self.number) if links else ""


def known_pull_request(repository: Repository, number: int) -> KnownPullRequest | None:
    """Return what is known of a pull request that has no report, None where nobody public names it."""
    if not 0 < number <= LARGEST_NUMBER:
        return None
    mentions = tuple(mentions_of(repository.pk, number))
    entries = tuple(touched_entries(repository.pk, number))
    return KnownPullRequest(repository, number, mentions, entries) if mentions or entries else None


def known_numbers(repository: Repository) -> list[int]:
    """Return the numbers of the pull requests that are known without a report, the newest first."""
    public = Q(entry__state="published")
    named = EntryPullRequest.objects.filter(public, repository=repository)
    found = FoundPullRequest.objects.filter(public, repository=repository, number__isnull=False)
    told = PullRequestMention.objects.filter(repository=repository)
    sources: tuple[QuerySet[EntryPullRequest] | QuerySet[FoundPullRequest] | QuerySet[PullRequestMention], ...]
    sources = (named, found.exclude(pk__in=_rejected(repository)), told)
    numbers = {
        number
        for rows in sources
        for number in rows.order_by("-number").values_list("number", flat=True).distinct()[:MOST_NUMBERS]
        if number is not None
    }
    reported = {
        number
        for chunk in in_chunks(sorted(numbers))
        for number in PullRequest.objects.filter(repository=repository, number__in=chunk)
        .order_by()
        .values_list("number", flat=True)
    }
    return sorted(numbers - reported, reverse=True)


def touched_entries(repository: int, number: int) -> list[TouchedEntry]:
    """Return the public entries that a pull request touched, those first whose documents name it.

    `repository` is a primary key. Three queries, and one more where something was found.
    """
    named = list(
        EntryPullRequest.objects.filter(repository=repository, number=number, entry__state="published")
        .order_by("entry", "position")
        .values_list("entry", "role")[:MOST_ENTRIES]
    )
    conditions = {"repository": repository, "number": number, "entry__state": "published"}
    rows = FoundPullRequest.objects.filter(**conditions)[: 2 * MOST_ENTRIES]
    found = judged(rows, PullRequestJudgement.objects.filter(**conditions))
    keys = dict.fromkeys([*(entry for entry, _ in named), *(one.entry for one in found)])
    entries = _entries(list(keys)[:MOST_ENTRIES])
    return [*_named(named, found, entries), *_found(named, found, entries)]


def mentions_of(repository: int, number: int) -> QuerySet[PullRequestMention]:
    """Return what reports say of a pull request as what brought an error, with the reports, without their documents."""
    rows = PullRequestMention.objects.filter(repository=repository, number=number)
    return (
        rows.select_related("report__repository").defer("report__document", "report__owners").order_by("report")[:100]
    )


def fixed_errors(row: PullRequest) -> list[QuotedMessage]:
    """Return the errors that a report says its pull request fixes, those that its document states first."""
    return list(row.quoted_messages.filter(kind__in=(QuotedMessage.Kind.STATED, QuotedMessage.Kind.FIXED)))


def introducing(row: PullRequest) -> list[PullRequestMention]:
    """Return the pull requests of which a report says that they brought the error."""
    return list(row.mentions.select_related("repository"))


def _rejected(repository: Repository) -> Sequence[int]:
    """Return the found pull requests (primary keys) that a person has rejected."""
    rejected = PullRequestJudgement.objects.filter(
        repository=repository, verdict=PullRequestJudgement.Verdict.REJECTED, number__isnull=False
    ).values_list("entry", "number")
    wanted = set(rejected)
    if not wanted:
        return ()
    rows = FoundPullRequest.objects.filter(repository=repository, entry__in={entry for entry, _ in wanted})
    return [pk for pk, entry, number in rows.values_list("pk", "entry", "number") if (entry, number) in wanted]


def _entries(keys: Sequence[int]) -> dict[int, ErrorEntry]:
    rows = (
        ErrorEntry.objects.filter(pk__in=chunk).select_related("repository").defer(*_UNREAD)
        for chunk in in_chunks(keys)
    )
    return {row.pk: row for chunk in rows for row in chunk}


def _named(
    named: Sequence[tuple[int, str]], found: Sequence[Found], entries: dict[int, ErrorEntry]
) -> Iterator[TouchedEntry]:
    grouped: dict[int, list[Found]] = defaultdict(list)
    for one in found:
        grouped[one.entry].append(one)
    for entry, role in named:
        same = [one for one in grouped[entry] if not role or one.role in (role, "mentioned")]
        role = role or (same[0].role if same else "")
        commit = next((one.commit for one in same if one.commit), "")
        if entry in entries:
            confirmed = any(one.is_confirmed for one in same)
            yield TouchedEntry(entries[entry], role, "document", evidence_of(same), commit, confirmed)


def _found(
    named: Sequence[tuple[int, str]], found: Sequence[Found], entries: dict[int, ErrorEntry]
) -> Iterator[TouchedEntry]:
    roles: dict[int, set[str]] = defaultdict(set)
    for entry, role in named:
        roles[entry].add(role)
    for one in found:
        told = roles.get(one.entry)
        is_told = told and ("" in told or one.role in (*told, "mentioned"))
        if not is_told and one.entry in entries:
            yield TouchedEntry(entries[one.entry], one.role, "product", one.evidence, one.commit, one.is_confirmed)
