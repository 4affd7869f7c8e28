"""API: what every reading operation has in common, for django-ninja and for OpenAPI."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from ninja import Path

from errorkb.api.problems import PROBLEM_TYPES
from errorkb.api.shapes.problems import ProblemBody

READ = ["GET", "HEAD"]
ASK = ["POST"]

# Whatever is asked: the request may be broken, the answer not to be made.
_ASKED = ("bad-request", "internal-error")
# Whatever is read: the request may be broken, the answer not wanted in its present state, or not to be made.
_ALWAYS = ("bad-request", "precondition-failed", "internal-error")

EntryId = Annotated[
    str, Path(description="The id or an alias: 16 hex digits, in any letter case.", example="0a4a184d34e9a38f")
]
Owner = Annotated[
    str,
    Path(
        description="The owner of the repository; `host/owner` or `host/group` on other forges than GitHub.",
        example="sgl-project",
    ),
]
RepositoryName = Annotated[str, Path(description="The last part of the repository's name.", example="sglang")]
PullRequestNumber = Annotated[int, Path(description="The number of the pull request.", example=33523)]
SchemaName = Annotated[str, Path(description="The document, with or without `.json`.", example="entry.json")]


def reading(
    shape: Any, *problems: str, media_type: str = "", redirects: bool = False, dated: bool = False
) -> dict[str, Any]:
    """Return how an operation is registered that answers with `shape`, or with one of `problems` (of PROBLEM_TYPES).

    `media_type` is the answer's where that is not plain JSON, and `shape` then its JSON Schema; `redirects` says that
    other forms of its address lead to the one form, `dated` that its answer has a date.
    """
    plain: dict[int, Any] = {200: None if media_type else shape} | ({301: None} if redirects else {}) | {304: None}
    content = {"content": {media_type: {"schema": shape}}} if media_type else {}
    headers = {"headers": {"Last-Modified": {"$ref": "#/components/headers/Last-Modified"}}} if dated else {}
    return _registered(plain, (*problems, *_ALWAYS), {"responses": {200: content | headers}})


def asking(
    shape: Any, *problems: str, bodies: Mapping[str, Any], schema: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return how an operation is registered that takes a body and answers it with `shape` or one of `problems`.

    `bodies` are examples by their media types; `schema` is the JSON Schema of a body, where it has more members than
    those of its example, or may lack some.
    """
    content = {
        media_type: {"schema": schema or _schema_of(body), "example": body} for media_type, body in bodies.items()
    }
    described = {"requestBody": {"required": True, "content": content}, "responses": {}}
    return _registered({200: shape}, (*problems, *_ASKED), described)


def _registered(plain: dict[int, Any], problems: Iterable[str], described: dict[str, Any]) -> dict[str, Any]:
    kinds = [PROBLEM_TYPES[name] for name in problems]
    answers: dict[int, Any] = {kind.status: {"description": f"{kind.title}. {kind.advice}"} for kind in kinds}
    return {
        "response": plain | {kind.status: ProblemBody for kind in kinds},
        "openapi_extra": described | {"responses": answers | described["responses"]},
        "by_alias": True,
    }


def _schema_of(example: Any) -> dict[str, Any]:
    """Return the JSON Schema of what an example is an example of."""
    if isinstance(example, str):
        return {"type": "string"}
    if isinstance(example, list):
        return {"type": "array", "items": _schema_of(example[0])}
    members = {name: _schema_of(value) for name, value in example.items()}
    return {"type": "object", "properties": members, "required": [*members]}
