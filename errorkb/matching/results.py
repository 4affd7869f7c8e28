"""Matching: the answer to a pasted text; the page, the API, the command and later MCP all show this one."""

from dataclasses import dataclass, field
from enum import StrEnum

from errorkb.core.tracebacks import Occurrence
from errorkb.models import ErrorEntry, Repository


class Outcome(StrEnum):
    """What came of a paste: an entry for sure, one of several, a pull request that fixes it, or nothing known here."""

    MATCHED = "matched"
    AMBIGUOUS = "ambiguous"
    PULL_REQUEST = "pull_request"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class MatchOptions:
    """What is asked for: at most `limit` matches, of one repository (any name of it), for one release."""

    limit: int = 10
    repository: str = ""
    release: str = ""


@dataclass(frozen=True)
class SlotValue:
    """The value that a slot has in the paste, and what kind of thing it is.

    Kinds: `path`, `url`, `number`, `hex`, `quoted`, `list`, `object`, `word`, `text`, `empty`.
    """

    value: str
    kind: str


@dataclass(frozen=True)
class Reason:
    """One piece of evidence, in words. Kinds: `text`, `type`, `frame`, `release`, `library`, `against`."""

    kind: str
    text: str


@dataclass(frozen=True)
class Match:
    """An entry found in a paste, with its evidence.

    `template` is the wording that matched, empty where it was found by frame or type alone. `numbers` are the lines
    of the paste that its message stands on, from 1. `equals` are the public ids of other matches in the same answer
    which nothing separates from this one.
    """

    entry: ErrorEntry
    score: float
    confident: bool
    template: str
    occurrence: Occurrence
    numbers: tuple[int, ...] = ()
    slots: dict[str, SlotValue] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    equals: tuple[str, ...] = ()
    is_old_wording: bool = False


@dataclass(frozen=True)
class PullRequestMatch:
    """A pull request that `fixed` the pasted error, or `introduced` it; `text` is what a report says of that."""

    repository: Repository
    number: int
    role: str
    text: str

    def get_absolute_url(self) -> str:
        return f"{self.repository.get_absolute_url()}pulls/{self.number}/"


@dataclass(frozen=True)
class MatchResult:
    """The answer: matches, best first; what was understood; whether a bound cut the work short, and which.

    `pull_requests` fix or brought the very error of the paste; the outcome is theirs where no match is confident.
    """

    outcome: Outcome
    matches: tuple[Match, ...]
    understood: tuple[Occurrence, ...]
    cut: str = ""
    pull_requests: tuple[PullRequestMatch, ...] = ()
