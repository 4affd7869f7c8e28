"""Search: the tokens of a document by column, made from every text and number in it, known fields or not."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from typing import Any, NamedTuple, Protocol

from errorkb.core.tokens import IndexTokens, index_tokens
from errorkb.search.templates import TEMPLATE_SIGN, template_tokens

# Fields by their names from the document's root, positions in lists left out. What is in no table is prose. In the
# tokens of a row, fields come in the order of the table, for ranking looks at the first tokens only.
_ENTRY_COLUMNS = dict.fromkeys(
    ["exception_type", "message", "template", "wordings.message", "wordings.template"], "title"
) | dict.fromkeys(
    [
        "code",
        "source.symbol",
        "source.path",
        "tags",
        "slots.name",
        "source.package",
        "repository",
        "id",
        "aliases",
        "pull_requests.number",
        "pull_requests.repository",
    ],
    "names",
)
# An entry without a message has its symbol in its title.
_SILENT_ENTRY_COLUMNS = _ENTRY_COLUMNS | {"source.symbol": "title"}
_PULL_REQUEST_COLUMNS = dict.fromkeys(["number", "title"], "title") | dict.fromkeys(
    [
        "report.key_symbols",
        "report.key_files.path",
        "report.key_files.symbols",
        "report.snippets.path",
        "fixes.exception_type",
        "labels",
        "repository",
        "author",
        "merged_by",
        "merge_commit",
        "introduced_by.number",
        "related.number",
    ],
    "names",
)

# Facts with a few fixed values, which filters and pages are for: as words they would find every document.
NO_WORDS = frozenset(
    [
        "schema_version",
        "kind",
        "state",
        "placeholders",
        "cause",
        "language",
        "analysis.method",
        "examples.language",
        "examples.purpose",
        "pull_requests.role",
        "references.type",
        "related.relation",
        "slots.kind",
        "solutions.evidence.type",
        "solutions.kind",
        "report.language",
        "report.discussion.topics.kind",
        "report.key_files.category",
        "report.key_files.type",
        "report.snippets.language",
    ]
)


# What is kept of each column, in bytes of UTF-8: a tsvector of PostgreSQL ends at 1 MiB, and holds the tokens of title
# and names twice (errorkb.search.backends.postgresql). It is the same on every database, so that the same is found.
_MOST_BYTES = {"title": 120_000, "names": 120_000, "parts": 160_000, "prose": 400_000}
# Names of fields that count are shorter; the names of what is in objects within objects would fill the memory.
_MOST_NAME = 200


class RowTokens(NamedTuple):
    """The token columns of SearchRow: distinct tokens in order of appearance, separated by spaces.

    Of a document with more than some hundred thousand bytes of distinct words, those behind are left out.

    `title` and `names` hold the parts of their names beside them, so that a word is known to be in the title;
    `parts` holds those of `prose`. Behind the tokens, `title` holds the literal words of an entry's templates in their
    order, as errorkb.search.templates writes them.
    """

    title: str
    names: str
    parts: str
    prose: str


class Placed(Protocol):
    """What has a place in the source: a sighting, an entry."""

    path: str
    symbol: str


def tokens_for_entry(document: Mapping[str, Any], newest: Placed | None = None) -> RowTokens:
    """Return the tokens by which an entry is found: from its document as loaded, and from where it was seen last."""
    columns = _ENTRY_COLUMNS if document.get("message") else _SILENT_ENTRY_COLUMNS
    seen = (("source.path", newest.path), ("source.symbol", newest.symbol)) if newest else ()
    return _row_tokens(document, columns, seen, templates=template_tokens(document))


def tokens_for_pull_request(document: Mapping[str, Any]) -> RowTokens:
    """Return the tokens by which a pull request is found, from its document as loaded."""
    return _row_tokens(document, _PULL_REQUEST_COLUMNS)


def texts_of(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each text and number of a document as text, in its order, with the dotted name of its field.

    >>> list(texts_of({"source": {"path": "a.py", "line": 3}, "tags": ["x"], "retryable": True}))
    [('source.path', 'a.py'), ('source.line', '3'), ('tags', 'x')]
    """
    waiting: list[Iterator[tuple[str, Any]]] = [_fields("", document)]
    while waiting:
        for field, value in waiting[-1]:
            if isinstance(value, str):
                yield field, _as_read(value) if field.endswith("code") and _is_code(field) else value
            elif isinstance(value, Mapping):
                waiting.append(_fields(f"{field}.", value))
                break
            elif isinstance(value, list | tuple):
                waiting.append(zip(repeat(field), value))
                break
            elif isinstance(value, int | float) and not isinstance(value, bool):
                yield field, str(value)
        else:
            waiting.pop()


def _fields(prefix: str, value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return the members of an object by their dotted names; far within, they all have the name of what they are in."""
    if len(prefix) > _MOST_NAME:
        return zip(repeat(prefix), value.values())
    return ((prefix + key, item) for key, item in value.items()) if prefix else iter(value.items())


def _is_code(field: str) -> bool:
    return field.rpartition(".")[2] == "code"


def _as_read(text: str) -> str:
    """Return code that arrives on one line, with its line breaks spelled out, on several, as pages show it."""
    return text if "\n" in text else text.replace("\\n", "\n").replace("\\t", "\t")


def _row_tokens(
    document: Mapping[str, Any],
    columns: Mapping[str, str],
    beside: Iterable[tuple[str, str]] = (),
    templates: Iterable[str] = (),
) -> RowTokens:
    """Return the tokens of a document, and of texts beside it with the names of their fields."""
    texts: dict[str, list[str]] = {}
    for field, text in chain(texts_of(document), beside):
        if field not in NO_WORDS:
            texts.setdefault(field, []).append(text)
    title = _column_tokens(texts.pop(field, ()) for field, column in columns.items() if column == "title")
    names = _column_tokens(texts.pop(field, ()) for field, column in columns.items() if column == "names")
    prose = _column_tokens(texts.values())
    return RowTokens(
        title=_cut("title", TEMPLATE_SIGN.join([" ".join(title.whole | title.parts), *templates])),
        names=_cut("names", " ".join(names.whole | names.parts)),
        parts=_cut("parts", " ".join(prose.parts)),
        prose=_cut("prose", " ".join(prose.whole)),
    )


def _column_tokens(fields: Iterable[Iterable[str]]) -> IndexTokens:
    return index_tokens("\n".join(chain.from_iterable(fields)))


def _cut(column: str, tokens: str) -> str:
    """Return as many of the first tokens of a column as are kept of it."""
    most = _MOST_BYTES[column]
    if len(tokens) * 4 <= most or len(encoded := tokens.encode()) <= most:
        return tokens
    return encoded[: encoded.rindex(b" ", 0, most + 1)].decode()
