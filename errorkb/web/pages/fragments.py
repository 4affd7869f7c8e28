"""Web pages: the HTML of a document's prose and code, each piece by the dotted name of its leaf."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from pydantic import BaseModel

from errorkb.core.rendering import parse_problem, render_code, render_markdown, unfold_code
from errorkb.web.pages.excerpts import Excerpt

_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Written:
    """What a document says in prose and in code: (name, text), and (name, code, language).

    `excerpted` is code that the page shows as an excerpt: (name, code).
    """

    prose: tuple[tuple[str, str], ...]
    code: tuple[tuple[str, str, str], ...]
    excerpted: tuple[tuple[str, str], ...] = ()

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the name and text of all of it."""
        yield from self.prose
        yield from self.codes()

    def codes(self) -> Iterator[tuple[str, str]]:
        """Yield the name and text of what is code."""
        yield from ((name, code) for name, code, _ in self.code)
        yield from self.excerpted


class CodeFragment(BaseModel):
    """A piece of code as HTML, and what keeps it from parsing, in words."""

    html: str
    problem: str | None


class Fragments(BaseModel):
    """Everything of a page that costs time to make.

    `unlike` names the leaves that the HTML does not say word for word: marks of Markdown, code that was folded.
    `excerpt` is of the newest release that is known; `earlier` of the one that the document was written for, where
    that is another.
    """

    prose: dict[str, str]
    code: dict[str, CodeFragment]
    unlike: frozenset[str]
    excerpt: Excerpt | None = None
    earlier: Excerpt | None = None


def render_fragments(written: Written, *, excerpt: Excerpt | None = None, earlier: Excerpt | None = None) -> Fragments:
    """Return the fragments of a document's page."""
    prose = {name: render_markdown(text) for name, text in written.prose}
    unlike = [name for name, text in written.prose if _folded(text) not in _folded(_text_of(prose[name]))]
    unlike += [name for name, code in written.codes() if unfold_code(code) != code]
    return Fragments(
        prose=prose,
        code={name: _render_code(code, language) for name, code, language in written.code},
        unlike=frozenset(unlike),
        excerpt=excerpt,
        earlier=earlier,
    )


def _render_code(code: str, language: str) -> CodeFragment:
    unfolded = unfold_code(code)
    return CodeFragment(html=render_code(unfolded, language), problem=parse_problem(unfolded, language))


def _text_of(html: str) -> str:
    return unescape(_TAG.sub("", html))


def _folded(text: str) -> str:
    """Return a text with runs of white space as one space, which is how a browser shows it."""
    return " ".join(text.split())
