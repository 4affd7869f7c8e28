"""API, shapes: answers to a pasted text."""

from typing import Literal

from pydantic import Field

from errorkb.api.shapes.base import Shape
from errorkb.core.documents import AnySolution


class MatchedPlace(Shape):
    """Where an error is thrown, as the newest scan saw it, else as its document states it."""

    path: str | None
    line: int | None
    symbol: str = Field(description="the enclosing function or method, qualified; empty at module level")


class MatchedEntry(Shape):
    """An entry that was found; the last four fields only with `fields=full`, null where its document has none."""

    id: str
    repository: str
    exception_type: str | None
    message: str = Field(description="cut at 10,000 characters, as every text of this answer")
    html_url: str = Field(description="the page")
    source: MatchedPlace
    reviewed: bool = Field(description="a person has reviewed its words")
    stale: bool = Field(description="the code around the site has changed since its words were written")
    meaning: str | None = Field(None, description="Markdown; only with `fields=full`")
    trigger: str | None = Field(None, description="Markdown; only with `fields=full`")
    common_situations: str | None = Field(None, description="Markdown; only with `fields=full`")
    solutions: list[AnySolution] | None = Field(None, description="as written; only with `fields=full`")


class MatchedOccurrence(Shape):
    """The error in the text that an entry was found for."""

    line: int = Field(description="the line of the text that its message begins on, from 1")
    text: str = Field(description="type and message, as they were read")
    count: int = Field(description="how often the same error stands in the text")


class FilledSlot(Shape):
    """What stands in a slot of the template."""

    value: str
    kind: str = Field(description="path, url, number, hex, quoted, list, object, word, text or empty")


class MatchReason(Shape):
    """A piece of evidence, in words."""

    kind: str = Field(description="text, type, frame, release or library; `against`: it speaks against the match")
    text: str


class FoundMatch(Shape):
    """An entry that was found in the text, with its evidence."""

    confident: bool = Field(description="the evidence would convince a maintainer")
    score: float = Field(ge=0, le=1)
    chain_role: Literal["root", "consequence", "only"] = Field(
        description="`root`: other errors of the text follow from it; `consequence`: it follows from another"
    )
    template: str = Field(description="the wording that matched; empty where the entry was found by frame or type")
    entry: MatchedEntry
    occurrence: MatchedOccurrence
    slots: dict[str, FilledSlot] = Field(description="the values in the text, by the names of the template's slots")
    reasons: list[MatchReason]
    equals: list[str] | None = Field(
        None, description="ids of other matches here that nothing in the text tells apart from this one; else absent"
    )


class UnderstoodFrame(Shape):
    """A call in a traceback."""

    path: str
    line: int | None
    symbol: str


class UnderstoodError(Shape):
    """An error that was read in the text, whether an entry was found for it or not."""

    exception_type: str | None
    message: str
    frames: list[UnderstoodFrame] = Field(description="outermost first; of more than 100, the innermost ones")
    line: int
    count: int = Field(description="how often the same error stands in the text")


class MatchedPullRequest(Shape):
    """A pull request that fixed the error of the text, or brought it."""

    repository: str
    number: int
    role: Literal["fixed", "introduced"]
    html_url: str = Field(description="the page; it says where no report is loaded yet")
    text: str = Field(description="what a report says: the error that it quotes, or the sentence that names this one")


class MatchAnswer(Shape):
    """What a pasted text tells of."""

    outcome: Literal["matched", "ambiguous", "pull_request", "unknown"] = Field(
        description="`matched`: the first match is it; `ambiguous`: one of them is, perhaps; `pull_request`: none is "
        "for sure, but pull requests are about this very error; `unknown`: none is"
    )
    matches: list[FoundMatch] = Field(description="best first; the confident ones are answers, the others guesses")
    pull_requests: list[MatchedPullRequest] = Field(
        description="those whose reports quote this very error as what they fix, then those that brought it"
    )
    understood: list[UnderstoodError] = Field(description="the errors that were read in the text, 100 at most")
    cut: str | None = Field(None, description="which bound ended the work early; absent where none did")


class MatchFault(Shape):
    """Why one text of a batch was not matched."""

    status: int = Field(description="the status that it would have been answered with on its own")
    detail: str


class FailedMatch(Shape):
    """A text of a batch that was not matched."""

    error: MatchFault


class MatchBatch(Shape):
    """The answers to a batch of texts, in its order."""

    results: list[MatchAnswer | FailedMatch]
