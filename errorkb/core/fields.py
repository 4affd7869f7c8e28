"""Core: the small field types that the three documents share, each with its pattern and what it expects in words."""

import re
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, GetCoreSchemaHandler, StringConstraints
from pydantic import BaseModel as PydanticModel
from pydantic_core import CoreSchema

MAX_LINE = 2_147_483_647
# Digits of other scripts are digits to Python, not to ISO 8601.
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?)?", re.ASCII)
T = TypeVar("T")


class DocumentPart(PydanticModel):
    """A part of a document: strict types, no coercion, frozen; unknown fields are refused by name."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", populate_by_name=False)


class _UntilFirstFault:
    """Let an array be checked up to its first wrong item: of millions, each would be kept with its place."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: Any = handler(source)
        schema["fail_fast"] = True
        return schema


def _check_moment(value: str) -> str:
    """Accept `2026-08-28`, `2026-08-05T09:54` and fuller ISO 8601 forms, with or without a zone."""
    if not _MOMENT.fullmatch(value):
        raise ValueError("expected an ISO 8601 date or time such as 2026-08-05T09:54")
    try:
        datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", value).upper())
    except ValueError as error:
        raise ValueError(f"expected a date that exists ({error})") from None
    return value


def _check_repository(value: str) -> str:
    if any(segment.strip(".") == "" for segment in value.split("/")):
        raise ValueError("expected owner/name, or host/owner/name for another forge than GitHub")
    return value


def _check_version(value: str) -> str:
    if not re.fullmatch(r"1\.(0|[1-9][0-9]{0,5})", value):
        raise ValueError('expected schema version "1.0" or a later "1.x"')
    return value


def _check_identifier(value: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{16}", value):
        raise ValueError("expected an id of 16 hex digits")
    return value


def _check_commit(value: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{7,40}", value):
        raise ValueError("expected a commit of 7 to 40 hex digits")
    return value


Items = Annotated[list[T], _UntilFirstFault()]


def _check_path(value: str) -> str:
    if value.startswith(("/", "\\")) or ".." in value.replace("\\", "/").split("/"):
        raise ValueError("expected a path inside the repository, relative to its root")
    return value


SchemaVersion = Annotated[
    str, AfterValidator(_check_version), Field(json_schema_extra={"pattern": r"^1\.(0|[1-9][0-9]{0,5})$"})
]
RepositoryName = Annotated[
    str,
    StringConstraints(max_length=200, pattern=r"^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+){1,6}$"),
    AfterValidator(_check_repository),
]
Identifier = Annotated[
    str, AfterValidator(_check_identifier), Field(json_schema_extra={"pattern": "^[0-9a-fA-F]{16}$"})
]
Commit = Annotated[str, AfterValidator(_check_commit), Field(json_schema_extra={"pattern": "^[0-9a-fA-F]{7,40}$"})]
Moment = Annotated[str, AfterValidator(_check_moment), Field(description="ISO 8601; a zone is kept as stated")]
LineNumber = Annotated[int, Field(ge=1, le=MAX_LINE)]
PullRequestNumber = Annotated[int, Field(ge=1, le=MAX_LINE)]
# Columns with a B-tree index: PostgreSQL takes at most 2,704 bytes in one.
Name = Annotated[str, StringConstraints(max_length=300)]
Path = Annotated[str, StringConstraints(min_length=1, max_length=600), AfterValidator(_check_path)]
