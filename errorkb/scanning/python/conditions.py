"""Scanning, Python: the conditions under which a place in a function is reached, in words around the code."""

import ast
from collections.abc import Callable, Iterator
from itertools import islice

from errorkb.scanning.python.blocks import Block, branches_of
from errorkb.scanning.python.scopes import Place, Scope
from errorkb.scanning.python.sources import Source

# The nearest ones are kept: a reader needs the last steps to a site more than the first.
MOST_CONDITIONS = 12
MOST_GUARDS = 6

_OPPOSITES: dict[type[ast.cmpop], str] = {
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
}


class Conditions:
    """Words for the ways to the sites of one file; what blocks share is worked out once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._guards: dict[Block, tuple[int, list[str]]] = {}

    def of(self, place: Place, last: str = "") -> tuple[str, ...]:
        """Return the steps from the function's entry to a place, outermost first.

        The first begins with the function: "In `AscendKVManager.send_kvcache`, when `indices is not None`". `last`
        is a step of the site itself, such as what an assertion claims.
        """
        steps = [last] if last else []
        for step in self._upwards(place):
            if step not in steps:
                steps.append(step)
            if len(steps) == MOST_CONDITIONS:
                break
        start = f"In `{place.scope.symbol}`" if place.scope.symbol else "On import"
        if not steps:
            return (f"{start}, always" if place.scope.symbol else start,)
        steps.reverse()
        return (f"{start}, {steps[0]}", *steps[1:])

    def negated(self, test: ast.expr) -> str:
        """Return the words for a test that does not hold: "when `x is not None`", "when not (`a and b`)"."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return f"when {self._code(test.operand)}"
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITES:
            opposite = _OPPOSITES[type(test.ops[0])]
            left, right = self._source.expression(test.left), self._source.expression(test.comparators[0])
            return f"when `{left} {opposite} {right}`"
        return f"when not ({self._code(test)})"

    def _upwards(self, place: Place) -> Iterator[str]:
        """Yield the steps from a place back to its function's entry."""
        block, index = place.block, place.at
        while True:
            yield from self._passed(place.scope, block, index)
            if block.parent is None:
                return
            yield from reversed(self._entered(place.scope, block))
            block, index = block.parent, block.index

    def _passed(self, scope: Scope, block: Block, index: int) -> list[str]:
        """Return the nearest early exits before a statement, nearest first: what must have been false."""
        scanned, guards = self._guards.get(block, (0, []))
        if index < scanned:
            scanned, guards = 0, []
        for statement in block.statements[scanned:index]:
            if isinstance(statement, ast.If):
                guards += self._guard(scope, statement)
        self._guards[block] = (index, guards[-MOST_GUARDS:])
        return guards[: -MOST_GUARDS - 1 : -1]

    def _guard(self, scope: Scope, statement: ast.If) -> list[str]:
        """Return what holds behind an `if` that some paths do not leave."""
        branches = list(islice(branches_of(statement), MOST_GUARDS + 1))
        ends = [bool(scope.blocks.end(branch.statements)) for branch in branches]
        if len(branches) == 2 and branches[1].role == "else" and ends == [False, True]:
            return [f"when {self._code(statement.test)}"]
        leaving = []
        for branch, ended in zip(branches, ends, strict=True):
            if not ended or branch.role == "else":
                break
            leaving.append(self.negated(branch.node.test))  # type: ignore[attr-defined]
        return leaving

    def _entered(self, scope: Scope, block: Block) -> list[str]:
        if block.branch.role in ("if", "else"):
            return self._branches_of_if(scope, block)
        words = _WORDS.get(block.branch.role)
        return words(self, block) if words else []

    def _code(self, node: ast.AST) -> str:
        return f"`{self._source.expression(node)}`"

    def _branches_of_if(self, scope: Scope, block: Block) -> list[str]:
        node, number = block.branch.node, block.branch.number
        compound = scope.blocks.around(block)
        before = compound.blocks[max(0, number - MOST_GUARDS) : number] if compound else []
        steps = [self.negated(other.branch.node.test) for other in before]  # type: ignore[attr-defined]
        if block.branch.role == "if":
            steps.append(f"when {self._code(node.test)}")  # type: ignore[attr-defined]
        return steps

    def _for(self, block: Block) -> list[str]:
        node = block.branch.node
        return [f"for each {self._code(node.target)} in {self._code(node.iter)}"]  # type: ignore[attr-defined]

    def _for_else(self, block: Block) -> list[str]:
        code = self._code(block.branch.node.iter)  # type: ignore[attr-defined]
        return [f"after the loop over {code} has ended without `break`"]

    def _while(self, block: Block) -> list[str]:
        test = block.branch.node.test  # type: ignore[attr-defined]
        return [] if isinstance(test, ast.Constant) else [f"while {self._code(test)}"]

    def _while_else(self, block: Block) -> list[str]:
        code = self._code(block.branch.node.test)  # type: ignore[attr-defined]
        return [f"after the loop while {code} has ended without `break`"]

    def _except(self, block: Block) -> list[str]:
        caught = block.branch.node.type  # type: ignore[attr-defined]
        return [f"after {self._code(caught)} was caught" if caught else "after any exception was caught"]

    def _try_else(self, block: Block) -> list[str]:
        handled = [self._code(handler.type) for handler in block.branch.node.handlers[:4] if handler.type]  # type: ignore[attr-defined]
        return [f"when {' or '.join(handled)} was not raised" if handled else "when no exception was raised"]

    def _finally(self, block: Block) -> list[str]:
        return ["whether or not an exception was raised"]

    def _with(self, block: Block) -> list[str]:
        items = block.branch.node.items[:4]  # type: ignore[attr-defined]
        return [f"inside `with {', '.join(self._source.expression(item.context_expr) for item in items)}`"]

    def _case(self, block: Block) -> list[str]:
        node, number = block.branch.node, block.branch.number
        case = node.cases[number]  # type: ignore[attr-defined]
        step = f"when {self._code(node.subject)} matches {self._code(case.pattern)}"  # type: ignore[attr-defined]
        return [f"{step} and {self._code(case.guard)}" if case.guard else step]

    def _last_case(self, block: Block) -> list[str]:
        return [f"when {self._code(block.branch.node.subject)} matches no other case"]  # type: ignore[attr-defined]


_WORDS: dict[str, Callable[[Conditions, Block], list[str]]] = {
    "for": Conditions._for,
    "for_else": Conditions._for_else,
    "while": Conditions._while,
    "while_else": Conditions._while_else,
    "except": Conditions._except,
    "try_else": Conditions._try_else,
    "finally": Conditions._finally,
    "with": Conditions._with,
    "case": Conditions._case,
    "last_case": Conditions._last_case,
}
