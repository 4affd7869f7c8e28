"""API: the JSON Schemas of the three documents, at the addresses that they state as their `$id`."""

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router

from errorkb.api.answers import answer
from errorkb.api.operations import READ, SchemaName, reading
from errorkb.api.problems import ProblemError
from errorkb.api.shapes.schemas import SchemaIndex, SchemaLink
from errorkb.core.documents import DOCUMENTS, SCHEMA_VERSION, json_schema
from errorkb.serving.addresses import absolute_url

SCHEMA_MEDIA_TYPE = "application/schema+json"

router = Router(tags=["Schemas"])


@router.api_operation(
    READ, "/schemas/", **reading(SchemaIndex), operation_id="listSchemas", summary="Schemas of the documents"
)
def list_schemas(request: HttpRequest) -> HttpResponse:
    """The documents that are loaded, exported and served, and where their JSON Schemas are."""
    links = [SchemaLink(name=name, url=absolute_url(f"/api/schemas/{name}.json")) for name in DOCUMENTS]
    index = SchemaIndex(schema_version=SCHEMA_VERSION, schemas=links)
    return answer(request, index.model_dump(mode="json"))


@router.api_operation(
    READ,
    "/schemas/{name}",
    **reading({"type": "object"}, "unknown-schema", media_type=SCHEMA_MEDIA_TYPE),
    operation_id="readSchema",
    summary="One schema",
)
def read_schema(request: HttpRequest, name: SchemaName) -> HttpResponse:
    """The JSON Schema (draft 2020-12) of `entry.json`, `pull-request.json` or `repository.json`; the ending may be left
    out. Checked beyond it, and said in words there: templates, titles, lines in order."""
    document = name.removesuffix(".json")
    if document not in DOCUMENTS:
        raise ProblemError("unknown-schema", f"Expected one of {', '.join(DOCUMENTS)}.")
    return answer(request, _schema(document, settings.SITE_URL), media_type=SCHEMA_MEDIA_TYPE)


@cache
def _schema(name: str, base_url: str) -> dict[str, Any]:
    return json_schema(DOCUMENTS[name], base_url=base_url)
