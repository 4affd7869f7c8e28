"""Scanning, Python: one blob as text, lines and syntax tree, and the words that a throw site cannot be without."""

import ast
import gc
import io
import re
import tokenize
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager

# Nobody writes such a file by hand; its syntax tree would need up to 350 times its size in memory.
MOST_BYTES = 1_000_000
MOST_FIELDS = 20_000
MOST_EXPRESSION = 160

# What a call that is a site, or that reaches a site in a helper, has in its name, and what follows in a call.
# Finding words one by one is ten times as fast as one regular expression of them all. Quantifiers are bounded: a
# line of a million letters must not be tried from every letter on to its end.
_CALL_WORDS = (
    "error", "exception", "critical", "fatal", "warn", "exit", "raise", "fail", "abort", "throw", "die", "invalid",
    "unsupported", "not_found",
)  # fmt: skip
_CALLED = re.compile(r"\w{0,40}\s{0,9}\(")
_NOT_ON_ONE_LINE = ("#", "\\", '"""', "'''")
_FSTRING = re.compile(r"""[fF][rR]?["']""")
_CHECK_ID = re.compile(r"id\s{0,9}=")
_SITE_WORD = re.compile(rb"(?:error|exception|critical|fatal|warn|exit)\w{0,40}\s{0,9}\(|\bid\s{0,9}=")
# A file without a site may still hold what sites elsewhere say: exception classes, constants with messages.
_OFFER_WORD = re.compile(
    rb"class\s[^\n:]{0,200}(?:Error|Exception|Warning|Exit|Interrupt|Fault|Failure)\b"
    rb"|^\s{0,9}\w{0,60}(?:MSG|MESSAGE|ERR|WARN)\w{0,60}\s{0,9}(?::[^=\n]{0,60})?=",
    re.MULTILINE,
)


class SourceError(ValueError):
    """A blob that cannot be read as Python; `line` is 0 where the whole file is meant."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


class Source:
    """A parsed file: its lines as the parser counts them, its tree, and the lines that hold a word of a throw site."""

    __slots__ = ("_call_lines", "_throw_lines", "lines", "text", "tree")

    def __init__(self, blob: bytes) -> None:
        """Parse a blob. Raises SourceError saying why it can't be."""
        self.text = _decoded(blob)
        self.lines = self.text.split("\n")
        _refuse_endless_fstrings(self.lines)
        self.tree = _parsed(self.text)
        calls = _calls_in(self.text)
        statements = [*offsets_of("raise", self.text), *offsets_of("assert", self.text)]
        self._throw_lines = _lines_at(sorted(calls + statements), self.text)
        self._call_lines = _lines_at(calls, self.text)

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


def may_hold_site(blob: bytes) -> bool:
    """Return False for a blob that neither holds a throw site nor anything that sites elsewhere could need."""
    if b"raise" in blob or b"assert" in blob:
        return True
    return bool(_SITE_WORD.search(blob) or _OFFER_WORD.search(blob))


def offsets_of(word: str, text: str) -> Iterator[int]:
    """Yield where a word stands in a text."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


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


def _calls_in(text: str) -> list[int]:
    """Return where a word of a call stands in a name that is called, or a check's id is given."""
    called = [at for word in _CALL_WORDS for at in offsets_of(word, text) if _CALLED.match(text, at)]
    ids = [at for at in offsets_of("id", text) if _CHECK_ID.match(text, at)]
    return sorted(called + ids)


def _lines_at(offsets: list[int], text: str) -> list[int]:
    """Return the lines of offsets, in their order."""
    lines = []
    line, position = 1, 0
    for offset in offsets:
        line += text.count("\n", position, offset)
        position = offset
        lines.append(line)
    return lines


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
