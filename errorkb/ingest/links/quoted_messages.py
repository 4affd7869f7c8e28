"""Ingest: what reports quote, and whom they name as having brought an error, as rows for match and for entries.

Both follow from a report's document. Every write of one calls `sync_quotes` in its own transaction.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from errorkb.core.documents import PullRequestDocument, validate_document
from errorkb.core.match_keys import template_keys
from errorkb.core.report_evidence import (
    Introducer,
    Quote,
    introducers,
    is_telling,
    plain_template,
    quoted_template,
    report_quotes,
)
from errorkb.ingest.repositories import ensure_repositories
from errorkb.models import PullRequest, PullRequestMention, QuotedMessage, Repository
from errorkb.models.chunks import in_chunks

_THROWS = ("thrown", "added", "taken")
_quote_values = attrgetter(
    "position", "kind", "exception_type", "message", "template", "path", "symbol", "key", "check_key", "plain_key"
)
_mention_values = attrgetter("position", "repository_id", "number", "text")


@dataclass(frozen=True)
class _Wanted:
    """The rows that follow from one report."""

    quotes: list[QuotedMessage]
    mentions: list[PullRequestMention]


def sync_quotes(reports: Sequence[PullRequest], now: datetime) -> list[int]:
    """Make quotes and mentions follow from reports, loaded with their documents; return the keys of those that changed.

    Repositories that a report names are made where nobody named them before.
    """
    found = {row.pk: _found(row) for row in reports}
    names = {one.repository for _, told in found.values() for one in told if one.repository}
    repositories = ensure_repositories(names, now) if names else {}
    wanted = {
        row.pk: _Wanted(list(_quotes(row, found[row.pk][0])), list(_mentions(row, found[row.pk][1], repositories)))
        for row in reports
    }
    quotes, mentions = _stored(wanted)
    new_quotes = [pk for pk, rows in wanted.items() if _differ(quotes[pk], rows.quotes, _quote_values)]
    new_mentions = [pk for pk, rows in wanted.items() if _differ(mentions[pk], rows.mentions, _mention_values)]
    QuotedMessage.objects.filter(pull_request__in=new_quotes).delete()
    QuotedMessage.objects.bulk_create(row for pk in new_quotes for row in wanted[pk].quotes)
    PullRequestMention.objects.filter(report__in=new_mentions).delete()
    PullRequestMention.objects.bulk_create(row for pk in new_mentions for row in wanted[pk].mentions)
    return list(dict.fromkeys([*new_quotes, *new_mentions]))


def stray_quotes(reports: Sequence[PullRequest]) -> set[int]:
    """Return the keys of those of the reports whose stored quotes do not follow from their documents."""
    wanted = {row.pk: list(_quotes(row, _found(row)[0])) for row in reports}
    quotes, _ = _stored(wanted)
    return {pk for pk, rows in wanted.items() if _differ(quotes[pk], rows, _quote_values)}


def quote_of(row: QuotedMessage) -> Quote:
    """Return a stored quote as evidence is judged by."""
    return Quote(row.kind, row.exception_type, row.message, row.template, row.path, row.symbol)


def _found(row: PullRequest) -> tuple[tuple[Quote, ...], tuple[Introducer, ...]]:
    document = validate_document(PullRequestDocument, row.as_document())
    return report_quotes(document), introducers(document)


def _stored(
    reports: Iterable[int],
) -> tuple[Mapping[int, list[QuotedMessage]], Mapping[int, list[PullRequestMention]]]:
    quotes: dict[int, list[QuotedMessage]] = defaultdict(list)
    mentions: dict[int, list[PullRequestMention]] = defaultdict(list)
    for chunk in in_chunks(reports):
        for quote in QuotedMessage.objects.filter(pull_request__in=chunk).order_by("pull_request", "position"):
            quotes[quote.pull_request_id].append(quote)
        for mention in PullRequestMention.objects.filter(report__in=chunk).order_by("report", "position"):
            mentions[mention.report_id].append(mention)
    return quotes, mentions


def _differ(stored: Sequence[object], wanted: Sequence[object], values: "attrgetter[tuple[object, ...]]") -> bool:
    return list(map(values, stored)) != list(map(values, wanted))


def _quotes(row: PullRequest, found: Iterable[Quote]) -> Iterator[QuotedMessage]:
    for position, quote in enumerate(found):
        is_throw = quote.kind in _THROWS
        template = quote.template if is_throw else quoted_template(quote.message)
        says_something = is_throw or is_telling(quote.message)
        key, check_key = template_keys(template) if says_something else ("", "")
        plain = template_keys(plain_template(quote.message))[0] if says_something and not is_throw else ""
        yield QuotedMessage(
            pull_request=row,
            position=position,
            kind=quote.kind,
            exception_type=quote.exception_type[:300],
            message=quote.message,
            template=template,
            path=quote.path,
            symbol=quote.symbol,
            key=key,
            check_key=check_key,
            plain_key=plain,
        )


def _mentions(
    row: PullRequest, found: Iterable[Introducer], repositories: Mapping[str, Repository]
) -> Iterator[PullRequestMention]:
    for position, one in enumerate(found):
        named = repositories[one.repository.lower()].pk if one.repository else row.repository_id
        yield PullRequestMention(report=row, repository_id=named, number=one.number, position=position, text=one.text)
