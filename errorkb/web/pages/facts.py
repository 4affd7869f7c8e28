"""Web pages: every leaf of a document that no section of its page shows, as dotted names with values in words."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.rendering import render_plain

# A section shows this many items of a list; the rest of a longer list stands among the facts.
SHOWN_ITEMS = 100

Place = tuple[str | int, ...]
Pattern = tuple[str | int, ...]

_WORDS = {"None": "not given", "True": "yes", "False": "no", "''": "empty", "[]": "none", "{}": "none"}


@dataclass(frozen=True)
class Fact:
    """A leaf: its dotted name, its value as text, and whether that text is a word of ours for it."""

    name: str
    value: str
    is_word: bool = False


def facts_of(document: dict[str, Any], *, placed: Collection[str] = ()) -> tuple[Fact, ...]:
    """Return a document's leaves in order, without those that the page shows elsewhere.

    `placed` names the latter, such as `solutions[].text`. Only texts and numbers count as shown; null, booleans and
    what is empty are always among the facts. A list of scalars is one fact, an item a line.
    """
    return tuple(_walk(document, (), frozenset(map(_pattern, placed))))


def facts_html(facts: Collection[Fact]) -> SafeString:
    """Return the rows of a definition list; joined here, as a document may have a million leaves."""
    return mark_safe("".join(map(_row, facts)))


def _row(fact: Fact) -> str:
    word = ' class="word"' if fact.is_word else ""
    return f"<dt>{render_plain(fact.name)}</dt>\n<dd{word}>{render_plain(fact.value)}</dd>\n"


def _walk(value: Any, place: Place, placed: frozenset[Pattern]) -> Iterator[Fact]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _walk(inner, (*place, key), placed)
    elif isinstance(value, list) and value:
        yield from _walk_list(value, place, placed)
    elif not _is_shown(value, place, placed):
        word = _WORDS.get(repr(value))
        yield Fact(_dotted(place), word or str(value), is_word=word is not None)


def _walk_list(items: list[Any], place: Place, placed: frozenset[Pattern]) -> Iterator[Fact]:
    if any(isinstance(item, dict | list) for item in items):
        for number, item in enumerate(items):
            yield from _walk(item, (*place, number), placed)
        return
    rest = [item for number, item in enumerate(items) if not _is_shown(item, (*place, number), placed)]
    if rest:
        yield Fact(_dotted(place), "\n".join(_WORDS.get(repr(item), str(item)) for item in rest))


def _is_shown(value: Any, place: Place, placed: frozenset[Pattern]) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not str(value).strip():
        return False
    if any(isinstance(step, int) and step >= SHOWN_ITEMS for step in place):
        return False
    return tuple(step if isinstance(step, str) else 0 for step in place) in placed


def _pattern(name: str) -> Pattern:
    """Return `solutions[].text` as a place whose indices are all 0."""
    return tuple(step if step != "[]" else 0 for step in name.replace("[]", ".[]").split("."))


def _dotted(place: Place) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).removeprefix(".")
