"""API: the shapes of answers about releases."""

from typing import Literal

from pydantic import Field

from errorkb.api.shapes import Shape


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
