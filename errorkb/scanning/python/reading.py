"""Scanning, Python: expressions to recipes; what is named by a local is followed to what was assigned to it."""

import ast
from collections.abc import Callable

from errorkb.scanning.python.calls import CALLS, METHODS
from errorkb.scanning.python.definitions import Definition
from errorkb.scanning.python.recipes import (
    NOTHING,
    Call,
    Caught,
    Choice,
    Default,
    Item,
    Joined,
    Literal,
    Mapping,
    Member,
    Percent,
    Recipe,
    Reference,
    Sequence,
    Slot,
)
from errorkb.scanning.python.scopes import Place, Scope, default_of
from errorkb.scanning.python.sources import Source, dotted_name

MOST_DEPTH = 24
# How many expressions that stand elsewhere in the function one site may lead to, and how many parts these may have.
MOST_FOLLOWED = 40
MOST_STEPS = 600
MOST_PARTS = 400
MOST_KEYS = 200


class Reader:
    """Reads the expressions of one site. What would lead too far stays a slot."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._followed = 0
        self._steps = 0

    def read(self, node: ast.expr, place: Place, depth: int = 0) -> Recipe:
        """Return the recipe of an expression at a place."""
        if self._followed:
            self._steps += 1
        reads = _READS.get(type(node))
        if reads is None or depth > MOST_DEPTH or self._steps > MOST_STEPS:
            return self.slot(node)
        return reads(self, node, place, depth + 1)

    def slot(self, node: ast.AST) -> Recipe:
        """Return an expression as one whose value is not known; a literal text stays one."""
        if isinstance(node, ast.Constant):
            return _of_constant(node.value)
        return Slot(self.source.expression(node))

    def arguments(
        self, call: ast.Call, place: Place, depth: int
    ) -> tuple[tuple[Recipe, ...], tuple[tuple[str, Recipe], ...]]:
        """Return the recipes of a call's arguments; `*name` and `**name` are slots that say so."""
        positional = tuple(self._argument(argument, place, depth) for argument in call.args[:MOST_PARTS])
        keywords = tuple(
            (keyword.arg or "**", self.read(keyword.value, place, depth)) for keyword in call.keywords[:MOST_PARTS]
        )
        return positional, keywords

    def _argument(self, argument: ast.expr, place: Place, depth: int) -> Recipe:
        if isinstance(argument, ast.Starred):
            name = dotted_name(argument.value)
            return Slot("*" + (".".join(name) if name else "…"))
        return self.read(argument, place, depth)

    def _constant(self, node: ast.Constant, place: Place, depth: int) -> Recipe:
        return _of_constant(node.value)

    def _fstring(self, node: ast.JoinedStr, place: Place, depth: int) -> Recipe:
        return Joined(tuple(self._fstring_part(value) for value in node.values[:MOST_PARTS]))

    def _fstring_part(self, part: ast.expr) -> Recipe:
        if isinstance(part, ast.Constant):
            return Literal(str(part.value))
        value = part.value  # type: ignore[attr-defined]
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return Literal(value.value)
        return Slot(self.source.expression(value, inside_string=True), _conversion(part))  # type: ignore[arg-type]

    def _operation(self, node: ast.BinOp, place: Place, depth: int) -> Recipe:
        if isinstance(node.op, ast.Mod):
            return self._percent(node, place, depth)
        if isinstance(node.op, ast.Mult):
            return _repeated(node) or self.slot(node)
        if not isinstance(node.op, ast.Add):
            return self.slot(node)
        operands = _operands(node)
        return Joined(tuple(self.read(operand, place, depth) for operand in operands[:MOST_PARTS]))

    def _percent(self, node: ast.BinOp, place: Place, depth: int) -> Recipe:
        if isinstance(node.left, ast.Constant) and not isinstance(node.left.value, str):
            return self.slot(node)
        return self._filled(self.read(node.left, place, depth), node.right)

    def _filled(self, text: Recipe, right: ast.expr) -> Recipe:
        if isinstance(right, ast.Tuple):
            return Percent(text, tuple(self._unread(element) for element in right.elts[:MOST_PARTS]))
        if isinstance(right, ast.Dict):
            pairs = zip(right.keys[:MOST_PARTS], right.values[:MOST_PARTS], strict=True)
            return Percent(text, (), tuple((_key(key), self._unread(value)) for key, value in pairs if _is_text(key)))
        return Percent(text, (self._unread(right),))

    def _unread(self, node: ast.expr) -> Recipe:
        """Return what stands in a slot: as it is named there, followed no further."""
        name = dotted_name(node)
        return Slot(".".join(name)) if name else Slot("")

    def unread(self, nodes: list[ast.expr]) -> tuple[Recipe, ...]:
        """Return what stands in slots, one after another."""
        return tuple(self._unread(node) for node in nodes[:MOST_PARTS])

    def unread_keywords(self, call: ast.Call) -> tuple[tuple[str, Recipe], ...]:
        """Return what stands in named slots; `**name` under the name `**`."""
        return tuple((keyword.arg or "**", self._unread(keyword.value)) for keyword in call.keywords[:MOST_PARTS])

    def _condition(self, node: ast.IfExp, place: Place, depth: int) -> Recipe:
        tested, on_none = none_test(node.test)
        body, other = self.read(node.body, place, depth), self.read(node.orelse, place, depth)
        kept = node.orelse if on_none else node.body
        if tested and dotted_name(kept) == tested:
            return Default(other, body) if on_none else Default(body, other)
        return Choice((body, other))

    def _boolean(self, node: ast.BoolOp, place: Place, depth: int) -> Recipe:
        values = [self.read(value, place, depth) for value in node.values[:MOST_DEPTH]]
        if isinstance(node.op, ast.And):
            return Choice((values[-1], NOTHING))
        recipe = values[-1]
        for value in reversed(values[:-1]):
            recipe = Default(value, recipe)
        return recipe

    def _name(self, node: ast.Name, place: Place, depth: int) -> Recipe:
        return self.read_name(node.id, place, depth)

    def read_name(self, name: str, place: Place, depth: int) -> Recipe:
        """Return what a name stands for: what reaches it in its function, else the module's or a builtin name."""
        scope = place.scope
        definitions, certain = scope.definitions.reaching(name, place.block, place.at)
        options = [self._defined(name, definition, scope, depth) for definition in definitions]
        if certain:
            return options[0] if len(options) == 1 else Choice(tuple(options))
        before = self._before_function(name, scope, depth, has_definitions=bool(options))
        if before is None:
            return Choice(tuple(options)) if len(options) > 1 else options[0]
        return _after(name, definitions, options, before)

    def _before_function(self, name: str, scope: Scope, depth: int, *, has_definitions: bool) -> Recipe | None:
        """Return what a name means when its function begins; None where only the function binds it."""
        if name in scope.names:
            return _parameter(name, scope)
        if has_definitions:
            return None
        if scope.definitions.of(name) and scope.parent:
            return Slot(name)
        outer = scope.parent
        while outer and outer.parent:
            found = outer.definitions.of(name)[-4:]
            if found:
                return Choice(tuple(self._defined(name, definition, outer, depth) for definition in found))
            if name in outer.names:
                return Slot(name)
            outer = outer.parent
        return Reference((name,))

    def _defined(self, name: str, definition: Definition, scope: Scope, depth: int) -> Recipe:
        self._followed += 1
        at = Place(scope, definition.block, max(definition.at, 0))
        if definition.kind == "caught":
            return Caught(self._caught(definition.value, at, depth))
        if definition.kind == "defined":
            return Reference((*filter(None, scope.symbol.split(".")), name))
        if definition.value is None or definition.kind == "other" or self._followed > MOST_FOLLOWED:
            return Slot(name)
        if definition.kind in ("added", "filled"):
            before = self.read_name(name, at, depth + 1) if depth < MOST_DEPTH else Slot(name)
            if definition.kind == "filled":
                return self._filled(before, definition.value)
            return Joined((before, self.read(definition.value, at, depth)))
        value = self.read(definition.value, at, depth)
        return _named(name, value, scope)

    def _caught(self, types: ast.expr | None, place: Place, depth: int) -> tuple[Recipe, ...]:
        if types is None:
            return ()
        nodes = types.elts if isinstance(types, ast.Tuple) else [types]
        return tuple(self.read(node, place, depth) for node in nodes[:8])

    def _attribute(self, node: ast.Attribute, place: Place, depth: int) -> Recipe:
        names = dotted_name(node)
        if names is None:
            return self._instance_attribute(node, place)
        root = names[0]
        if place.scope.is_self(root):
            return Member(place.scope.class_around(), names[1]) if len(names) == 2 else Slot(".".join(names))
        if is_local(root, place.scope):
            return Slot(".".join(names))
        return Reference(names)

    def _instance_attribute(self, node: ast.Attribute, place: Place) -> Recipe:
        """Read `type(self).name`, `super().name` and `self.__class__.name` like `self.name`."""
        inner = node.value
        owner = place.scope.class_around()
        if isinstance(inner, ast.Call) and dotted_name(inner.func) in (("type",), ("super",)) and owner:
            return Member(owner, node.attr)
        return self.slot(node)

    def _subscript(self, node: ast.Subscript, place: Place, depth: int) -> Recipe:
        of = self.read(node.value, place, depth)
        if isinstance(of, Slot | Literal | Joined):
            return self.slot(node)
        text = self.source.expression(node)
        key = self.read(node.slice, place, depth)
        if isinstance(key, Choice):
            keys = [option.text for option in key.options if isinstance(option, Literal)]
            return Choice(tuple(Item(of, each, text) for each in keys or (None,)))
        return Item(of, key.text if isinstance(key, Literal) else None, text)

    def _sequence(self, node: ast.Tuple | ast.List, place: Place, depth: int) -> Recipe:
        return Sequence(tuple(self._argument(element, place, depth) for element in node.elts[:MOST_PARTS]))

    def _mapping(self, node: ast.Dict, place: Place, depth: int) -> Recipe:
        pairs = zip(node.keys[:MOST_KEYS], node.values[:MOST_KEYS], strict=True)
        return Mapping(tuple((_key(key), self.read(value, place, depth)) for key, value in pairs))

    def _call(self, node: ast.Call, place: Place, depth: int) -> Recipe:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in METHODS:
            return METHODS[function.attr](self, node, function.value, place, depth)
        name = dotted_name(function)
        if name and name[-1] in CALLS:
            return CALLS[name[-1]](self, node, place, depth)
        if isinstance(function, ast.Call) and dotted_name(function.func) == ("type",) and len(function.args) == 1:
            called = self.read(function.args[0], place, depth)
        else:
            called = self.read(function, place, depth)
        positional, keywords = self.arguments(node, place, depth)
        return Call(called, positional, keywords, self.source.expression(node))

    def _awaited(self, node: ast.Await, place: Place, depth: int) -> Recipe:
        return self.read(node.value, place, depth)

    def _walrus(self, node: ast.NamedExpr, place: Place, depth: int) -> Recipe:
        return self.read(node.value, place, depth)


