"""Ingest: what became of each document, and of all of them."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from errorkb.core.differences import Difference
from errorkb.core.ownership import Conflict
from errorkb.core.problems import Problem


class Status(StrEnum):
    """What became of a document; conflicting and refused need somebody's attention."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    CONFLICTING = "conflicting"
    REFUSED = "refused"


@dataclass(frozen=True)
class Outcome:
    """One document: where it stood, what became of it, and why.

    `name` is its id, number or name; `differences` are filled in where somebody asked to see them; `notes` say what
    does not agree with the source at hand, without keeping the document out.
    """

    where: str
    status: Status
    name: str = ""
    problems: tuple[Problem, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class Tally:
    """Counts of outcomes by status."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        self.counts[outcome.status.value] += 1

    def as_dict(self) -> dict[str, int]:
        """Return every status with its count, in their order."""
        return {status.value: self.counts[status.value] for status in Status}

    @property
    def clean(self) -> bool:
        """Say whether nothing was refused or in conflict."""
        return not (self.counts[Status.REFUSED.value] or self.counts[Status.CONFLICTING.value])

    def __str__(self) -> str:
        return ", ".join(f"{count} {status}" for status, count in self.as_dict().items())


def refused(where: str, problems: tuple[Problem, ...]) -> Outcome:
    return Outcome(where, Status.REFUSED, problems=problems)


def status_of(*, created: bool, changed: bool, conflicts: tuple[Conflict, ...]) -> Status:
    """Return the one status that says most."""
    if conflicts:
        return Status.CONFLICTING
    if created:
        return Status.CREATED
    return Status.UPDATED if changed else Status.UNCHANGED
