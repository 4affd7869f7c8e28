"""The types of the description, in words."""

import pytest

from errorkb.api.type_names import Piece, type_in_words


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, ""),
        ({"type": "string", "title": "Name"}, "string"),
        ({"type": "string", "format": "date-time"}, "date and time, ISO 8601"),
        (
            {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            "integer, at least 1, at most 100, 20 if not given",
        ),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"oneOf": [{"const": "a"}, {"type": "boolean"}], "type": "object"}, '"a" or boolean'),
        ({"enum": ["error", "log"], "type": "string"}, '"error" or "log"'),
        ({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}]}}, "array of string or number"),
        ({"$ref": "#/components/schemas/Place"}, "Place"),
    ],
)
def test_says_a_schema_in_words(schema, words):
    assert "".join(piece.text for piece in type_in_words(schema)) == words


def test_leads_to_the_shapes_that_it_names():
    assert type_in_words({"type": "array", "items": {"$ref": "#/components/schemas/Place"}}) == (
        Piece("array of "),
        Piece("Place", "shape-Place"),
    )
