"""Ingest: what people say of the pull requests that the product found; it stays whatever is loaded or scanned again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from errorkb.ingest.repositories import touch
from errorkb.ingest.transactions import writing
from errorkb.models import ErrorEntry, FoundPullRequest, PullRequestJudgement

# Shorter ones are as good as none, longer ones belong elsewhere.
MOST_REASON = 2_000


@dataclass(frozen=True)
class Judging:
    """Who judges, how, why; `role` is empty where it is as it was found."""

    person: str
    verdict: str
    role: str = ""
    reason: str = ""


def judge_found(rows: Iterable[FoundPullRequest], by: Judging, now: datetime) -> int:
    """Store a person's verdict on found pull requests, in place of an earlier one; return on how many."""
    with writing():
        keys = dict.fromkeys((row.entry_id, row.repository_id, row.number, _commit(row)) for row in rows)
        for entry, repository, number, commit in keys:
            PullRequestJudgement.objects.update_or_create(
                entry_id=entry,
                repository_id=repository,
                number=number,
                commit=commit,
                defaults={
                    "verdict": by.verdict,
                    "role": by.role,
                    "reason": by.reason[:MOST_REASON],
                    "person": by.person,
                    "at": now,
                },
            )
        _changed([entry for entry, *_ in keys], [repository for _, repository, *_ in keys], now)
    return len(keys)


def take_back(judgements: Sequence[PullRequestJudgement], now: datetime) -> int:
    """Forget verdicts, so that it is again as the product found it; return how many."""
    with writing():
        PullRequestJudgement.objects.filter(pk__in=[one.pk for one in judgements]).delete()
        _changed([one.entry_id for one in judgements], [one.repository_id for one in judgements], now)
    return len(judgements)


def _commit(row: FoundPullRequest) -> str:
    return "" if row.number else row.commit


def _changed(entries: Sequence[int], repositories: Sequence[int], now: datetime) -> None:
    ErrorEntry.objects.filter(pk__in=entries).update(modified_at=now)
    touch(repositories, now)
