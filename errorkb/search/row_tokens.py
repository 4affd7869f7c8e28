"""Search: the tokens of a document by column, made from every text and number in it, known fields or not."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Protocol

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


@dataclass(frozen=True, slots=True)
class RowTokens:
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
    columns = dict(_ENTRY_COLUMNS)
    if not document.get("message"):
        columns["source.symbol"] = "title"
    seen = (("source.path", newest.path), ("source.symbol", newest.symbol)) if newest else ()
    tokens = _row_tokens(document, columns, seen)
    return _bounded(replace(tokens, title=TEMPLATE_SIGN.join([tokens.title, *template_tokens(document)])))


def tokens_for_pull_request(document: Mapping[str, Any]) -> RowTokens:
    """Return the tokens by which a pull request is found, from its document as loaded."""
    return _bounded(_row_tokens(document, _PULL_REQUEST_COLUMNS))


def texts_of(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each text and number of a document as text, in its order, with the dotted name of its field.

    >>> list(texts_of({"source": {"path": "a.py", "line": 3}, "tags": ["x"], "retryable": True}))
    [('source.path', 'a.py'), ('source.line', '3'), ('tags', 'x')]
    """
    waiting: list[tuple[str, Any]] = [("", document)]
    while waiting:
        field, value = waiting.pop()
        if isinstance(value, str):
            yield field, _as_read(field, value)
        elif isinstance(value, Mapping):
            prefix = f"{field}." if field else ""
            waiting.extend((f"{prefix}{key}", item) for key, item in reversed(list(value.items())))
        elif isinstance(value, list | tuple):
            waiting.extend((field, item) for item in reversed(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield field, str(value)


def _as_read(field: str, text: str) -> str:
    """Return code that arrives on one line, with its line breaks spelled out, on several, as pages show it."""
    if field.rpartition(".")[2] == "code" and "\n" not in text:
        return text.replace("\\n", "\n").replace("\\t", "\t")
    return text


def _row_tokens(
    document: Mapping[str, Any], columns: Mapping[str, str], beside: Iterable[tuple[str, str]] = ()
) -> RowTokens:
    """Return the tokens of a document, and of texts beside it with the names of their fields."""
    texts: dict[str, dict[str, list[str]]] = {"title": {}, "names": {}, "prose": {}}
    for field, column in columns.items():
        texts[column][field] = []
    for field, text in chain(texts_of(document), beside):
        if field in NO_WORDS:
            continue
        texts[columns.get(field, "prose")].setdefault(field, []).append(text)
    title, names, prose = (_column_tokens(fields) for fields in texts.values())
    return RowTokens(
        title=_merged(title.whole, title.parts),
        names=_merged(names.whole, names.parts),
        parts=prose.parts,
        prose=prose.whole,
    )


def _column_tokens(fields: Mapping[str, list[str]]) -> IndexTokens:
    return index_tokens("\n".join(text for texts in fields.values() for text in texts))


def _merged(whole: str, parts: str) -> str:
    return " ".join(dict.fromkeys(f"{whole} {parts}".split()))


def _bounded(tokens: RowTokens) -> RowTokens:
    return RowTokens(**{column: _cut(getattr(tokens, column), most) for column, most in _MOST_BYTES.items()})


def _cut(tokens: str, most: int) -> str:
    """Return as many of the first tokens as have at most so many bytes."""
    if len(tokens) * 4 <= most or len(encoded := tokens.encode()) <= most:
        return tokens
    return encoded[: encoded.rindex(b" ", 0, most + 1)].decode()
