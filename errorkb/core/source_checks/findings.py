"""Core: what in an entry does not agree with the source at its pin, each as a sentence."""

import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from errorkb.core.documents import EntryDocument
from errorkb.core.source_checks.outlines import Outline, Statement, outline
from errorkb.core.source_checks.snippets import check_snippet, shown_line
from errorkb.core.source_checks.wordings import Runs, foreign_text, holds, may_be_assembled, message_runs

# Never thrown by an operator, a subscript or an import; what else is built in may be.
_NEVER_IMPLICIT = ("NotImplementedError", "AssertionError")
# Other names of built-in types: https://docs.python.org/3/library/exceptions.html#OSError
_SAME_TYPES = {"IOError": "OSError", "EnvironmentError": "OSError", "WindowsError": "OSError"}
_PYTHON_NAMES = ("python", "py", "python3")
_THROWS = {"warning": "the warning", "assertion": "the assertion", "log": "the log call"}


@dataclass(frozen=True)
class Findings:
    """What was found: the throw site's first and last line (None where the line is surely wrong), and the sentences."""

    statement: tuple[int, int] | None
    disagreements: tuple[str, ...]


@dataclass(frozen=True)
class _Site:
    """An entry's throw site in the file that it names."""

    document: EntryDocument
    line: int
    lines: tuple[str, ...]
    place: str
    outline: Outline | None
    runs: tuple[Runs, ...]

    @property
    def statement(self) -> Statement | None:
        return self.outline.by_line.get(self.line) if self.outline else None

    @property
    def wanted(self) -> str:
        """Return the exception type's last name: `FieldDoesNotExist`."""
        return (self.document.exception_type or "").rpartition(".")[2]

    @property
    def throw(self) -> str:
        kind = _THROWS.get(self.document.kind or "", "the throw" if self.wanted else "the site of an error")
        return f"{kind} of {self.document.exception_type}" if self.wanted else kind


def check_source(document: EntryDocument, lines: tuple[str, ...], *, origin: str) -> Findings:
    """Compare an entry's site, symbol, message and snippet with the lines of the file at its pin.

    `origin` says for the sentences where the lines were read: "Django 5.2.19 as installed". Only what is surely
    wrong is found: in other languages than Python, lines and snippets only.
    """
    source = document.source
    if source is None:
        return Findings(None, ())
    place = f"{source.path} ({origin})"
    snippet = check_snippet(source.snippet, lines) if source.snippet else ""
    told = (f"{place}: {snippet}",) if snippet else ()
    if source.line is None:
        return Findings(None, told)
    site = _Site(document, source.line, lines, place, _outline_of(document, lines), message_runs(document))
    wrong = _wrong_line(site)
    if wrong:
        return Findings(None, (wrong, *told))
    return Findings(_extent(site, source.end_line), (*_wrong_symbol(site), *_wrong_message(site), *told))


def _outline_of(document: EntryDocument, lines: tuple[str, ...]) -> Outline | None:
    source = document.source
    path, language = (source.path or "", source.language or "") if source else ("", "")
    is_python = language.lower() in _PYTHON_NAMES if language else path.endswith((".py", ".pyi"))
    return outline(lines) if is_python else None


def _extent(site: _Site, end_line: int | None) -> tuple[int, int]:
    first, last = (site.statement.line, site.statement.end_line) if site.statement else (site.line, site.line)
    return max(first, site.line - 20), max(last, site.line, min(end_line or 0, len(site.lines)))


def _wrong_line(site: _Site) -> str:
    """Say why the site's line is surely not the throw; empty where it may be."""
    if site.line > len(site.lines):
        return f"{site.place} ends at line {len(site.lines)}, before line {site.line}, {site.throw}"
    text = site.lines[site.line - 1]
    if not text.strip():
        return f"line {site.line} of {site.place} is blank, not {site.throw}{_hint(site)}"
    if site.outline is None or _may_throw(site, site.outline):
        return ""
    return f"line {site.line} of {site.place} reads {shown_line(text)}, not {site.throw}{_hint(site)}"


def _may_throw(site: _Site, outline: Outline) -> bool:
    statement = site.statement
    if statement is None:
        return False
    if statement.form == "Raise":
        return not _raises_another(statement, site.wanted, outline)
    if statement.form == "Assert" and site.wanted in ("", "AssertionError"):
        return True
    if not site.wanted and holds(statement, site.runs):
        return True
    if not (statement.acts or (statement.computes and _is_implicit(site.wanted))):
        return False
    says_it = statement.speaks and site.document.kind in ("warning", "log")
    return says_it or not _throws_elsewhere(site)


def _raises_another(statement: Statement, wanted: str, outline: Outline) -> bool:
    """Tell whether a `raise` surely names another class than the entry's exception type."""
    if not wanted or not statement.raised or statement.raised in outline.assigned:
        return False
    named = {outline.import_names.get(name, name) for name in statement.names} | statement.names
    return _SAME_TYPES.get(wanted, wanted) not in named | {_SAME_TYPES.get(name, name) for name in named}


def _is_implicit(wanted: str) -> bool:
    """Tell whether the interpreter itself throws this type, at lines that do not say so."""
    known = getattr(builtins, wanted, None)
    return isinstance(known, type) and issubclass(known, BaseException) and wanted not in _NEVER_IMPLICIT


def _throws_elsewhere(site: _Site) -> tuple[Statement, ...]:
    """Return the other statements that throw the entry's type with its message in so many words."""
    if site.outline is None or not site.runs:
        return ()
    throws = (other for other in site.outline.statements if other.throws and other is not site.statement)
    return tuple(other for other in throws if _names(other, site.wanted) and holds(other, site.runs))


def _names(statement: Statement, wanted: str) -> bool:
    return wanted in ("", *statement.names) or (wanted == "AssertionError" and statement.form == "Assert")


def _hint(site: _Site) -> str:
    found = _throws_elsewhere(site)
    return f"; its message is at line {_nearest(found, site.line)}" if found else ""


def _nearest(found: tuple[Statement, ...], line: int) -> int:
    return min((other.line for other in found), key=lambda other: abs(other - line))


def _wrong_symbol(site: _Site) -> Iterator[str]:
    source, statement = site.document.source, site.statement
    if source is None or source.symbol is None or statement is None:
        return
    stated = ".".join(name for name in source.symbol.split(".") if not name.startswith("<"))
    if stated not in statement.symbols:
        actual = f"`{statement.symbols[0]}`" if statement.symbols[0] else "empty (module level)"
        yield f"{site.place}: the symbol at line {site.line} is {actual} in the source, not `{source.symbol}`"


def _wrong_message(site: _Site) -> Iterator[str]:
    """Say that the message is not the statement's, where its literals hold a text and the message may not be built."""
    statement = site.statement
    if site.outline is None or statement is None or not site.runs or holds(statement, site.runs):
        return
    hint = _hint(site)
    text = foreign_text(statement, site.document, single_words=bool(hint))
    if text and not may_be_assembled(statement, site.runs, site.outline):
        told = f"{site.place}: the message does not occur near line {site.line}, which has {shown_line(text)}"
        yield told + hint
