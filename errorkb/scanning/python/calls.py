"""Scanning, Python: calls that make or keep a text: formatting, joining, translating, dedenting."""

import ast
from collections.abc import Callable
from typing import Protocol

from errorkb.scanning.python.recipes import (
    Altered,
    Brace,
    Call,
    Choice,
    Item,
    Joined,
    Literal,
    Recipe,
    Sequence,
    Slot,
)
from errorkb.scanning.python.scopes import Place
from errorkb.scanning.python.sources import Source


class Reads(Protocol):
    """What reads the expressions inside a call."""

    source: Source

    def read(self, node: ast.expr, place: Place, depth: int = 0) -> Recipe: ...

    def slot(self, node: ast.AST) -> Recipe: ...

    def unread(self, nodes: list[ast.expr]) -> tuple[Recipe, ...]: ...

    def unread_keywords(self, call: ast.Call) -> tuple[tuple[str, Recipe], ...]: ...

    def arguments(
        self, call: ast.Call, place: Place, depth: int
    ) -> tuple[tuple[Recipe, ...], tuple[tuple[str, Recipe], ...]]: ...


def _format(reader: Reads, call: ast.Call, of: ast.expr, place: Place, depth: int) -> Recipe:
    return Brace(reader.read(of, place, depth), reader.unread(call.args), reader.unread_keywords(call))


def _join(reader: Reads, call: ast.Call, of: ast.expr, place: Place, depth: int) -> Recipe:
    items = reader.read(call.args[0], place, depth) if len(call.args) == 1 else None
    separator = reader.read(of, place, depth)
    if not isinstance(items, Sequence) or not isinstance(separator, Literal) or not items.items:
        return reader.slot(call)
    parts: list[Recipe] = [items.items[0]]
    for item in items.items[1:]:
        parts += [separator, item]
    return Joined(tuple(parts))


def _altered(reader: Reads, call: ast.Call, of: ast.expr, place: Place, depth: int) -> Recipe:
    name = call.func.attr  # type: ignore[attr-defined]
    text = reader.read(of, place, depth)
    if call.args or isinstance(text, Slot):
        return reader.slot(call)
    return Altered(name, text)


def _looked_up(reader: Reads, call: ast.Call, of: ast.expr, place: Place, depth: int) -> Recipe:
    """Read `messages.get(key, default)`."""
    mapping = reader.read(of, place, depth)
    if isinstance(mapping, Slot) or not call.args:
        return reader.slot(call)
    key = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
    found = Item(mapping, key if isinstance(key, str) else None, reader.source.expression(call))
    if len(call.args) < 2 or isinstance(key, str):
        return found
    return Choice((found, reader.read(call.args[1], place, depth)))


def _traced(reader: Reads, call: ast.Call, of: ast.expr, place: Place, depth: int) -> Recipe:
    """Read `error.with_traceback(…)` as the error itself."""
    return reader.read(of, place, depth)


def _first(reader: Reads, call: ast.Call, place: Place, depth: int) -> Recipe:
    return _argument(reader, call, 0, place, depth)


def _second(reader: Reads, call: ast.Call, place: Place, depth: int) -> Recipe:
    return _argument(reader, call, 1, place, depth)


def _argument(reader: Reads, call: ast.Call, number: int, place: Place, depth: int) -> Recipe:
    if len(call.args) <= number:
        return reader.slot(call)
    return reader.read(call.args[number], place, depth)


def _plural(reader: Reads, call: ast.Call, place: Place, depth: int) -> Recipe:
    texts = call.args[-3:-1] if len(call.args) >= 3 else call.args[:2]
    return Choice(tuple(reader.read(text, place, depth) for text in texts)) if texts else reader.slot(call)


def _formatted(reader: Reads, call: ast.Call, place: Place, depth: int) -> Recipe:
    if not call.args:
        return reader.slot(call)
    return Brace(reader.read(call.args[0], place, depth), reader.unread(call.args[1:]), reader.unread_keywords(call))


def _as_text(reader: Reads, call: ast.Call, place: Place, depth: int) -> Recipe:
    """Read `str(text)` as the text; of anything else only the run knows it."""
    text = reader.read(call.args[0], place, depth) if len(call.args) == 1 else Slot("")
    return reader.slot(call) if isinstance(text, Slot | Call) else text


def _dedented(reader: Reads, call: ast.Call, place: Place, depth: int) -> Recipe:
    if len(call.args) != 1:
        return reader.slot(call)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return Altered(name, reader.read(call.args[0], place, depth))


# Methods of texts: how the call is read, given what stands before the dot.
METHODS: dict[str, Callable[[Reads, ast.Call, ast.expr, Place, int], Recipe]] = {
    "format": _format,
    "join": _join,
    "get": _looked_up,
    "with_traceback": _traced,
    **dict.fromkeys(("strip", "lstrip", "rstrip", "lower", "upper", "capitalize"), _altered),
}
# Functions, by the last part of their name. gettext: https://docs.python.org/3/library/gettext.html
CALLS: dict[str, Callable[[Reads, ast.Call, Place, int], Recipe]] = {
    **dict.fromkeys(("_", "__", "_l", "_lazy", "N_", "gettext", "ugettext", "lgettext", "gettext_noop"), _first),
    **dict.fromkeys(("gettext_lazy", "ugettext_lazy", "lazy_gettext", "translate", "mark_safe", "SafeString"), _first),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), _second),
    **dict.fromkeys(("ngettext", "ungettext", "ngettext_lazy", "ungettext_lazy", "npgettext"), _plural),
    **dict.fromkeys(("npgettext_lazy",), _plural),
    **dict.fromkeys(("format_lazy", "format_html"), _formatted),
    **dict.fromkeys(("dedent", "cleandoc"), _dedented),
    **dict.fromkeys(("str", "force_str"), _as_text),
}
