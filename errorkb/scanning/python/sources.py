"""Scanning, Python: one blob as text, lines and syntax tree, with what can hold no throw site left out of the tree."""

import ast
import gc
import io
import re
import tokenize
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from errorkb.scanning.python.thinning import thinned
from errorkb.scanning.python.words import call_offsets, lines_at, statement_offsets

# Nobody writes such a file by hand; its syntax tree would need up to 350 times its size in memory.
MOST_BYTES = 1_000_000
MOST_FIELDS = 20_000
MOST_EXPRESSION = 160

_NOT_ON_ONE_LINE = ("#", "\\", '"""', "'''")
_FSTRING = re.compile(r"""[fF][rR]?["']""")


Function = ast.FunctionDef | ast.AsyncFunctionDef


class SourceError(ValueError):
    """A blob that cannot be read as Python; `line` is 0 where the whole file is meant."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


class Source:
    """A parsed file: its lines as the parser counts them, its tree, and the lines that hold a word of a throw site.

    Functions are in the tree with what their sites need alone, until `complete` is asked for them.
    """

    __slots__ = ("_call_lines", "_left_out", "_throw_lines", "lines", "text", "tree")

    def __init__(self, blob: bytes) -> None:
        """Parse a blob. Raises SourceError saying why it can't be."""
        self.text = _decoded(blob)
        self.lines = self.text.split("\n")
        _refuse_endless_fstrings(self.lines)
        calls = call_offsets(self.text)
        throw_words = sorted(calls + statement_offsets(self.text))
        self._throw_lines = lines_at(throw_words, self.text)
        self._call_lines = lines_at(calls, self.text)
        self.tree, self._left_out = _parsed_thinly(self.text, throw_words)

    def complete(self, function: Function) -> None:
        """Give a function of the tree what was left out of it. Raises SourceError where that does not parse."""
        last = self._left_out.pop(function.lineno, None)
        if last is None:
            return
        whole = _function_of(self.lines[function.lineno - 1 : last])
        ast.increment_lineno(whole, function.lineno - 2)
        function.args, function.body, function.end_lineno = whole.args, whole.body, whole.end_lineno

    def may_throw(self, node: ast.stmt) -> bool:
        """Return whether a throw word stands in the node's lines."""
        return _any_between(self._throw_lines, node)

    def may_call(self, node: ast.stmt | ast.expr) -> bool:
        """Return whether the name of a call that is a site, or that leads to one, stands in the node's lines."""
        return _any_between(self._call_lines, node)

    def expression(self, node: ast.AST, *, inside_string: bool = False) -> str:
        """Return an expression on one line, cut where it is long.

        Inside f-strings the parser's columns are not to be trusted, so there the text is made anew.
        """
        name = dotted_name(node)
        if name:
            return ".".join(name)
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        if first == last and not inside_string:
            return _cut(self._slice(node))
        if last - first > 40 or (first and self._size(first, last) > 8000):
            return "…"
        lines = [] if inside_string else self._lines_of(node, first, last)
        return _cut(_on_one_line(lines) if lines else _unparsed(node))

    def _lines_of(self, node: ast.AST, first: int, last: int) -> list[str]:
        """Return an expression's lines; none where they hold what cannot be put on one line as it is."""
        lines = self.lines[first - 1 : last]
        if not all(line.isascii() for line in lines):
            return []
        lines[-1] = lines[-1][: node.end_col_offset]  # type: ignore[attr-defined]
        lines[0] = lines[0][node.col_offset :]  # type: ignore[attr-defined]
        whole = any(mark in line for line in lines for mark in _NOT_ON_ONE_LINE)
        return [] if whole else lines

    def _slice(self, node: ast.AST) -> str:
        line, start, end = self.lines[node.lineno - 1], node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
        if line.isascii():
            return line[start:end]
        return line.encode()[start:end].decode(errors="ignore")

    def _size(self, first: int, last: int) -> int:
        return sum(map(len, self.lines[first - 1 : last]))


def dotted_name(node: ast.AST) -> tuple[str, ...] | None:
    """Return the names of `a.b.c`, or None for any other expression."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or len(names) > 20:
        return None
    names.append(node.id)
    return tuple(reversed(names))


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the garbage collector from walking syntax trees, which hold no cycles: a fifth of the time of parsing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _decoded(blob: bytes) -> str:
    """Decode by byte order mark and coding cookie (PEP 263), line ends made one."""
    if len(blob) > MOST_BYTES:
        raise SourceError(f"the file has {len(blob):,} bytes, more than {MOST_BYTES:,}")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(blob).readline)
        text = blob.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError, ValueError) as error:
        raise SourceError(f"the file cannot be decoded: {error}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _refuse_endless_fstrings(lines: list[str]) -> None:
    """Refuse what CPython 3.11 needs minutes for: its time for an f-string grows with the square of its fields."""
    if max(map(len, lines)) <= MOST_FIELDS:
        return
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_FIELDS and line.count("{") > MOST_FIELDS and _FSTRING.search(line):
            raise SourceError(f"the line has an f-string of more than {MOST_FIELDS:,} fields", number)


def _parsed_thinly(text: str, throw_words: list[int]) -> tuple[ast.Module, dict[int, int]]:
    """Return the tree of what can hold sites, and the lines of the functions that are left out of it."""
    thin = thinned(text, throw_words)
    if thin.left_out:
        with suppress(SourceError):
            return _parsed(thin.text), thin.left_out
    return _parsed(text), {}


def _parsed(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise SourceError(f"the file does not parse: {error.msg}", error.lineno or 0) from None
    except (RecursionError, MemoryError):
        raise SourceError("the file is nested too deeply to be parsed") from None
    except ValueError as error:
        raise SourceError(f"the file does not parse: {error}") from None


def _function_of(lines: list[str]) -> Function:
    """Parse a function by itself, on line 2: below a line that takes the function's indentation, whatever it is."""
    indented = lines[0].startswith(" ")
    top: ast.stmt = _parsed("\n".join(["if 1:" if indented else "", *lines])).body[0]
    function = top.body[0] if isinstance(top, ast.If) else top
    if not isinstance(function, Function):
        raise SourceError("the file does not parse: no function where one was")
    return function


def _any_between(lines: list[int], node: ast.stmt | ast.expr) -> bool:
    at = bisect_left(lines, node.lineno)
    return at < len(lines) and lines[at] <= (node.end_lineno or node.lineno)


def _on_one_line(lines: list[str]) -> str:
    text = ""
    for line in filter(None, map(str.strip, lines)):
        if line[0] in ")]}":
            text = text.removesuffix(",") + line
        else:
            text += line if not text or text[-1] in "([{." or line[0] == "." else f" {line}"
    return text


def _unparsed(node: ast.AST) -> str:
    try:
        return " ".join(ast.unparse(node).split())
    except (RecursionError, ValueError):
        return "…"


def _cut(text: str) -> str:
    return text if len(text) <= MOST_EXPRESSION else text[: MOST_EXPRESSION - 1] + "…"
