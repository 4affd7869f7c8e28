"""Search: the piece of a document that shows why it was found, with the words that were found marked."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nlargest
from typing import Any, NamedTuple

from errorkb.core.rendering import plain_text
from errorkb.core.tokens import MAX_TOKEN_LENGTH, Token, fold, tokenize
from errorkb.core.tokens.splitting import ASCII_NAME_RUN
from errorkb.search.row_tokens import NO_WORDS, texts_of

MAX_EXCERPT = 240
MAX_TITLE = 300
# How much of a long text before and behind a hit is looked at, and how much of the excerpt stands before the first hit.
_REACH = 600
_LEAD = 60
_FIELDS_TRIED = 3

# What a result's title and heading say already, and what nobody reads.
_NOT_EXCERPTED = NO_WORDS | {"message", "title", "exception_type", "id", "repository", "template", "number", "url"}
# The last names of fields that are written in Markdown.
_PROSE = frozenset(
    [
        *("meaning", "trigger", "common_situations", "solutions", "text", "caption", "reason", "note", "body"),
        *("summary", "recommendation", "motivation", "implementation", "risk", "impact", "risk_flags"),
    ]
)
# A reader learns more from a sentence with the words than from code with them, or from the title of another error.
_LESS_TELLING = ("code", "url", "related.title", "samples", "wordings.message", "wordings.template")
_LESS = 0.5
# Shown where nothing else was found: what the document is about.
_OPENINGS = ("meaning", "report.summary", "trigger", "report.motivation", "solutions", "source.path")

_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")

# What stands between hits that read as one.
_JOINS = re.compile(r"\s+|['\u2019./\\_-]|::")


class Fragment(NamedTuple):
    """A piece of shown text, and whether it is a hit, to be marked."""

    text: str
    hit: bool


class Excerpt(NamedTuple):
    """The dotted name of a document's field, and a piece of its text; both empty where there is nothing to show."""

    field: str
    fragments: tuple[Fragment, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """The tokens to mark: the `telling` ones, and the `common` ones where they stand beside a telling one.

    `prefix`, where it is not empty, stands for every token that begins with it.
    """

    telling: frozenset[str]
    common: frozenset[str] = frozenset()
    prefix: str = ""


class _Span(NamedTuple):
    start: int
    end: int


def excerpt(document: Mapping[str, Any], marks: Marks) -> Excerpt:
    """Return a piece of the field in which most of the tokens are; without any, what the document is about."""
    fields = [(field, text) for field, text in texts_of(document) if field not in _NOT_EXCERPTED and text.strip()]
    for field, text in _likeliest(fields, marks):
        piece = _as_shown(field, _surroundings(text, marks))
        if spans := _hits(piece, marks):
            return Excerpt(field, _fragments(piece, spans, _start(piece, spans), MAX_EXCERPT))
    texts = dict(reversed(fields))
    opening = next((field for field in _OPENINGS if field in texts), "")
    piece = _as_shown(opening, texts.get(opening, "")[: MAX_EXCERPT * 2])
    return Excerpt(opening, _fragments(piece, [], 0, MAX_EXCERPT))


def marked_title(title: str, marks: Marks) -> tuple[Fragment, ...]:
    """Return a title with the tokens marked; a very long one is cut."""
    piece = title[: MAX_TITLE * 2]
    return _fragments(piece, _hits(piece, marks), 0, MAX_TITLE)


def _likeliest(fields: list[tuple[str, str]], marks: Marks) -> Iterable[tuple[str, str]]:
    """Return the fields that seem to hold most of the tokens, best first; equals in the document's order."""
    scored = ((_score(field, text, marks), -position) for position, (field, text) in enumerate(fields))
    best = nlargest(_FIELDS_TRIED, (item for item in scored if item[0]))
    return [fields[-position] for _, position in best]


def _as_shown(field: str, text: str) -> str:
    """Return a field's text as people read it: prose without its Markdown."""
    return plain_text(text) if field.rpartition(".")[2] in _PROSE else text


def _score(field: str, text: str, marks: Marks) -> float:
    folded = fold(text)
    found = sum(len(token) for token in marks.telling if token in folded)
    return found * _LESS if field.endswith(_LESS_TELLING) else found


def _surroundings(text: str, marks: Marks) -> str:
    """Return a text or, of a long one, the part about the longest of the tokens in it."""
    if len(text) <= 2 * _REACH:
        return text
    folded = fold(text)
    places = (folded.find(token) for token in sorted(marks.telling, key=len, reverse=True))
    first = next((place for place in places if place >= 0), 0)
    return text[max(first - _REACH, 0) : first + _REACH]


def _hits(text: str, marks: Marks) -> list[_Span]:
    """Return where the tokens are; those with nothing but blanks between them are one hit."""
    hits: list[_Span] = []
    telling: list[bool] = []
    for start, end, tells in sorted(_found(text, marks)):
        if hits and (start <= hits[-1].end or _JOINS.fullmatch(text, hits[-1].end, start)):
            hits[-1] = _Span(hits[-1].start, max(end, hits[-1].end))
            telling[-1] |= tells
        else:
            hits.append(_Span(start, end))
            telling.append(tells)
    return [span for span, tells in zip(hits, telling, strict=True) if tells]


def _found(text: str, marks: Marks) -> Iterator[tuple[int, int, bool]]:
    for token in _tokens(text, marks):
        if token.text in marks.telling or (marks.prefix and token.text.startswith(marks.prefix)):
            yield token.start, token.end, True
        elif token.text in marks.common and token.kind != "part":
            yield token.start, token.end, False


def _tokens(text: str, marks: Marks) -> Iterator[Token]:
    """Yield the tokens of a text; of one in ASCII, only those of names that may have a hit, for these are few."""
    if not text.isascii():
        yield from tokenize(text)
        return
    wanted = [*marks.telling, marks.prefix] if marks.prefix else marks.telling
    for name in ASCII_NAME_RUN.finditer(text):
        folded = name[0].lower()
        if folded[:MAX_TOKEN_LENGTH] in marks.common or any(token in folded for token in wanted):
            start = name.start()
            for token in tokenize(name[0]):
                yield Token(token.text, start + token.start, start + token.end, token.kind)


def _fragments(text: str, spans: list[_Span], start: int, most: int) -> tuple[Fragment, ...]:
    """Cut a piece of at most so many characters out of a text, and that into hits and what is between them."""
    end = _word_end(text, start + most)
    pieces = [Fragment("\u2026", False)] if start else []
    pieces += (Fragment(_BLANKS.sub(" ", text[first:last]), hit) for first, last, hit in _cuts(spans, start, end))
    if end < len(text.rstrip()):
        pieces.append(Fragment("\u2026", False))
    return tuple(piece for piece in pieces if piece.text)


def _cuts(spans: list[_Span], start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    position = start
    for span in spans:
        if span.end > start and span.start < end:
            yield position, max(span.start, start), False
            yield max(span.start, start), min(span.end, end), True
            position = min(span.end, end)
    yield position, end, False


def _start(text: str, spans: list[_Span]) -> int:
    """Return where an excerpt begins: a little before the hit that has most of the others in its reach."""
    reach = MAX_EXCERPT - _LEAD
    best = max(spans, key=lambda span: sum(span.start <= other.start < span.start + reach for other in spans))
    if best.start <= _LEAD or len(text) <= MAX_EXCERPT:
        return 0
    blank = text.rfind(" ", best.start - _LEAD, best.start - _LEAD // 2)
    return blank + 1 if blank >= 0 else best.start - _LEAD


def _word_end(text: str, position: int) -> int:
    if position >= len(text):
        return len(text)
    blank = text.rfind(" ", position - _LEAD // 2, position)
    return blank if blank >= 0 else position
