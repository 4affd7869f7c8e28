"""API: what a match is asked with, beside the text: in the query string, whatever the body is."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from errorkb.api.repositories import covered_name
from errorkb.api.requests.parameters import MAX_LIMIT, Text
from errorkb.core.paste_bytes import tidy_paste
from errorkb.matching.results import MatchOptions

# As much as servers take in an address; a longer text is posted.
MAX_LINE = 8_000


class MatchParameters(BaseModel):
    """How much to answer, and about what."""

    model_config = ConfigDict(frozen=True)

    limit: int = Field(10, ge=1, le=MAX_LIMIT, description="How many matches to answer with at most.", examples=[3])
    repository: Text | None = Field(
        None,
        description="Only entries of this repository, `owner/name` (on other forges than GitHub `host/owner/name`), or "
        "a former name. One that is not covered is a wrong parameter.",
        examples=["django/django"],
    )
    release: Annotated[str, Field(min_length=1, max_length=300), AfterValidator(tidy_paste)] | None = Field(
        None, description="The release that the error comes from, as a tag or a version.", examples=["5.2.8"]
    )
    fields: Literal["short", "full"] = Field(
        "short",
        description="`full`: each entry with its meaning, trigger, situations and solutions: one call suffices.",
        examples=["full"],
    )

    @property
    def options(self) -> MatchOptions:
        """Return what the match itself is asked with. Raises ProblemError for a repository that is not covered."""
        repository = covered_name(self.repository) if self.repository else ""
        return MatchOptions(limit=self.limit, repository=repository, release=self.release or "")


class LineParameters(MatchParameters):
    """A line to be matched, and how."""

    q: Annotated[str, Field(min_length=1, max_length=MAX_LINE), AfterValidator(tidy_paste)] = Field(
        description="The line. A longer text, or one that holds a secret, is posted instead.",
        examples=["KeyError: 'currency'"],
    )
