"""Core: the names that an entry's words speak of: prose, solutions and examples, read once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from errorkb.core.documents import EntryDocument
from errorkb.core.rendering import unfold_code
from errorkb.core.word_checks.code import Bindings, bindings_of, names_in_code, parse_code
from errorkb.core.word_checks.names import LONGEST_NAME, Name
from errorkb.core.word_checks.prose import names_in_command, names_in_sentence, names_in_span, prose_parts

# Bounds on what one document can ask for.
MOST_NAMES = 500
_MAX_CHARACTERS = 512 * 1024
_MAX_PIECES = 400
_PYTHON = ("python", "py", "python3", "")
_SHELL = ("bash", "sh", "shell", "console", "text", "zsh")


@dataclass
class _Pieces:
    """An entry's words taken apart, by how each is read."""

    sentences: list[str] = field(default_factory=list)
    # Each with the sentence around it.
    spans: list[tuple[str, str]] = field(default_factory=list)
    code: list[tuple[str, str]] = field(default_factory=list)


def names_in_words(document: EntryDocument) -> tuple[Name, ...]:
    """Return the names of code that an entry's words use and that may be the source's own, each once, in order.

    Names that the words introduce themselves, that are Python's, or that are imported from another package are none.
    """
    pieces = _pieces(document)
    own = _own_roots(document)
    found = {name.text: name for name in islice(_names(pieces, own), MOST_NAMES) if len(name.text) <= LONGEST_NAME}
    return tuple(found.values())


def _pieces(document: EntryDocument) -> _Pieces:
    pieces, left = _Pieces(), _MAX_CHARACTERS
    for markdown in islice(_prose(document), _MAX_PIECES):
        parts = prose_parts(markdown[:left])
        left -= min(left, len(markdown))
        pieces.sentences += parts.sentences
        pieces.spans += parts.spans
        pieces.code += parts.fences
    for language, code in islice(_code(document), _MAX_PIECES):
        pieces.code.append((language.lower(), unfold_code(code[:left])))
        left -= min(left, len(code))
    return pieces


def _prose(document: EntryDocument) -> Iterator[str]:
    yield from filter(None, (document.meaning, document.trigger, document.common_situations))
    for solution in document.solutions or []:
        yield solution if isinstance(solution, str) else solution.text


def _code(document: EntryDocument) -> Iterator[tuple[str, str]]:
    language = (document.source and document.source.language) or ""
    for solution in document.solutions or []:
        if not isinstance(solution, str) and solution.code:
            yield language, solution.code
    for example in document.examples or []:
        yield example.language or language, example.code


def _own_roots(document: EntryDocument) -> frozenset[str]:
    """Return what the programs of a repository begin with: its name, and that of its package."""
    package = ((document.source and document.source.package) or "").partition("@")[0].rpartition("/")[2]
    names = (document.repository.rpartition("/")[2].lower(), package.lower())
    return frozenset(part for name in names for part in (name, name.replace("-", "_")) if part)


def _names(pieces: _Pieces, own: frozenset[str]) -> Iterator[Name]:
    trees = [parse_code(code) for language, code in pieces.code if language in _PYTHON]
    spans = {span: parse_code(span, is_whole=True) for span, _ in pieces.spans if " " in span or "(" in span}
    bindings = Bindings()
    for parsed in filter(None, (*trees, *spans.values())):
        bindings.update(bindings_of(parsed))
    yield from _unbound(_prose_names(pieces), bindings)
    for span, tree in spans.items():
        yield from names_in_code(tree, bindings, classes=True) if tree else names_in_command(span, own)
    for parsed in filter(None, trees):
        yield from names_in_code(parsed, bindings, classes=False)
    for language, code in pieces.code:
        yield from names_in_command(code, own) if language in _SHELL else ()


def _prose_names(pieces: _Pieces) -> Iterator[Name]:
    for span, sentence in pieces.spans:
        yield from names_in_span(span, sentence)
    for sentence in pieces.sentences:
        yield from names_in_sentence(sentence)


def _unbound(names: Iterable[Name], bindings: Bindings) -> Iterator[Name]:
    """Yield names that no code of the entry introduces or imports."""
    known = bindings.own | bindings.parameters | bindings.imports.keys()
    return (name for name in names if name.text.partition(".")[0] not in known)
