"""API: the types of parameters and fields in words, as pieces that may lead to the shape that they name."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from errorkb.api.openapi import SHAPES, Description


@dataclass(frozen=True)
class Piece:
    """A piece of a type in words: a text, and the anchor of the shape that it names."""

    text: str
    anchor: str = ""


TypeInWords = tuple[Piece, ...]


def type_in_words(schema: Description) -> TypeInWords:
    """Return what a JSON Schema allows, for people.

    `{"anyOf": [{"type": "string"}, {"type": "null"}]}` gives "string or null"; no schema, nothing.
    """
    return tuple(_pieces(schema))


def _pieces(schema: Description) -> Iterator[Piece]:
    for key, pieces in _READERS:
        if key in schema:
            yield from pieces(schema)
            return


def _named(schema: Description) -> Iterator[Piece]:
    name = schema["$ref"].removeprefix(SHAPES)
    yield Piece(name, f"shape-{name}")


def _chosen(schema: Description) -> Iterator[Piece]:
    for number, choice in enumerate(schema.get("anyOf") or schema["oneOf"]):
        if number:
            yield Piece(" or ")
        yield from _pieces(choice)


def _listed(schema: Description) -> Iterator[Piece]:
    yield Piece(" or ".join(map(json.dumps, schema.get("enum") or [schema["const"]])))


def _array(schema: Description) -> Iterator[Piece]:
    yield Piece("array of ")
    yield from _pieces(schema["items"])


def _plain(schema: Description) -> Iterator[Piece]:
    bounds = [wording.format(schema[key]) for key, wording in _BOUNDS.items() if key in schema]
    yield Piece(", ".join([_FORMATS.get(schema.get("format", "")) or str(schema["type"]), *bounds]))


_FORMATS = {"date-time": "date and time, ISO 8601"}
_BOUNDS = {"minimum": "at least {}", "maximum": "at most {}", "default": "{} if not given"}
_READERS: tuple[tuple[str, Callable[[Description], Iterable[Piece]]], ...] = (
    ("$ref", _named),
    ("anyOf", _chosen),
    ("oneOf", _chosen),
    ("enum", _listed),
    ("const", _listed),
    ("items", _array),
    ("type", _plain),
)
