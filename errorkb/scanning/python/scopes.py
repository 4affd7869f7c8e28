"""Scanning, Python: the functions and classes around a place: their names, parameters, blocks and locals."""

import ast
from typing import NamedTuple

from errorkb.scanning.python.blocks import Block, Blocks
from errorkb.scanning.python.definitions import Definitions
from errorkb.scanning.python.sources import Function, Source

MOST_SIGNATURE = 400


class Scope:
    """A function, or the module where `function` is None; class bodies belong to the scope around them.

    `symbol` is the qualified name, `owner` that of the class that the function is a method of.
    """

    __slots__ = ("_definitions", "_signature", "blocks", "function", "names", "owner", "parent", "self_name", "symbol")

    def __init__(
        self, statements: list[ast.stmt], symbol: str, parent: "Scope | None", owner: str, function: Function | None
    ) -> None:
        self.blocks = Blocks(statements)
        self.symbol = symbol
        self.parent = parent
        self.owner = owner
        self.function = function
        self.names = frozenset(parameter_names(function)) if function else frozenset()
        self.self_name = _self_name(function) if owner and function else ""
        self._definitions: Definitions | None = None
        self._signature: str | None = None

    @property
    def definitions(self) -> Definitions:
        """Return the function's bindings, found when first asked for."""
        if self._definitions is None:
            self._definitions = Definitions(self.blocks)
        return self._definitions

    def is_self(self, name: str) -> bool:
        """Return whether a name is the `self` or `cls` of the method around."""
        scope: Scope | None = self
        while scope:
            if name == scope.self_name:
                return bool(name)
            if name in scope.names:
                return False
            scope = scope.parent
        return False

    def class_around(self) -> str:
        """Return the qualified name of the nearest class around, or nothing."""
        scope: Scope | None = self
        while scope and not scope.owner:
            scope = scope.parent
        return scope.owner if scope else ""

    def signature(self, source: Source) -> str:
        """Return the function's head on one line, without decorators and colon; empty at module level."""
        if self._signature is None:
            self._signature = _signature(self.function, source) if self.function else ""
        return self._signature


class Place(NamedTuple):
    """Where a statement stands: in which scope, in which of its blocks, as which of its statements."""

    scope: Scope
    block: Block
    at: int


def parameter_names(function: Function) -> list[str]:
    """Return the names of all of a function's parameters."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [argument.arg for argument in (*plain, arguments.vararg, arguments.kwarg) if argument]


def default_of(name: str, function: Function) -> ast.expr | None:
    """Return the default of a function's parameter, if it has one."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True)
    by_name_only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return next((default for argument, default in (*defaults, *by_name_only) if argument.arg == name), None)


def _self_name(function: Function) -> str:
    first = [*function.args.posonlyargs, *function.args.args][:1]
    is_static = any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in function.decorator_list)
    return first[0].arg if first and not is_static else ""


def _signature(function: Function, source: Source) -> str:
    first, body = function.lineno - 1, function.body[0].lineno - 1
    head = " ".join(line.strip() for line in source.lines[first : min(max(body, first + 1), first + 60)])
    if body == first or "#" in head or ":" not in head:
        head = _signature_made_anew(function)
    text = head[: head.rfind(":")].replace("( ", "(").replace(", )", ")").replace(" )", ")")
    return text if len(text) <= MOST_SIGNATURE else text[: MOST_SIGNATURE - 1] + "…"


def _signature_made_anew(function: Function) -> str:
    bare = type(function)(
        name=function.name,
        args=function.args,
        body=[ast.Pass()],
        decorator_list=[],
        returns=function.returns,
        lineno=function.lineno,
    )
    try:
        return ast.unparse(bare).partition("\n")[0]
    except (RecursionError, ValueError):
        return f"def {function.name}(…):"
