"""Core: Python source as an outline: which statement stands on a line, what it raises, and in which function."""

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

# An outline takes up to a thousand times a file's size in memory, and Python 3.11 parses f-strings in time quadratic
# in the fields of a line. What people write is smaller.
_MAX_CHARACTERS = 512 * 1024
_MAX_LINE = 20_000
_MAX_SYMBOL = 600
# What holds statements of its own, so that its header is read apart from them.
_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_ACTS = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)
# Statements and parts that run nothing, and so throw nothing.
_BUSY = (ast.Import, ast.ImportFrom, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Delete)
_INERT = (ast.Constant, ast.Name, ast.expr_context, ast.arguments, ast.arg)
# `ImproperlyConfigured`, unlike `self.error`, `ERROR` or `exc`, is surely the name of a class.
_CLASS_NAME = re.compile(r"_*[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")
# Calls that warn or log: https://docs.python.org/3/library/logging.html#logger-objects
_SPEAKERS = frozenset(
    ("warn", "warn_explicit", "warning", "error", "critical", "fatal", "exception", "log", "debug", "info")
)
# Stands where an f-string has a replacement field.
SLOT = "\0"


@dataclass(frozen=True)
class Statement:
    """A statement, without the statements inside it.

    `symbols` are the names that the place goes by, the usual one first; `raised` is the class that a `raise` surely
    names; `texts` are its string literals in order, cut at the fields of f-strings; `acts` says that it calls
    something, `computes` that it does more than pass names and constants on.
    """

    line: int
    end_line: int
    symbols: tuple[str, ...]
    form: str
    raised: str
    names: frozenset[str]
    texts: tuple[str, ...]
    acts: bool
    computes: bool
    speaks: bool

    @property
    def throws(self) -> bool:
        """Tell whether it raises, asserts, warns or logs in so many words."""
        return self.form in ("Raise", "Assert") or self.speaks


@dataclass(frozen=True)
class Outline:
    """A file's statements in order, the one on each line, and what its names stand for."""

    statements: tuple[Statement, ...]
    by_line: Mapping[int, Statement]
    import_names: Mapping[str, str]
    assigned: frozenset[str]


@dataclass(frozen=True)
class _Scope:
    prefix: str
    symbols: tuple[str, ...]

    def enter(self, node: ast.AST) -> "_Scope":
        """Return the scope of a node's body: its own where it is a function or a class."""
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return self
        name = f"{self.prefix}.{node.name}".lstrip(".")[:_MAX_SYMBOL]
        outer = self.symbols[:3] if isinstance(node, ast.ClassDef) else ()
        return _Scope(name, (name, *outer))


@lru_cache(maxsize=4)
def outline(lines: tuple[str, ...]) -> Outline | None:
    """Return the outline of a Python file, or None where it is too large or does not parse with this Python."""
    is_small = sum(map(len, lines)) + len(lines) <= _MAX_CHARACTERS and max(map(len, lines), default=0) <= _MAX_LINE
    tree = _parse("\n".join(lines)) if is_small else None
    if tree is None:
        return None
    statements = tuple(_statements(tree))
    return Outline(statements, _by_line(statements), _import_names(tree), _assigned(tree))


def _parse(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            # An invalid escape in somebody's source is nothing to tell our reader.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _statements(tree: ast.Module) -> Iterator[Statement]:
    waiting: list[tuple[ast.AST, _Scope]] = [(tree, _Scope("", ("",)))]
    while waiting:
        node, scope = waiting.pop()
        inner = scope.enter(node)
        if isinstance(node, ast.stmt):
            header = scope if inner is scope else _Scope(scope.prefix, (*scope.symbols, inner.prefix))
            yield _statement(node, header.symbols)
        waiting += [(child, inner) for child in reversed(_children(node)) if isinstance(child, _BLOCKS)]


def _children(node: ast.AST) -> list[ast.AST]:
    return list(ast.iter_child_nodes(node))


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what a statement is made of in source order, without the statements of its body."""
    waiting = _own_children(statement)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += _own_children(node)


def _own_children(node: ast.AST) -> list[ast.AST]:
    return [child for child in reversed(_children(node)) if not isinstance(child, _BLOCKS)]


def _statement(node: ast.stmt, symbols: tuple[str, ...]) -> Statement:
    nodes = list(_own_nodes(node))
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", ())
    is_block = hasattr(node, "body") or hasattr(node, "cases")
    return Statement(
        line=min([node.lineno, *(decorator.lineno for decorator in decorators)]),
        end_line=_header_end(node, nodes) if is_block else node.end_lineno or node.lineno,
        symbols=symbols,
        form=type(node).__name__,
        raised=_class_raised(node.exc) if isinstance(node, ast.Raise) else "",
        names=frozenset(_names(nodes)),
        texts=tuple(_texts(nodes)),
        acts=bool(decorators) or any(isinstance(part, _ACTS) for part in nodes),
        computes=isinstance(node, _BUSY) or any(not isinstance(part, _INERT) for part in nodes),
        speaks=any(isinstance(part, ast.Call) and _last_name(part.func) in _SPEAKERS for part in nodes),
    )


def _header_end(node: ast.stmt, nodes: list[ast.AST]) -> int:
    return max([node.lineno, *(getattr(part, "end_lineno", None) or 0 for part in nodes)])


def _names(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute):
            yield _last_name(node)


def _texts(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.FormattedValue):
            yield SLOT
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _last_name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _class_raised(raised: ast.expr | None) -> str:
    """Return the class that a `raise` names, called or not; empty where it might be anything else."""
    named = raised.func if isinstance(raised, ast.Call) else raised
    name = _last_name(named) if named is not None else ""
    root: ast.expr | None = named
    while isinstance(root, ast.Attribute):
        root = root.value
    is_sure = isinstance(root, ast.Name) and root.id not in ("self", "cls") and _CLASS_NAME.fullmatch(name)
    return name if is_sure else ""


def _by_line(statements: tuple[Statement, ...]) -> dict[int, Statement]:
    """Return the statement of each line: the innermost, and of several on one line the one that throws."""
    found: dict[int, Statement] = {}
    for statement in statements:
        for line in range(statement.line, statement.end_line + 1):
            earlier = found.get(line)
            if earlier is None or not earlier.throws or statement.form in ("Raise", "Assert"):
                found[line] = statement
    return found


def _import_names(tree: ast.Module) -> dict[str, str]:
    """Return the names of imports where they come from: `from json import loads as read` gives read: loads."""
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return {alias.asname or alias.name: alias.name.rpartition(".")[2] for node in imports for alias in node.names}


def _assigned(tree: ast.Module) -> frozenset[str]:
    """Return the names that are bound otherwise than by `import`, `def` and `class`."""
    nodes = list(ast.walk(tree))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return frozenset(stored | {node.arg for node in nodes if isinstance(node, ast.arg)})
