"""Web pages: an entry's code, which is the excerpt around its throw site and its examples."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.documents import EntryDocument
from errorkb.models.served import PinnedPlace
from errorkb.web.pages.excerpts import Excerpt
from errorkb.web.pages.facts import SHOWN_ITEMS
from errorkb.web.pages.fragments import CodeFragment, Fragments
from errorkb.web.pages.links import Link, outside
from errorkb.web.pages.texts import joined

_LANGUAGES = {"": "code", "py": "Python", "python": "Python", "python3": "Python", "json": "JSON"}


@dataclass(frozen=True)
class CodeBlock:
    """A piece of code with its caption; `anchor` is the id that the copy button names."""

    anchor: str
    html: SafeString
    name: str = ""
    caption: str = ""
    language: str = ""
    problem: str = ""


@dataclass(frozen=True)
class ShownExcerpt:
    """The excerpt's two columns, and how many of its lines are shown before a click."""

    numbers: SafeString
    listing: SafeString
    line_count: int
    near_count: int

    @property
    def has_far_lines(self) -> bool:
        return self.near_count < self.line_count


@dataclass(frozen=True)
class SourceSection:
    """Where an error is thrown, with the lines around it where they are known."""

    place: str
    symbol: str
    link: Link | None
    excerpt: ShownExcerpt | None
    notes: tuple[str, ...]


def source_section(
    document: EntryDocument, place: PinnedPlace, fragments: Fragments, filled: Mapping[str, Any]
) -> SourceSection | None:
    """Return the section on an entry's source, or None where the entry states nothing about it."""
    if document.source is None:
        return None
    return SourceSection(
        place=place_in_words(place),
        symbol=place.symbol,
        link=outside(f"View at {place.pin}", place.url) if place.url else None,
        excerpt=_shown(fragments.excerpt) if fragments.excerpt else None,
        notes=tuple(_notes(document, fragments.excerpt, filled)),
    )


def place_in_words(place: PinnedPlace) -> str:
    """Return `path:line`, or as much of it as is known."""
    return joined((place.path, str(place.line) if place.line else ""), ":")


def example_blocks(document: EntryDocument, fragments: Fragments) -> tuple[CodeBlock, ...]:
    """Return an entry's examples, each with its purpose, its caption and what keeps it from parsing."""
    return tuple(
        code_block(
            fragments.code[f"examples[{number}].code"],
            f"example-{number + 1}",
            name=example.purpose or "",
            caption=example.caption or "",
            language=example.language or "",
        )
        for number, example in enumerate((document.examples or [])[:SHOWN_ITEMS])
    )


def code_block(
    fragment: CodeFragment, anchor: str, *, name: str = "", caption: str = "", language: str = ""
) -> CodeBlock:
    """Return a rendered piece of code with its caption."""
    known_as = _LANGUAGES.get(language.lower(), language)
    problem = f"does not parse as {known_as}: {fragment.problem}" if fragment.problem else ""
    return CodeBlock(anchor, mark_safe(fragment.html), name, caption, language, problem)


def _shown(excerpt: Excerpt) -> ShownExcerpt:
    return ShownExcerpt(
        numbers=mark_safe(excerpt.numbers),
        listing=mark_safe(excerpt.listing),
        line_count=excerpt.line_count,
        near_count=excerpt.near_count,
    )


def _notes(document: EntryDocument, excerpt: Excerpt | None, filled: Mapping[str, Any]) -> Iterator[str]:
    source = document.source
    if excerpt is None:
        yield "The lines around it are not recorded here."
    elif not (source and source.snippet):
        yield "These lines were read from a copy of the source when the entry was loaded."
    yield from map(str, filled.get("disagreements") or ())
