"""API, shapes: what went wrong."""

from pydantic import Field

from errorkb.api.shapes.base import Shape


class ParameterFault(Shape):
    """One wrong parameter."""

    parameter: str
    expected: str
    found: str | None = Field(description="what was given, as JSON, cut to sixty characters")


class ProblemBody(Shape):
    """What went wrong (RFC 9457)."""

    type: str = Field(description="the kind of problem: an address that describes it")
    title: str = Field(description="the kind of problem in words")
    status: int
    detail: str = Field(description="what was wrong this time")
    instance: str = Field(description="the path that was asked for")
    errors: list[ParameterFault] | None = Field(None, description="only for wrong parameters")
