"""Serving: the pull requests that the product found for entries, evidence put together, as people have judged them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from errorkb.models import FoundPullRequest, PullRequestJudgement

# Entry and repository (primary keys), number, and the commit where no number is known.
Key = tuple[int, int, int | None, str]


@dataclass(frozen=True)
class Evidence:
    """One piece of what shows that a pull request did something to an entry, in words.

    Kinds: `commit`, `merge`, `snippet`, `text`, `message`, `file`, `symbol`.
    """

    kind: str
    text: str


@dataclass(frozen=True)
class Found:
    """What a pull request did to an entry, as the product found it; `is_confirmed` says that a person agrees.

    `since` and `until` are the releases or commits between which git saw it happen.
    """

    entry: int
    repository: int
    number: int | None
    role: str
    evidence: tuple[Evidence, ...] = ()
    commit: str = ""
    committed_at: str = ""
    since: str = ""
    until: str = ""
    is_confirmed: bool = False

    @property
    def key(self) -> Key:
        return self.entry, self.repository, self.number, "" if self.number else self.commit


def judged(rows: Iterable[FoundPullRequest], judgements: Iterable[PullRequestJudgement]) -> list[Found]:
    """Return what was found without what people rejected, with the roles that they gave, what git told first.

    What a person confirmed stays, whether it would be found again or not.
    """
    verdicts = {(one.entry_id, one.repository_id, one.number, one.commit): one for one in judgements}
    groups: dict[Key, list[Found]] = {}
    for row in sorted(rows, key=lambda row: (row.origin != FoundPullRequest.Origin.GIT, row.number or 0, row.pk)):
        found = _found(row)
        groups.setdefault(found.key, []).append(found)
    told = {key: list(_judged(_together(group), verdicts.get(key))) for key, group in groups.items()}
    confirmed = (one for key, one in verdicts.items() if key not in told)
    return [*(found for group in told.values() for found in group), *_only_confirmed(confirmed)]


def judged_of_entry(entry: int) -> list[Found]:
    """Return what was found of an entry; two queries."""
    rows = FoundPullRequest.objects.filter(entry=entry)
    return judged(rows, PullRequestJudgement.objects.filter(entry=entry))


def by_number(found: Iterable[Found]) -> Mapping[tuple[int, int], Sequence[Found]]:
    """Return what was found by repository and number of the pull request."""
    numbered: dict[tuple[int, int], list[Found]] = {}
    for one in found:
        if one.number is not None:
            numbered.setdefault((one.repository, one.number), []).append(one)
    return numbered


def evidence_of(found: Iterable[Found]) -> tuple[Evidence, ...]:
    """Return all pieces of evidence, each once."""
    return tuple(dict.fromkeys(piece for one in found for piece in one.evidence))


def _found(row: FoundPullRequest) -> Found:
    evidence = tuple(Evidence(piece["kind"], piece["text"]) for piece in row.evidence)
    where = (row.commit, row.committed_at, row.since, row.until)
    return Found(row.entry_id, row.repository_id, row.number, row.role, evidence, *where)


def _together(group: Sequence[Found]) -> list[Found]:
    """Return one for each role; one that only mentions the entry adds its evidence to the first."""
    told: dict[str, Found] = {}
    for one in group:
        role = next(iter(told)) if one.role == "mentioned" and told else one.role
        first = told.get(role)
        told[role] = replace(first, evidence=evidence_of([first, one])) if first else one
    return list(told.values())


def _judged(group: Sequence[Found], verdict: PullRequestJudgement | None) -> Iterator[Found]:
    if verdict is None:
        yield from group
    elif verdict.verdict == PullRequestJudgement.Verdict.CONFIRMED:
        kept = group[:1] if verdict.role else group
        yield from (replace(one, role=verdict.role or one.role, is_confirmed=True) for one in kept)


def _only_confirmed(verdicts: Iterable[PullRequestJudgement]) -> Iterator[Found]:
    for one in verdicts:
        if one.verdict == PullRequestJudgement.Verdict.CONFIRMED:
            role = one.role or "mentioned"
            yield Found(one.entry_id, one.repository_id, one.number, role, commit=one.commit, is_confirmed=True)
