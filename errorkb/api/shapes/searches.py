"""API, shapes: what a search answers, and what the search box suggests."""

from typing import Annotated, Literal

from pydantic import Field

from errorkb.api.shapes.base import Shape
from errorkb.api.shapes.entries import EntrySummary


class ExcerptFragment(Shape):
    """A piece of an excerpt."""

    text: str
    hit: bool = Field(description="it holds a word that was looked for")


class Excerpt(Shape):
    """A piece of a text that shows why something was found."""

    field: str = Field(description="the dotted name of the document's field; empty where there is no such text")
    text: str
    fragments: list[ExcerptFragment] = Field(description="the same text, cut into what was found and what is between")


class EntryHit(EntrySummary):
    """An entry that a search has found."""

    type: Literal["entry"]
    excerpt: Excerpt


class PullRequestHit(Shape):
    """A pull request that a search has found."""

    type: Literal["pull_request"]
    repository: str
    number: int
    title: str = Field(description="cut at 300 characters")
    merged_at: str | None = Field(description="as the report states it")
    excerpt: Excerpt
    html_url: str = Field(description="the page of its report")
    url: str = Field(description="the report as JSON")


class CorrectedWord(Shape):
    """A word that nothing holds, taken for a typing error of one that something does."""

    typed: str
    used: str = Field(description="what was looked for in its place")


class FacetValue(Shape):
    """A value that results can be narrowed by."""

    value: str = Field(description="what the filter takes")
    count: int = Field(description="how many results have it; there may be more if `is_cut`")


class Facet(Shape):
    """A filter of the query language, and the values that results have of it, the most frequent ones first."""

    filter: Literal["repo", "type", "kind", "lang", "module", "is"]
    values: list[FacetValue]
    others: int = Field(description="how many values are not named")


class SearchAnswer(Shape):
    """A page of what a search has found, best first."""

    query: str = Field(description="what was looked for: the query on one line, cut where it was too long")
    total: int = Field(description="how many were found; there are more if `is_cut`")
    is_cut: bool
    some_words: bool = Field(description="nothing has all that was asked for: these have some of it")
    unknown: list[str] = Field(description="words that are nowhere here")
    problems: list[str] = Field(description="what was not understood, in sentences")
    corrections: list[CorrectedWord] = Field(description="typing errors that were forgiven; `exact` refuses that")
    match: str | None = Field(description="where to match the query, if it looks like an error that was pasted")
    facets: list[Facet] | None = Field(description="null unless `facets` asks for them")
    named: EntrySummary | None = Field(description="the entry whose id or alias is the whole query")
    results: list[Annotated[EntryHit | PullRequestHit, Field(discriminator="type")]]
    page: int
    pages: int
    next: str | None = Field(description="the address of the next page; null on the last")
    next_cursor: str | None = Field(description="`cursor` for the next page; null on the last")


class SuggestedText(Shape):
    """What somebody who types may mean."""

    kind: Literal["repository", "type", "symbol", "code", "title"]
    text: str = Field(description="its name; of a title 300 characters at most")
    query: str = Field(description="the text in the box with it: names as filters")
    html_url: str = Field(description="the page of the entry for a title that only one has; else of the results")


class SuggestionAnswer(Shape):
    """What a text in the search box may become."""

    query: str = Field(description="what was typed, cut at 200 characters")
    suggestions: list[SuggestedText]
