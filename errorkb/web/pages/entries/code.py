"""Web pages: an entry's code: its examples, and what its solutions write."""

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.documents import EntryDocument
from errorkb.web.pages.facts import SHOWN_ITEMS
from errorkb.web.pages.fragments import CodeFragment, Fragments

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
