"""Scanning, Python: what functions and exception classes of a file offer to sites: parameters, returns, `__init__`."""

import ast
from collections.abc import Iterator

from errorkb.scanning.python.facts import ClassFacts, FunctionFacts, InitFacts, Parameters
from errorkb.scanning.python.reading import Reader
from errorkb.scanning.python.recipes import Call, Literal, Mapping, Recipe, Reference
from errorkb.scanning.python.scopes import Function, Place, Scope
from errorkb.scanning.python.sources import Source, dotted_name

MOST_RETURNS = 8
MOST_LINES = 200
MOST_ATTRIBUTES = 200
MOST_LETTERS = 5000

_SELF = frozenset({"self", "cls", "self_"})


def parameters_of(function: Function, source: Source, *, is_method: bool) -> Parameters:
    """Return a function's parameters with the recipes of their defaults."""
    arguments = function.args
    plain = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    reader = Reader(source)
    defaults = [
        (name, reader.slot(value))
        for name, value in zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True)
    ]
    keyword_only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    defaults += [(argument.arg, reader.slot(value)) for argument, value in keyword_only if value]
    names = plain[1:] if is_method else plain
    by_name_only = tuple(argument.arg for argument in arguments.kwonlyargs)
    star, double = arguments.vararg, arguments.kwarg
    return Parameters(
        tuple(names), by_name_only, tuple(defaults), star.arg if star else "", double.arg if double else ""
    )


def function_facts(function: Function, symbol: str, owner: str, module: Scope, source: Source) -> FunctionFacts | None:
    """Return what a function returns, one recipe for each `return`; None where it returns nothing to be read."""
    source.complete(function)
    if (function.end_lineno or 0) - function.lineno > MOST_LINES:
        return None
    scope = Scope(function.body, symbol, module, owner, function)
    reader = Reader(source)
    returns: list[Recipe] = []
    for place, statement in _statements(scope):
        if isinstance(statement, ast.Return) and statement.value and len(returns) < MOST_RETURNS:
            returns.append(reader.read(statement.value, place))
    if not returns:
        return None
    return FunctionFacts(parameters_of(function, source, is_method=bool(scope.self_name)), tuple(returns))


def class_facts(node: ast.ClassDef, name: str, module: Scope, source: Source) -> ClassFacts:
    """Return what an exception's class, or one with texts among its attributes, offers."""
    init: InitFacts | None = None
    text: FunctionFacts | None = None
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            init = _init_facts(statement, f"{name}.__init__", name, module, source)
        elif isinstance(statement, ast.FunctionDef) and statement.name == "__str__":
            text = function_facts(statement, f"{name}.__str__", name, module, source)
    bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    names = tuple(filter(None, map(dotted_name, bases)))
    return ClassFacts(names, _attributes(node, module, source), init, text)


def is_text_like(value: ast.expr) -> bool:
    """Return whether a constant's value can be a text, a dictionary of texts, or another name for something."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str) and len(value.value) <= MOST_LETTERS
    if isinstance(value, ast.Dict):
        return any(isinstance(item, ast.Constant | ast.JoinedStr | ast.Call | ast.BinOp) for item in value.values[:5])
    return isinstance(value, ast.JoinedStr | ast.BinOp | ast.Name | ast.Attribute | ast.Call | ast.Tuple)


def constant_of(value: ast.expr, place: Place, source: Source) -> Recipe | None:
    """Return the recipe of a constant, or None where it says nothing to a site."""
    if isinstance(value, ast.Constant) and isinstance(value.value, int) and not isinstance(value.value, bool):
        return Literal(str(value.value))
    if not is_text_like(value):
        return None
    recipe = Reader(source).read(value, place)
    if isinstance(recipe, Mapping):
        return recipe if recipe.items else None
    return recipe


def _attributes(node: ast.ClassDef, module: Scope, source: Source) -> dict[str, Recipe]:
    attributes: dict[str, Recipe] = {}
    place = Place(module, module.blocks.root, 0)
    for statement in node.body:
        for name, value in _assigned(statement):
            recipe = constant_of(value, place, source) if len(attributes) < MOST_ATTRIBUTES else None
            if recipe is not None:
                own = isinstance(recipe, Reference) and len(recipe.names) == 1 and recipe.names[0] in attributes
                attributes[name] = attributes[recipe.names[0]] if own and isinstance(recipe, Reference) else recipe
    return attributes


def _assigned(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name):
                yield target.id, statement.value
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        yield statement.target.id, statement.value


def _init_facts(function: ast.FunctionDef, symbol: str, owner: str, module: Scope, source: Source) -> InitFacts | None:
    source.complete(function)
    if (function.end_lineno or 0) - function.lineno > MOST_LINES:
        return None
    scope = Scope(function.body, symbol, module, owner, function)
    reader = Reader(source)
    handed_on: Call | None = None
    attributes: list[tuple[str, Recipe]] = []
    for place, statement in _statements(scope):
        call = _base_init(statement)
        if call:
            skipped = 0 if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call) else 1
            positional, keywords = reader.arguments(call, place, 0)
            handed_on = Call(Reference(("super",)), positional[skipped:], keywords, "")
        elif isinstance(statement, ast.Assign):
            attributes += _set_on_self(statement, scope, place, reader)
    return InitFacts(parameters_of(function, source, is_method=True), handed_on, tuple(attributes[:40]))


def _set_on_self(statement: ast.Assign, scope: Scope, place: Place, reader: Reader) -> Iterator[tuple[str, Recipe]]:
    for target in statement.targets:
        if isinstance(target, ast.Attribute) and dotted_name(target.value) == (scope.self_name,):
            yield target.attr, reader.read(statement.value, place)


def _base_init(statement: ast.stmt) -> ast.Call | None:
    """Return the call of `super().__init__(…)` or `Base.__init__(self, …)`."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return None
    call = statement.value
    is_init = isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"
    return call if is_init else None


def _statements(scope: Scope) -> Iterator[tuple[Place, ast.stmt]]:
    """Yield the statements of a function in the order of the source, each with its place."""
    waiting = [(scope.blocks.root, 0)]
    while waiting:
        block, index = waiting.pop()
        if index == len(block.statements):
            continue
        statement = block.statements[index]
        yield Place(scope, block, index), statement
        waiting.append((block, index + 1))
        waiting += [(inner, 0) for inner in reversed(scope.blocks.below(statement, block, index))]
