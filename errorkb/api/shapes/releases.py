"""API, shapes: answers about releases."""

from typing import Literal

from pydantic import ConfigDict, Field

from errorkb.api.shapes.base import Shape


class AffectedPlace(Shape):
    """Where an error is thrown, in the release that shows that it is there."""

    release: str = Field(description="the release; the nearest one before, where the one asked about was not read")
    path: str
    line: int | None
    symbol: str = Field(description="the enclosing function or method, qualified; empty at module level")
    html_url: str | None = Field(description="the line on the forge, at that release")


class AffectedAnswer(Shape):
    """Whether a release has an error."""

    answer: Literal["yes", "no", "unknown"]
    reason: str = Field(description="a sentence: what shows it; where it is unknown, what is known")
    source: AffectedPlace | None = Field(description="only for `yes`, where the place is known")
    html_url: str = Field(description="the page of the entry, with the same answer")


class Refusal(Shape):
    """Why there is no answer."""

    status: int
    detail: str


class AffectedResult(Shape):
    """The answer for one of many entries: what the single answer has, or an `error`."""

    id: str = Field(description="the public id; as it was given, where no entry has it")
    release: str | None = Field(None, description="what was asked, or found in the list; null where the list has none")
    answer: Literal["yes", "no", "unknown"] | None = None
    reason: str | None = None
    source: AffectedPlace | None = None
    html_url: str | None = None
    error: Refusal | None = Field(None, description="only where there is no such entry")


class AffectedBatch(Shape):
    """The answers for many entries, in the order of their ids."""

    results: list[AffectedResult]


class ComparedSide(Shape):
    """An error as one of two releases has it."""

    path: str
    line: int
    symbol: str = Field(description="the enclosing function or method, qualified; empty at module level")
    message: str = Field(description="as the source has it, placeholders included")


class ChangedEntry(Shape):
    """What became of an error between two releases."""

    kind: Literal["added", "reworded", "moved", "removed"] = Field(description="`reworded` may have moved, too")
    id: str
    title: str = Field(description="exception type and message, cut at 300 characters")
    module: str = Field(description="the directory that it is in, or was")
    old: ComparedSide | None = Field(description="null where it was added")
    new: ComparedSide | None = Field(description="null where it was removed")
    html_url: str


class ChangeCounts(Shape):
    """How many errors changed, by kind."""

    added: int
    reworded: int
    moved: int
    removed: int


class ComparisonAnswer(Shape):
    """A page of what became of errors between two releases."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, serialize_by_alias=True)

    repository: str
    from_: str = Field(alias="from", description="the earlier release")
    to: str = Field(description="the later release")
    counts: ChangeCounts
    changes: list[ChangedEntry]
    page: int
    pages: int
    next: str | None = Field(description="the address of the next page; null on the last")
    html_url: str = Field(description="the page for people")
