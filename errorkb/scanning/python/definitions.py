"""Scanning, Python: which assignments to a local reach a place in its function."""

import ast
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import NamedTuple

from errorkb.scanning.python.blocks import Block, Blocks

MOST_DEFINITIONS = 64
MOST_REACHING = 16


class Definition(NamedTuple):
    """What a name is bound to at a place.

    Kinds: `value` (an expression), `added` (`+=`), `filled` (`%=`), `caught` (by `except`), `defined`, `other`.
    """

    block: Block
    at: int
    kind: str
    value: ast.expr | None
    node: ast.AST


class Definitions:
    """All bindings of names in one function, by name, in the order of the source; nested functions left out."""

    __slots__ = ("_blocks", "_by_name")

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._by_name: dict[str, list[Definition]] = {}
        waiting = [blocks.root]
        while waiting:
            block = waiting.pop()
            self._bind_head(block)
            for index, statement in enumerate(block.statements):
                self._bind(statement, block, index)
                waiting += blocks.below(statement, block, index)
        for found in self._by_name.values():
            found.sort(key=_place)

    def of(self, name: str) -> list[Definition]:
        """Return all definitions of a name."""
        return self._by_name.get(name, [])

    def reaching(self, name: str, block: Block, index: int) -> tuple[list[Definition], bool]:
        """Return the definitions of `name` that can reach statement `index` of `block`, in the order of the source.

        The second value is whether one of them always does, so that nothing from before the function is seen.
        """
        definitions = self._by_name.get(name)
        if not definitions:
            return [], False
        walk = _Walk(self._blocks, block, index)
        statement = block.statements[index]
        place = (statement.lineno, statement.col_offset)
        end = bisect_left(definitions, place, key=_place)
        for definition in reversed(definitions[max(0, end - MOST_DEFINITIONS) : end]):
            if walk.takes(definition) or len(walk.reaching) == MOST_REACHING:
                break
        return walk.reaching[::-1], walk.certain

    def _bind_head(self, block: Block) -> None:
        node = block.branch.node
        if isinstance(node, ast.ExceptHandler) and node.name:
            self._add(node.name, Definition(block, -1, "caught", node.type, node))

    def _bind(self, statement: ast.stmt, block: Block, index: int) -> None:
        binder = _BINDERS.get(type(statement))
        if binder:
            for name, kind, value in binder(statement):
                self._add(name, Definition(block, index, kind, value, statement))

    def _add(self, name: str, definition: Definition) -> None:
        self._by_name.setdefault(name, []).append(definition)


def _place(definition: Definition) -> tuple[int, int]:
    return (definition.node.lineno, definition.node.col_offset)  # type: ignore[attr-defined]


class _Walk:
    """Goes through definitions from the nearest back, until one is found that always holds."""

    def __init__(self, blocks: Blocks, block: Block, index: int) -> None:
        self._blocks = blocks
        self._ways = dict(_way_up(block, index))
        self._covered: set[Block] = set()
        self.reaching: list[Definition] = []
        self.certain = False

    def takes(self, definition: Definition) -> bool:
        """Add a definition if it reaches the place; return whether none before it can."""
        block = definition.block
        top: Block | None = None
        in_loop = False
        while block not in self._ways:
            end = self._blocks.end(block.statements)
            in_loop = in_loop or end == "loop"
            if block in self._covered or end == "leave" or block.parent is None:
                return False
            if block.branch.role in ("for", "while"):
                in_loop = False
            top, block = block, block.parent
        if in_loop or (top and not self._leads_here(top, block)):
            return False
        self.reaching.append(definition)
        self.certain = self._cover(definition.block)
        return self.certain

    def _leads_here(self, top: Block, ancestor: Block) -> bool:
        """Return whether from the end of `top`, a block beside or before the place's own, the place is reached."""
        if top.index != self._ways[ancestor]:
            return True
        return top.branch.role in ("try", "for", "while", "except", "try_else")

    def _cover(self, block: Block) -> bool:
        while block not in self._ways:
            self._covered.add(block)
            if not self._all_covered(block) or block.parent is None:
                return False
            block = block.parent
        return True

    def _all_covered(self, block: Block) -> bool:
        owner = self._blocks.around(block)
        if block.branch.role == "finally":
            return True
        if owner is None or not owner.exhaustive:
            return False
        others = [other for other in owner.blocks if other.branch.role not in ("finally", "while_else")]
        body = [other for other in others if other.branch.role in ("try", "try_else")]
        rest = [other for other in others if other not in body]
        return (not body or any(map(self._is_settled, body))) and all(map(self._is_settled, rest))

    def _is_settled(self, block: Block) -> bool:
        return block in self._covered or bool(self._blocks.end(block.statements))


def _way_up(block: Block, index: int) -> Iterator[tuple[Block, int]]:
    at: Block | None = block
    while at:
        yield at, index
        index = at.index
        at = at.parent


Bound = Iterator[tuple[str, str, ast.expr | None]]


def _of_target(target: ast.expr, value: ast.expr | None) -> Bound:
    if isinstance(target, ast.Name):
        yield target.id, "value" if value else "other", value
    elif isinstance(target, ast.Starred):
        yield from _of_target(target.value, None)
    elif isinstance(target, ast.Tuple | ast.List):
        fits = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
        values = value.elts if fits else [None] * len(target.elts)  # type: ignore[union-attr]
        for element, part in zip(target.elts, values, strict=True):
            yield from _of_target(element, part)


def _of_assignment(statement: ast.Assign) -> Bound:
    for target in statement.targets:
        yield from _of_target(target, statement.value)


def _of_annotated(statement: ast.AnnAssign) -> Bound:
    if statement.value:
        yield from _of_target(statement.target, statement.value)


def _of_added(statement: ast.AugAssign) -> Bound:
    if isinstance(statement.target, ast.Name):
        yield statement.target.id, _AUGMENTED.get(type(statement.op), "other"), statement.value


_AUGMENTED: dict[type[ast.operator], str] = {ast.Add: "added", ast.Mod: "filled"}


def _of_loop(statement: ast.For | ast.AsyncFor) -> Bound:
    yield from _of_target(statement.target, None)


def _of_with(statement: ast.With | ast.AsyncWith) -> Bound:
    for item in statement.items:
        if item.optional_vars:
            yield from _of_target(item.optional_vars, None)


def _of_definition(statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Bound:
    yield statement.name, "defined", None


_BINDERS: dict[type[ast.stmt], Callable[..., Bound]] = {
    ast.Assign: _of_assignment,
    ast.AnnAssign: _of_annotated,
    ast.AugAssign: _of_added,
    ast.For: _of_loop,
    ast.AsyncFor: _of_loop,
    ast.With: _of_with,
    ast.AsyncWith: _of_with,
    ast.FunctionDef: _of_definition,
    ast.AsyncFunctionDef: _of_definition,
    ast.ClassDef: _of_definition,
}
