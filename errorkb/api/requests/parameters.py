"""API: the parameters that lists take in their query strings; what is described here is what OpenAPI says of them."""

from typing import Annotated, Literal

from django.db.models import Q
from django.http import HttpRequest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from errorkb.api.problems import wrong_parameter
from errorkb.api.requests.parameter_errors import ParameterError
from errorkb.core.documents import Kind
from errorkb.core.paste_bytes import tidy_paste
from errorkb.core.problems import shown
from errorkb.core.queries import MAX_WILDCARDS

MAX_LIMIT = 100

Standing = Literal["reviewed", "unreviewed", "explained", "facts-only", "removed", "current", "stale"]
STANDINGS: dict[str, Q] = {
    "reviewed": Q(reviewed=True),
    "unreviewed": Q(reviewed=False),
    "explained": Q(explained=True),
    "facts-only": Q(explained=False),
    "removed": Q(removed=True),
    "current": Q(removed=False),
    "stale": Q(stale=True),
}


def _without_nul(value: str) -> str:
    if "\x00" in value:
        raise ValueError("text without NUL characters")
    return value


def _with_few_wildcards(value: str) -> str:
    if value.count("*") + value.count("?") > MAX_WILDCARDS:
        raise ValueError(f"at most {MAX_WILDCARDS} wildcards")
    return value


Text = Annotated[str, Field(min_length=1, max_length=600), AfterValidator(_without_nul)]


class Paging(BaseModel):
    """How much of a list to answer with, and from where on."""

    model_config = ConfigDict(frozen=True)

    limit: int = Field(20, ge=1, le=MAX_LIMIT, description="How many items to answer with at most.", examples=[50])
    cursor: Annotated[str, Field(max_length=1_000)] | None = Field(
        None, description="Where to go on: `next_cursor` of the answer before. The other parameters stay the same."
    )


class EntryFilters(Paging):
    """What entries to list; filters are joined by *and*, and letter case does not count in them."""

    repository: Text | None = Field(
        None,
        description="The repository, `owner/name` (on other forges than GitHub `host/owner/name`), or a former name. "
        "One that is not covered is a wrong parameter.",
        examples=["sgl-project/sglang"],
    )
    exception_type: Annotated[Text, AfterValidator(_with_few_wildcards)] | None = Field(
        None,
        description="The exception type, with or without its module; `*` stands for any characters, `?` for one.",
        examples=["NotImplementedError"],
    )
    kind: Kind | None = Field(None, description="What the throw site does.", examples=["error"])
    code: Text | None = Field(None, description="The error code where the field has one.", examples=["E0277"])
    path: Annotated[Text, AfterValidator(_with_few_wildcards)] | None = Field(
        None,
        description="A file or a folder of the source, by any end or beginning of its path; with `*` for any "
        "characters or `?` for one, the whole path.",
        examples=["python/sglang/srt/disaggregation/*"],
    )
    language: Text | None = Field(None, description="The language of the source.", examples=["python"])
    module: Text | None = Field(
        None,
        description="The module: the directory of the path, or one above it.",
        examples=["python/sglang/srt/disaggregation/ascend"],
    )
    standing: list[Standing] = Field(
        [],
        alias="is",
        description="The standing; given twice, both must hold. `facts-only`: nobody has explained the error yet.",
        examples=[["explained"]],
    )


class RepositoryParameters(Paging):
    """What repositories to list."""

    limit: int = Field(
        MAX_LIMIT, ge=1, le=MAX_LIMIT, description="How many repositories to answer with at most.", examples=[20]
    )


