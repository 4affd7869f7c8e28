"""Core: names of others that a piece of Python code uses: not its own, not Python's, not those of other packages."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

from errorkb.core.word_checks.names import (
    Name,
    is_camel,
    is_placeholder,
    is_pythons,
    is_readers_module,
    is_snake,
    looks_like_code,
)

# As for outlines of files (core/source_checks/outlines.py); examples are shorter.
_MAX_CHARACTERS = 64 * 1024
_MAX_LINE = 4_000
_BY_STRING = ("getattr", "hasattr", "setattr", "delattr")
# An example may end where a block begins.
_ENDINGS = ("", "\n    pass", "\n        pass", "\n            pass")


@dataclass
class Bindings:
    """Names that code binds: by imports, with the path of what they stand for, as parameters, and else."""

    imports: dict[str, str] = field(default_factory=dict)
    parameters: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)

    def update(self, other: "Bindings") -> None:
        self.imports.update(other.imports)
        self.parameters |= other.parameters
        self.own |= other.own


def parse_code(code: str, *, is_whole: bool = False) -> ast.Module | None:
    """Return Python code as a tree, where it need not be whole also if it ends at the head of a block; else None."""
    if len(code) > _MAX_CHARACTERS or max(map(len, code.split("\n")), default=0) > _MAX_LINE:
        return None
    endings = _ENDINGS[:1] if is_whole else _ENDINGS
    return next(filter(None, (_parse(code + ending) for ending in endings)), None)


def bindings_of(tree: ast.Module) -> Bindings:
    """Return the names that code binds itself."""
    found = Bindings()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.imports.update(_imported(node))
        elif isinstance(node, ast.arg):
            found.parameters.add(node.arg)
        else:
            found.own.update(_bound(node))
    return found


def names_in_code(tree: ast.Module, bindings: Bindings, *, classes: bool) -> Iterator[Name]:
    """Yield the names of others that code uses.

    `bindings` are those of all code of the entry. Classes that nothing introduces are mostly the reader's own: only
    with `classes` are they among them.
    """
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import_names(node)
        elif isinstance(node, ast.Call):
            yield from _names_by_string(node, bindings)
        elif isinstance(node, ast.Attribute) and id(node) not in inner:
            inner |= _inner_attributes(node)
            yield from _attribute_name(node, bindings)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in inner:
            yield from _free_name(node.id, bindings, classes=classes)


def _parse(code: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
    else:
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module or ''}.{alias.name}"


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield node.id if isinstance(node, ast.Name) else node.attr
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names


def _import_names(node: ast.Import | ast.ImportFrom) -> Iterator[Name]:
    for _, path in _imported(node):
        parts = path.split(".")
        is_relative = isinstance(node, ast.ImportFrom) and node.level
        if is_relative or is_pythons(parts[0]) or any(map(is_placeholder, parts)):
            continue
        wanted = tuple((part,) for part in parts[1:] if part != "*")
        if wanted:
            yield Name(path, wanted, root=parts[0])


def _names_by_string(node: ast.Call, bindings: Bindings) -> Iterator[Name]:
    """Yield the attribute that `getattr(conn, "name")` asks for."""
    if not (isinstance(node.func, ast.Name) and node.func.id in _BY_STRING and len(node.args) > 1):
        return
    asked = node.args[1]
    if isinstance(asked, ast.Constant) and isinstance(asked.value, str) and asked.value.isidentifier():
        yield from _attributes(asked.value, [asked.value], node.args[0], bindings)


def _attribute_name(node: ast.Attribute, bindings: Bindings) -> Iterator[Name]:
    parts: list[str] = []
    base: ast.expr = node
    while isinstance(base, ast.Attribute):
        parts.append(base.attr)
        base = base.value
    parts.reverse()
    root = [base.id] if isinstance(base, ast.Name) else []
    yield from _attributes(".".join([*root, *parts]), parts, base, bindings)


def _attributes(text: str, parts: list[str], base: ast.expr, bindings: Bindings) -> Iterator[Name]:
    """Yield attributes of something that is not the code's own: of what it imports, of a parameter, of a free name."""
    if not isinstance(base, ast.Name):
        return
    root, imported = base.id, bindings.imports.get(base.id, "")
    if root in bindings.own or is_placeholder(root) or (not imported and is_pythons(root)):
        return
    used = [part for part in parts if _is_telling(part) and part not in bindings.own]
    if not used:
        return
    groups = tuple((part,) for part in used)
    if imported:
        first = imported.partition(".")[0]
        if first and not is_pythons(first):
            yield Name(text, groups, root=first)
    elif root in bindings.parameters:
        yield Name(text, groups)
    elif not is_readers_module(root):
        yield Name(text, groups, root=root)


def _is_telling(part: str) -> bool:
    return is_snake(part) and not is_pythons(part) and not is_placeholder(part)


def _free_name(name: str, bindings: Bindings, *, classes: bool) -> Iterator[Name]:
    is_bound = name in bindings.own or name in bindings.parameters or name in bindings.imports
    if not is_bound and looks_like_code(name) and (classes or not is_camel(name)):
        yield Name(name, ((name,),))


def _inner_attributes(node: ast.Attribute) -> set[int]:
    found, base = set(), node.value
    while isinstance(base, ast.Attribute):
        found.add(id(base))
        base = base.value
    return found | {id(base)}
