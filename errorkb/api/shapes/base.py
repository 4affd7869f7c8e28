"""API, shapes: what many answers have in common."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema

# As Python writes it, with the zone as +00:00.
Moment = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class Shape(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(frozen=True)


class NamedRepository(Shape):
    """A repository by its present name."""

    name: str = Field(description="owner/name; host/owner/name on other forges than GitHub")
    html_url: str = Field(description="its page")


class Place(Shape):
    """Where the error is thrown."""

    path: str
    line: int | None
    symbol: str = Field(description="the enclosing function or method, qualified; empty at module level")
    pin: str = Field(description="the commit or release that the place is true for")
    html_url: str | None = Field(description="the line on the forge, at the pin")


class EntryStanding(Shape):
    """How far an entry can be trusted, and whether the error still exists."""

    explained: bool = Field(description="has a meaning or a solution")
    reviewed: bool = Field(description="a person has reviewed it")
    removed: bool = Field(description="the site is gone since a release")
    stale: bool = Field(description="the code around the site has changed since its words were written")
    state: Literal["published", "withdrawn"] = Field(description="`withdrawn`: a reviewer has taken it back")