class PullRequestParameters(BaseModel):
    """Which pull requests to list; filters are joined by *and*."""

    model_config = ConfigDict(frozen=True)

    q: Annotated[str, Field(max_length=300), AfterValidator(_without_nul)] = Field(
        "", description="Words, as in the search box.", examples=["HiSparse"]
    )
    flag: Annotated[str, Field(max_length=300), AfterValidator(_without_nul)] = Field(
        "", description="A risk flag, as reports have it.", examples=["缺少测试覆盖"]
    )
    module: Annotated[str, Field(max_length=300), AfterValidator(_without_nul)] = Field(
        "", description="A module that reports name, or a folder of their files.", examples=["python/sglang/srt"]
    )
    since: Annotated[str, Field(max_length=10)] = Field(
        "", description="Merged on this day or later; a month or a year will do.", examples=["2026-08-01"]
    )
    until: Annotated[str, Field(max_length=10)] = Field(
        "", description="Merged on this day or earlier; a month or a year will do.", examples=["2026-08"]
    )
    page: int = Field(1, ge=1, le=100_000, description="Which page of the list.", examples=[2])
    limit: int = Field(50, ge=1, le=MAX_LIMIT, description="How many a page has.", examples=[50])


class ReleaseParameters(BaseModel):
    """Which release is asked about."""

    model_config = ConfigDict(frozen=True)

    release: Annotated[str, Field(min_length=1, max_length=300), AfterValidator(tidy_paste)] = Field(
        description="A tag, a version, or a commit that was read; a package's name may stand before it.",
        examples=["0.5.18"],
    )


class ComparisonParameters(BaseModel):
    """Which releases are compared, and how much of it is answered."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    from_: Annotated[str, Field(min_length=1, max_length=300), AfterValidator(tidy_paste)] = Field(
        alias="from", description="The earlier release: a tag, a version or a commit that was read.", examples=["0.5.6"]
    )
    to: Annotated[str, Field(min_length=1, max_length=300), AfterValidator(tidy_paste)] = Field(
        description="The later release.", examples=["0.5.23"]
    )
    kind: Literal["added", "reworded", "moved", "removed"] | None = Field(
        None, description="Only changes of this kind.", examples=["added"]
    )
    module: Text | None = Field(
        None, description="Only this directory, and those below it.", examples=["python/sglang/srt"]
    )
    page: int = Field(1, ge=1, le=100_000, description="Which page of the changes.", examples=[2])
    limit: int = Field(MAX_LIMIT, ge=1, le=1_000, description="How many changes a page has.", examples=[50])


class SearchParameters(BaseModel):
    """What to look for, and which page of what was found."""

    model_config = ConfigDict(frozen=True)

    q: str = Field("", description="The query, as on the search page.", examples=["repo:sglang HiSparse is:explained"])
    page: int = Field(1, ge=1, le=100_000, description="Which page of the first thousand results.", examples=[2])
    cursor: Annotated[str, Field(max_length=1_000)] | None = Field(
        None,
        description="Where to go on: `next_cursor` of the answer before, for the same query. It goes before `page`.",
    )
    limit: int = Field(20, ge=1, le=MAX_LIMIT, description="How many results a page has.", examples=[50])
    exact: bool = Field(
        False, description="Whether words are looked for as they are typed, typing errors and all.", examples=[True]
    )
    facets: bool = Field(
        False, description="Whether to answer with the values that the results can be narrowed by.", examples=[True]
    )


class SuggestionParameters(BaseModel):
    """What is typed so far."""

    model_config = ConfigDict(frozen=True)

    q: str = Field("", description="The text in the search box.", examples=["repo:sglang NotImpl"])
    limit: int = Field(10, ge=1, le=20, description="How many suggestions to answer with at most.", examples=[5])


def refuse_strangers(request: HttpRequest, known: type[BaseModel]) -> None:
    """Raise ProblemError where the query string has a parameter that a list does not know: a misspelt filter filters
    nothing, and nobody would notice."""
    names = [field.alias or name for name, field in known.model_fields.items()]
    for name in request.GET:
        if name not in names:
            expected = f"one of {', '.join(names)}"
            raise wrong_parameter(ParameterError(name[:60], expected, shown(request.GET[name])))
