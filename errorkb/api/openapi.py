"""API: its description as OpenAPI 3.1: what django-ninja reads from the operations, and what it cannot know."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from errorkb.api.answers import JSON, answer
from errorkb.api.interface import interface
from errorkb.api.problems import MEDIA_TYPE as PROBLEM_JSON

Description = dict[str, Any]

# What a reference to the shape of an answer begins with.
SHAPES = "#/components/schemas/"

_HEADERS = {
    "ETag": ("A strong entity tag over every byte of the answer.", '"5f3c…"'),
    "Last-Modified": ("When anything that the answer shows was last changed.", "Fri, 28 Aug 2026 09:54:00 GMT"),
    "Link": ("The page, the schema; the next page of a list.", '<https://…>; rel="next"'),
    "Location": ("The one form of the address.", "/api/errors/0a4a184d34e9a38f"),
}
_CONDITIONS = {
    "If-None-Match": "Entity tags of the answers that the client has: 304 if today's is among them.",
    "If-Modified-Since": "The date of the answer that the client has: 304 if nothing has changed since.",
}
_STATES = {
    "200": ("The answer.", ("ETag", "Link")),
    "301": ("Another form of the address; `Location` has the one form.", ("Location",)),
    "304": ("The client has this answer already.", ("ETag",)),
}
_SAID_BESIDE = ("title", "description", "examples", "example")
_TAGS = {
    "Entries": "Errors: the line that throws each, what it means, what to do about it.",
    "Releases": "Which releases have which errors.",
    "Match": "A pasted error: which entries it tells of.",
    "Search": "The search page, for tools.",
    "Repositories": "What is covered.",
    "Pull requests": "What brought, reworded or fixed errors.",
    "Schemas": "The documents that are loaded, exported and served.",
}


@require_safe
def openapi_json(request: HttpRequest) -> HttpResponse:
    """Answer with the description of the API."""
    return answer(request, description(settings.SITE_URL))


@cache
def description(site: str) -> Description:
    """Return the OpenAPI description of the API at the address `site`; it is shared, so nobody may change it."""
    drawn: Description = json.loads(json.dumps(interface.get_openapi_schema(path_prefix="/api/")))
    paths = {path: _methods(operations) for path, operations in drawn["paths"].items()}
    return drawn | {
        "servers": [{"url": site}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": _used(drawn["components"]["schemas"], paths),
            "headers": {name: _header(*about) for name, about in _HEADERS.items()},
            "parameters": {name: _condition(name, text) for name, text in _CONDITIONS.items()},
        },
    }


def _methods(operations: Description) -> Description:
    """Return what can be done at an address, by method."""
    asked = {"post": _completed(operations["post"], is_kept=False)} if "post" in operations else {}
    return (_reading(operations["get"]) if "get" in operations else {}) | asked


def _completed(operation: Description, *, is_kept: bool) -> Description:
    """Return an operation with its parameters and answers as they are; `is_kept` says that caches may keep these."""
    answers = operation["responses"].items()
    return operation | {
        "parameters": [*map(_parameter, operation["parameters"])],
        "responses": {status: _response(status, about, is_kept=is_kept) for status, about in answers},
    }


def _reading(operation: Description) -> Description:
    """Return GET and HEAD of an address, with what holds for all of them."""
    conditions = [*_CONDITIONS] if _is_dated(operation) else ["If-None-Match"]
    completed = _completed(operation, is_kept=True)
    completed["parameters"] += [_reference("parameters", name) for name in conditions]
    return {"get": completed, "head": _without_bodies(completed)}


def _is_dated(operation: Description) -> bool:
    return "Last-Modified" in operation["responses"]["200"].get("headers", {})


def _without_bodies(operation: Description) -> Description:
    bare = {
        status: {name: value for name, value in about.items() if name != "content"}
        for status, about in operation["responses"].items()
    }
    renamed = {"operationId": f"{operation['operationId']}Headers", "summary": f"{operation['summary']}: headers only"}
    return operation | renamed | {"responses": bare}


def _response(status: str, about: Description, *, is_kept: bool) -> Description:
    """Return a response with its headers; whatever is not the answer itself is a problem, and says so by its type."""
    text, headers = _STATES.get(status, (about["description"], ()))
    described: Description = {"description": text}
    if headers and is_kept:
        described["headers"] = {name: _reference("headers", name) for name in headers} | about.get("headers", {})
    if content := about.get("content"):
        described["content"] = content if status == "200" else {PROBLEM_JSON: content[JSON]}
    return described


def _parameter(parameter: Description) -> Description:
    """Return a parameter that a query string can have: no null, a title that says nothing, or examples in a list."""
    schema = {name: value for name, value in parameter["schema"].items() if name not in _SAID_BESIDE}
    for choice in schema.pop("anyOf", ()):
        schema |= choice if choice != {"type": "null"} else {}
    if schema.get("default") is None:
        schema.pop("default", None)
    described = {name: parameter[name] for name in ("in", "name", "required", "description")} | {"schema": schema}
    examples = [*parameter.get("examples", ()), *([parameter["example"]] if "example" in parameter else ())]
    return described | ({"example": examples[0]} if examples else {})


def _header(text: str, example: str) -> Description:
    return {"description": text, "schema": {"type": "string"}, "example": example}


def _condition(name: str, text: str) -> Description:
    return {"in": "header", "name": name, "required": False, "description": text, "schema": {"type": "string"}}


def _reference(kind: str, name: str) -> Description:
    return {"$ref": f"#/components/{kind}/{name}"}


def _used(schemas: Description, paths: Description) -> Description:
    """Return the shapes that answers have, and the shapes in these, by name.

    Documents of a later minor version have fields that this one does not know, so all shapes are open.
    """
    waiting, used = [*_names(paths)], set()
    while waiting:
        name = waiting.pop()
        if name not in used:
            used.add(name)
            waiting += _names(schemas[name])
    return {name: _open(schemas[name]) for name in sorted(used)}


def _names(part: Any) -> Iterator[str]:
    """Yield the names of the shapes that a part of the description refers to."""
    if isinstance(part, dict):
        reference = part.get("$ref", "")
        if isinstance(reference, str) and reference.startswith(SHAPES):
            yield reference.removeprefix(SHAPES)
    children = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for child in children:
        yield from _names(child)


def _open(schema: Description) -> Description:
    return {name: value for name, value in schema.items() if name != "additionalProperties"}
