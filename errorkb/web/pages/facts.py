"""Web pages: every leaf of a document that no section of its page shows, as dotted names with values in words."""

from collections.abc import Collection
from html import escape
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.rendering import expose_controls

# A section shows this many items of a list; the rest of a longer list stands among the facts.
SHOWN_ITEMS = 100

_WORDS = {"None": "not given", "True": "yes", "False": "no", "''": "empty", "[]": "none", "{}": "none"}
# Steps of a tree of names that no key of a document can be.
_ANY_ITEM = 0
_HERE = 1

Tree = dict[str | int, Any]


class Fact(NamedTuple):
    """A leaf: its dotted name, its value as text, and whether that text is a word of ours for it."""

    name: str
    value: str
    is_word: bool = False


def facts_of(document: dict[str, Any], *, placed: Collection[str] = ()) -> tuple[Fact, ...]:
    """Return a document's leaves in order, without those that the page shows elsewhere.

    `placed` names the latter, such as `solutions[].text`. Only texts and numbers count as shown; null, booleans and
    what is empty are always among the facts. A list of scalars is one fact, an item a line.
    """
    found: list[Fact] = []
    _collect(document, "", _tree_of(placed), found)
    return tuple(found)


def facts_html(facts: Collection[Fact]) -> SafeString:
    """Return the rows of a definition list; joined here, as a document may have a million leaves."""
    return mark_safe(expose_controls("".join(map(_row, facts))))


def _row(fact: Fact) -> str:
    word = ' class="word"' if fact.is_word else ""
    return f"<dt>{escape(fact.name)}</dt>\n<dd{word}>{escape(fact.value)}</dd>\n"


def _tree_of(placed: Collection[str]) -> Tree:
    """Return names as a tree of their steps, so that most leaves are told apart by their first step."""
    root: Tree = {}
    for name in placed:
        node = root
        for step in name.replace("[]", ".[]").split("."):
            node = node.setdefault(_ANY_ITEM if step == "[]" else step, {})
        node[_HERE] = {}
    return root


def _collect(value: Any, name: str, placed: Tree, found: list[Fact]) -> None:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            _collect(inner, f"{name}.{key}" if name else key, placed.get(key, {}), found)
    elif isinstance(value, list) and value:
        _collect_items(value, name, placed.get(_ANY_ITEM, {}), found)
    elif not (placed and _is_shown(value, placed)):
        found.append(Fact(name, _text(value), _in_words(value) is not None))


def _collect_items(items: list[Any], name: str, placed: Tree, found: list[Fact]) -> None:
    shown = items[:SHOWN_ITEMS] if placed else []
    rest = items[len(shown) :]
    if any(isinstance(item, dict | list) for item in items):
        for number, item in enumerate(items):
            _collect(item, f"{name}[{number}]", placed if number < len(shown) else {}, found)
        return
    rest = [item for item in shown if not _is_shown(item, placed)] + rest
    if rest:
        found.append(Fact(name, "\n".join(map(_text, rest))))


def _is_shown(value: Any, placed: Tree) -> bool:
    if _HERE not in placed or isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    return bool(str(value).strip())


def _text(value: Any) -> str:
    return _in_words(value) or str(value)


def _in_words(value: Any) -> str | None:
    """Return our word for null, a boolean or something empty; None for all that speaks for itself."""
    if isinstance(value, str) and value:
        return None
    return _WORDS.get(repr(value))
