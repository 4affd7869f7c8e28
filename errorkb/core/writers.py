"""Core: who writes a document, as one string: `person:ada`, `file:/srv/entries.ndjson`, `tool:name`, `scan:name`."""

PERSON = "person"
FILE = "file"
TOOL = "tool"
SCAN = "scan"


def person(name: str) -> str:
    return f"{PERSON}:{name}"


def file(path: str) -> str:
    return f"{FILE}:{path}"


def tool(name: str) -> str:
    return f"{TOOL}:{name}"


def kind_of(writer: str) -> str:
    """Return the kind of a writer: `person` of `person:ada`."""
    return writer.partition(":")[0]
