"""Scanning, Python: the one pass over a file's statements that finds its throw sites."""

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from errorkb.scanning.python.blocks import Block, branches_of
from errorkb.scanning.python.codes import is_check
from errorkb.scanning.python.scopes import Function, Place, Scope
from errorkb.scanning.python.sources import Source, dotted_name
from errorkb.scanning.sites import Kind

LOG_METHODS = frozenset({"error", "exception", "critical", "fatal", "warning"})
_LOGGER = re.compile(r"(?:^|_)log(?:ger|ging|s)?$|getLogger$|get_logger$", re.IGNORECASE)
HELPER_NAME = re.compile(
    r"error|exception|warn|exit|raise|fail|abort|throw|die|invalid|unsupported|not_found", re.IGNORECASE
)
_CHECK_KINDS: dict[str, Kind] = {"Error": "error", "Critical": "error", "Warning": "warning"}


class Sighting(NamedTuple):
    """A throw site as the pass finds it: `node` is the raise, assertion or call; `statement` has its lines."""

    kind: Kind
    form: str
    node: ast.Raise | ast.Assert | ast.Call
    statement: ast.stmt
    place: Place

    def lines(self) -> tuple[int, int]:
        """Return the first and last line of the statement; of a compound one, only those of the call in its head."""
        whole: ast.stmt | ast.Call = self.statement
        if next(branches_of(self.statement), None) or not isinstance(self.node, ast.Call):
            whole = self.node
        return whole.lineno, whole.end_lineno or whole.lineno


class Visitor:
    """Goes once through all blocks that hold a throw word; what holds none is passed over unread."""

    def __init__(self, source: Source, module: Scope, warn_names: frozenset[str], exit_names: frozenset[str]) -> None:
        self._source = source
        self._warn_names = warn_names
        self._exit_names = exit_names
        self.module = module
        self.sightings: list[Sighting] = []
        self.helper_calls: list[tuple[ast.Call, Place]] = []

    def visit(self) -> None:
        """Find all sites of the module, in the order of the source."""
        self._block(self.module.blocks.root, self.module, "", "")

    def _block(self, block: Block, scope: Scope, prefix: str, owner: str) -> None:
        source = self._source
        for index, statement in enumerate(block.statements):
            if not source.may_throw(statement):
                continue
            kind = type(statement)
            if kind in _FUNCTIONS:
                self._function(statement, scope, prefix, owner)  # type: ignore[arg-type]
            elif kind is ast.ClassDef:
                self._class(statement, block, index, scope, prefix)  # type: ignore[arg-type]
            else:
                self._statement(statement, Place(scope, block, index), prefix, owner)

    def _function(self, function: Function, scope: Scope, prefix: str, owner: str) -> None:
        symbol = f"{prefix}.{function.name}" if prefix else function.name
        around = scope if scope.function or scope.parent is None else scope.parent
        inner = Scope(function.body, symbol, around, owner, function)
        self._block(inner.blocks.root, inner, symbol, "")

    def _class(self, node: ast.ClassDef, block: Block, index: int, scope: Scope, prefix: str) -> None:
        """Visit a class's body: its statements run in the scope around, its functions are methods."""
        name = f"{prefix}.{node.name}" if prefix else node.name
        inner = Scope(node.body, name, scope, name, None)
        self._block(inner.blocks.root, inner, name, name)

    def _statement(self, statement: ast.stmt, place: Place, prefix: str, owner: str) -> None:
        blocks = place.scope.blocks.below(statement, place.block, place.at)
        if isinstance(statement, ast.Raise) and statement.exc:
            self.sightings.append(Sighting("error", "raise", statement, statement, place))
        elif isinstance(statement, ast.Assert):
            self.sightings.append(Sighting("assertion", "assert", statement, statement, place))
        for expression in _expressions(statement):
            if self._source.may_call(expression):
                self._calls(expression, statement, place)
        for block in blocks:
            self._block(block, place.scope, prefix, owner)

    def _calls(self, expression: ast.expr, statement: ast.stmt, place: Place) -> None:
        waiting: list[ast.AST] = [expression]
        while waiting:
            node = waiting.pop()
            if type(node) is ast.Call:
                self._call(node, statement, place)
            waiting += reversed(list(ast.iter_child_nodes(node)))

    def _call(self, call: ast.Call, statement: ast.stmt, place: Place) -> None:
        form = self._form(call)
        if form:
            kind = _KINDS[form] if form != "check" else _CHECK_KINDS[_called(call)]
            self.sightings.append(Sighting(kind, form, call, statement, place))
        elif (call.args or call.keywords) and _may_be_helper(_called(call)):
            self.helper_calls.append((call, place))

    def _form(self, call: ast.Call) -> str:
        function = call.func
        if isinstance(function, ast.Attribute):
            return self._form_of_method(call, function)
        if not isinstance(function, ast.Name):
            return ""
        if function.id in self._warn_names:
            return "warn"
        if function.id in self._exit_names:
            return "exit"
        return "check" if function.id in _CHECK_KINDS and is_check(call) else ""

    def _form_of_method(self, call: ast.Call, function: ast.Attribute) -> str:
        name = function.attr
        if name in LOG_METHODS and _LOGGER.search(_receiver(function.value)):
            return "log"
        if name == "warn" and _receiver(function.value).strip("_") == "warnings":
            return "warn"
        if name == "exit" and dotted_name(function.value) == ("sys",):
            return "exit"
        return "check" if name in _CHECK_KINDS and is_check(call) else ""


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_KINDS: dict[str, Kind] = {"log": "log", "warn": "warning", "exit": "error"}


def _called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _may_be_helper(name: str) -> bool:
    return not name.lstrip("_")[:1].isupper() and bool(HELPER_NAME.search(name))


def _receiver(node: ast.expr) -> str:
    """Return the last name of what a method is called on: `self._logger` and `logging.getLogger(…)` alike."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions that belong to a statement itself, not to those inside it."""
    heads = _HEADS.get(type(statement))
    if heads:
        yield from heads(statement)
        return
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield child


def _items(statement: ast.With | ast.AsyncWith) -> Iterator[ast.expr]:
    return (item.context_expr for item in statement.items)


def _tests(statement: ast.If) -> Iterator[ast.expr]:
    while True:
        yield statement.test
        if len(statement.orelse) != 1 or not isinstance(statement.orelse[0], ast.If):
            return
        statement = statement.orelse[0]


_HEADS: dict[type[ast.stmt], Callable[..., Iterator[ast.expr]]] = {
    ast.With: _items,
    ast.AsyncWith: _items,
    ast.If: _tests,
    ast.Raise: lambda statement: iter(filter(None, (statement.exc, statement.cause))),
}
