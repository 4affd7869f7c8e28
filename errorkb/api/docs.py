"""API: its description for people, made on the server from the same OpenAPI that tools read."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from errorkb.api.openapi import Description, description
from errorkb.api.problems import PROBLEM_TYPES
from errorkb.api.type_names import TypeInWords, type_in_words
from errorkb.core.json_documents import dump_document
from errorkb.core.rendering import render_inline, render_markdown


@dataclass(frozen=True)
class Field:
    """A parameter, or a field of an answer."""

    name: str
    type: TypeInWords
    meaning: SafeString
    is_required: bool


@dataclass(frozen=True)
class Answer:
    """What an operation may answer: a status, what it means, and the type of the body."""

    status: str
    meaning: SafeString
    type: TypeInWords


@dataclass(frozen=True)
class Operation:
    """One address: what it takes, what it answers, and how to ask it from a command line."""

    anchor: str
    title: str
    method: str
    path: str
    description: SafeString
    command: str
    parameters: tuple[Field, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Problem:
    """A kind of problem, at the anchor that its `type` leads to."""

    anchor: str
    status: int
    title: str
    advice: SafeString


@dataclass(frozen=True)
class Shape:
    """A part of an answer that has a name."""

    anchor: str
    name: str
    meaning: SafeString
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Section:
    """A line of the list of contents."""

    anchor: str
    title: str


@dataclass(frozen=True)
class DocsPage:
    """What the template reads."""

    canonical: str
    entry_url: str
    operations: tuple[Operation, ...]
    problems: tuple[Problem, ...]
    shapes: tuple[Shape, ...]

    @property
    def contents(self) -> tuple[Section, ...]:
        operations = (Section(operation.anchor, operation.title) for operation in self.operations)
        return (Section("overview", "Overview"), *operations, *_LAST_SECTIONS)


_LAST_SECTIONS = (Section("problems", "Problems"), Section("shapes", "Shapes of the answers"))


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show what can be asked, how, and what is answered."""
    return render(request, "api/docs.html", {"page": docs_page(settings.SITE_URL)})


@cache
def docs_page(site: str) -> DocsPage:
    """Return the description of the API at the address `site`, as the page shows it."""
    described = description(site)
    named = described["components"]["schemas"].items()
    operations = tuple(
        _operation(path, method, methods[method], described)
        for path, methods in described["paths"].items()
        for method in ("get", "post")
        if method in methods
    )
    entry = next(operation for operation in operations if operation.anchor == "readEntry")
    return DocsPage(
        canonical=f"{site}/api/docs",
        entry_url=entry.command.rpartition(" ")[2],
        operations=operations,
        problems=tuple(
            Problem(anchor, kind.status, kind.title, _inline(kind.advice)) for anchor, kind in PROBLEM_TYPES.items()
        ),
        shapes=tuple(
            Shape(f"shape-{name}", name, _inline(shape.get("description", "")), tuple(_fields(shape)))
            for name, shape in named
        ),
    )


def _operation(path: str, method: str, operation: Description, described: Description) -> Operation:
    own = [one for one in operation["parameters"] if "$ref" not in one]
    address = described["servers"][0]["url"] + _example(path, own if method == "get" else [])
    return Operation(
        anchor=operation["operationId"],
        title=operation["summary"],
        method=method.upper(),
        path=path,
        description=mark_safe(render_markdown(operation["description"])),
        command=f"curl {_sent(operation)}{_quoted(address)}",
        parameters=tuple(
            Field(one["name"], type_in_words(one["schema"]), _inline(one["description"]), one["required"])
            for one in own
        ),
        answers=tuple(_answers(operation["responses"])),
    )


def _example(path: str, parameters: list[Description]) -> str:
    """Return an address with the examples of its parameters: all that are in the path, and one of the query."""
    filled = path
    for one in parameters:
        filled = filled.replace(f"{{{one['name']}}}", quote(str(one.get("example", ""))))
    query = {one["name"]: one for one in parameters if one["in"] == "query"}
    exemplary = next((names for names in _EXEMPLARY if names[0] in query), ())
    asked = [query[name] for name in exemplary]
    encoded = urlencode([(one["name"], one["example"]) for one in asked], safe="/*:", doseq=True)
    return f"{filled}?{encoded}" if encoded else filled


def _sent(operation: Description) -> str:
    """Return how a command line sends a body of the first type that the operation takes, if it takes any."""
    bodies = operation.get("requestBody", {}).get("content", {})
    for media_type, body in bodies.items():
        example = body["example"]
        text = example if isinstance(example, str) else dump_document(example)
        return f"-H 'Content-Type: {media_type}' --data-binary {shlex.quote(text)} "
    return ""


# The parameters that the example of an address has: the first row of which it knows the first.
_EXEMPLARY = (("q",), ("release",), ("from", "to"), ("repository", "is"))
# The page says once for all what these mean.
_EVERYWHERE = ("304", "400", "412", "500")


def _quoted(address: str) -> str:
    """Return an address as a shell takes it."""
    return f"'{address}'" if "?" in address else address


def _answers(responses: Description) -> Iterator[Answer]:
    """Yield the answers that this operation has and not every one of them."""
    for status, about in sorted(responses.items()):
        if status in _EVERYWHERE:
            continue
        content: Description = next(iter(about.get("content", {}).values()), {})
        yield Answer(status, _inline(about["description"]), type_in_words(content.get("schema", {})))


def _fields(shape: Description) -> Iterator[Field]:
    required = shape.get("required", ())
    for name, about in shape["properties"].items():
        yield Field(name, type_in_words(about), _inline(about.get("description", "")), name in required)


def _inline(text: str) -> SafeString:
    return mark_safe(render_inline(text))
