"""Web pages: which leaves of an entry are prose, and which are code."""

from collections.abc import Iterator

from errorkb.core.documents import EntryDocument, Solution
from errorkb.web.pages.facts import SHOWN_ITEMS
from errorkb.web.pages.fragments import Written

_PROSE = ("meaning", "trigger", "common_situations")


def written_in_entry(document: EntryDocument) -> Written:
    """Return the prose and code of an entry; its snippet is shown as an excerpt."""
    snippet = document.source and document.source.snippet
    excerpted = (("source.snippet.code", snippet.code),) if snippet else ()
    return Written(tuple(_prose(document)), tuple(_code(document)), excerpted)


def _solutions(document: EntryDocument) -> Iterator[tuple[str, str | Solution]]:
    for number, solution in enumerate((document.solutions or [])[:SHOWN_ITEMS]):
        yield f"solutions[{number}]", solution


def _prose(document: EntryDocument) -> Iterator[tuple[str, str]]:
    yield from ((name, text) for name in _PROSE if (text := getattr(document, name)))
    for name, solution in _solutions(document):
        if isinstance(solution, str):
            yield name, solution
        else:
            yield f"{name}.text", solution.text
    for number, slot in enumerate((document.slots or [])[:SHOWN_ITEMS]):
        if slot.meaning:
            yield f"slots[{number}].meaning", slot.meaning


def _code(document: EntryDocument) -> Iterator[tuple[str, str, str]]:
    language = (document.source and document.source.language) or ""
    for name, solution in _solutions(document):
        if isinstance(solution, Solution) and solution.code:
            yield f"{name}.code", solution.code, language
    for number, example in enumerate((document.examples or [])[:SHOWN_ITEMS]):
        yield f"examples[{number}].code", example.code, example.language or language
