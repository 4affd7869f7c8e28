"""Scanning, Python: the blocks that a function's statements form, and where a block's end leads."""

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Branch(NamedTuple):
    """One block of a compound statement: its statements, the part that it plays, its node, and its number.

    An `if` with its `elif`s is one statement here, whatever their number, as it is for who reads it.
    """

    statements: list[ast.stmt]
    role: str
    node: ast.AST
    number: int = 0


class Block:
    """A list of statements in its place: below statement `index` of `parent`.

    It knows nothing of what is below or beside it: in a circle, trees would outlive their use.
    """

    __slots__ = ("branch", "index", "parent", "statements")

    def __init__(self, statements: list[ast.stmt], parent: "Block | None", index: int, branch: Branch) -> None:
        self.statements = statements
        self.parent = parent
        self.index = index
        self.branch = branch


class Compound:
    """A compound statement with its blocks; `exhaustive` where exactly one way through it is always taken."""

    __slots__ = ("blocks", "exhaustive")

    def __init__(self, statement: ast.stmt, parent: Block, index: int) -> None:
        branches = list(branches_of(statement))
        self.blocks = [Block(branch.statements, parent, index, branch) for branch in branches]
        self.exhaustive = any(branch.role in _LAST_WAYS for branch in branches) or _is_endless(statement)


class Blocks:
    """The blocks of one function, each made once, and where they end."""

    __slots__ = ("_compounds", "_ends", "root")

    def __init__(self, statements: list[ast.stmt]) -> None:
        self.root = Block(statements, None, -1, Branch(statements, "function", ast.Pass()))
        self._compounds: dict[int, Compound] = {}
        self._ends: dict[int, str] = {}

    def below(self, statement: ast.stmt, parent: Block, index: int) -> list[Block]:
        """Return the blocks of a compound statement; none for any other."""
        if type(statement) not in _BRANCHES:
            return []
        known = self._compounds.get(id(statement))
        if known is None:
            known = self._compounds[id(statement)] = Compound(statement, parent, index)
        return known.blocks

    def around(self, block: Block) -> Compound | None:
        """Return the compound statement that a block belongs to; None for the function's own block."""
        return self._compounds.get(id(block.parent.statements[block.index])) if block.parent else None

    def end(self, statements: list[ast.stmt]) -> str:
        """Return where a block's end leads: `leave` (the function), `loop` (its next turn or end), or on: empty."""
        if not statements:
            return ""
        key = id(statements)
        if key not in self._ends:
            self._ends[key] = self._end(statements[-1])
        return self._ends[key]

    def _end(self, last: ast.stmt) -> str:
        if isinstance(last, ast.Return | ast.Raise):
            return "leave"
        if isinstance(last, ast.Break | ast.Continue):
            return "loop"
        if isinstance(last, ast.Expr):
            return "leave" if _is_exit(last.value) else ""
        if isinstance(last, ast.With | ast.AsyncWith):
            return self.end(last.body)
        if isinstance(last, ast.If | ast.Try | ast.Match):
            return self._end_of_all(last)
        return ""

    def _end_of_all(self, statement: ast.stmt) -> str:
        branches = list(branches_of(statement))
        if not any(branch.role in _LAST_WAYS for branch in branches):
            return ""
        ends = {branch.role: self.end(branch.statements) for branch in branches if branch.role in ("finally", "try")}
        if ends.get("finally"):
            return ends["finally"]
        ways = [self.end(branch.statements) for branch in branches if branch.role not in ("finally", "try", "try_else")]
        if "try" in ends:
            after = [self.end(branch.statements) for branch in branches if branch.role == "try_else"]
            ways.append(ends["try"] or (after[0] if after else ""))
        if not all(ways):
            return ""
        return "loop" if "loop" in ways else "leave"


# One of these is taken wherever nothing before it was.
_LAST_WAYS = frozenset({"else", "try", "with", "last_case"})


def branches_of(statement: ast.stmt) -> Iterator[Branch]:
    """Yield the blocks of a compound statement, in the order of the source."""
    branches = _BRANCHES.get(type(statement))
    return branches(statement) if branches else iter(())


def _of_if(statement: ast.If) -> Iterator[Branch]:
    number = 0
    while True:
        yield Branch(statement.body, "if", statement, number)
        number += 1
        rest = statement.orelse
        if len(rest) == 1 and isinstance(rest[0], ast.If):
            statement = rest[0]
            continue
        if rest:
            yield Branch(rest, "else", statement, number)
        return


def _of_loop(statement: ast.For | ast.AsyncFor | ast.While) -> Iterator[Branch]:
    role = "while" if isinstance(statement, ast.While) else "for"
    yield Branch(statement.body, role, statement)
    if statement.orelse:
        yield Branch(statement.orelse, f"{role}_else", statement)


def _of_try(statement: ast.Try) -> Iterator[Branch]:
    yield Branch(statement.body, "try", statement)
    for handler in statement.handlers:
        yield Branch(handler.body, "except", handler)
    if statement.orelse:
        yield Branch(statement.orelse, "try_else", statement)
    if statement.finalbody:
        yield Branch(statement.finalbody, "finally", statement)


def _of_with(statement: ast.With | ast.AsyncWith) -> Iterator[Branch]:
    yield Branch(statement.body, "with", statement)


def _of_match(statement: ast.Match) -> Iterator[Branch]:
    for number, case in enumerate(statement.cases):
        last = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None
        yield Branch(case.body, "last_case" if last else "case", statement, number)


_BRANCHES: dict[type[ast.stmt], Callable[..., Iterator[Branch]]] = {
    ast.If: _of_if,
    ast.For: _of_loop,
    ast.AsyncFor: _of_loop,
    ast.While: _of_loop,
    ast.Try: _of_try,
    ast.TryStar: _of_try,
    ast.With: _of_with,
    ast.AsyncWith: _of_with,
    ast.Match: _of_match,
}


def _is_endless(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.While) and isinstance(statement.test, ast.Constant) and bool(statement.test.value)


def _is_exit(value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return False
    name = value.func
    return isinstance(name, ast.Attribute) and name.attr == "exit" and isinstance(name.value, ast.Name)