_READS: dict[type[ast.expr], Callable[..., Recipe]] = {
    ast.Constant: Reader._constant,
    ast.JoinedStr: Reader._fstring,
    ast.BinOp: Reader._operation,
    ast.IfExp: Reader._condition,
    ast.BoolOp: Reader._boolean,
    ast.Name: Reader._name,
    ast.Attribute: Reader._attribute,
    ast.Subscript: Reader._subscript,
    ast.Tuple: Reader._sequence,
    ast.List: Reader._sequence,
    ast.Dict: Reader._mapping,
    ast.Call: Reader._call,
    ast.Await: Reader._awaited,
    ast.NamedExpr: Reader._walrus,
}


def none_test(test: ast.expr) -> tuple[tuple[str, ...] | None, bool]:
    """Return the name that a test asks for emptiness, and whether the test holds where it is empty.

    `x is None` and `not x` give x and True; `x is not None` and `x` give x and False.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return dotted_name(test.operand), True
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        against = test.comparators[0]
        if isinstance(against, ast.Constant) and against.value is None:
            return dotted_name(test.left), isinstance(test.ops[0], ast.Is | ast.Eq)
        return None, False
    return dotted_name(test), False


def is_local(name: str, scope: Scope) -> bool:
    """Return whether a name is bound by a function around the place."""
    at: Scope | None = scope
    while at and at.parent:
        if name in at.names or any(definition.kind != "defined" for definition in at.definitions.of(name)):
            return True
        at = at.parent
    return False


def _after(name: str, definitions: list[Definition], options: list[Recipe], before: Recipe) -> Recipe:
    """Return what a name stands for where what it was before may have been replaced."""
    for definition, option in zip(definitions, options, strict=True):
        node = definition.block.branch.node
        tested, on_none = none_test(node.test) if isinstance(node, ast.If) else (None, False)
        before = Default(before, option) if tested == (name,) and on_none else Choice((before, option))
    return before


def _parameter(name: str, scope: Scope) -> Recipe:
    """Return what a parameter brings: what callers give, or a default that is a text."""
    default = default_of(name, scope.function) if scope.function else None
    return Default(Slot(name), Literal(str(default.value))) if _is_text(default) else Slot(name)  # type: ignore[union-attr]


def _named(name: str, value: Recipe, scope: Scope) -> Recipe:
    """Return what a local holds, called by the local's name where only the run knows it."""
    if isinstance(value, Slot):
        return value if value.name in scope.names else Slot(name)
    return value._replace(text=name) if isinstance(value, Call | Item) else value


def _operands(node: ast.BinOp) -> list[ast.expr]:
    operands: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
        operands.append(left.right)
        left = left.left
    operands.append(left)
    operands.reverse()
    return operands


def _repeated(node: ast.BinOp) -> Recipe | None:
    left, right = node.left, node.right
    if not (isinstance(left, ast.Constant) and isinstance(right, ast.Constant)):
        return None
    if isinstance(left.value, str) and isinstance(right.value, int) and len(left.value) * right.value <= 1000:
        return Literal(left.value * right.value)
    return None


def _of_constant(value: object) -> Recipe:
    if isinstance(value, str):
        return Literal(value)
    return NOTHING if value is None else Slot("")


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _key(node: ast.expr | None) -> str:
    if node is None:
        return "**"
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _conversion(part: ast.FormattedValue) -> str:
    conversion = f"!{chr(part.conversion)}" if part.conversion > 0 else ""
    spec = part.format_spec
    if not isinstance(spec, ast.JoinedStr):
        return conversion
    texts = [str(value.value) for value in spec.values if isinstance(value, ast.Constant)]
    whole = len(texts) == len(spec.values) and not any(char in text for text in texts for char in "{}")
    return f"{conversion}:{''.join(texts)}" if whole else conversion
