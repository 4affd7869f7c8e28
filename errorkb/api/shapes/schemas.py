"""API, shapes: the list of schemas."""

from errorkb.api.shapes.base import Shape


class SchemaLink(Shape):
    """The JSON Schema of a document."""

    name: str
    url: str


class SchemaIndex(Shape):
    """The documents that are read and served."""

    schema_version: str
    schemas: list[SchemaLink]
