"""Scanning, Python: recipes: how source makes a text, before every name in it is known.

A recipe is picklable and free of syntax trees. Evaluating it gives texts; names that stay unknown become slots.
"""

from collections.abc import Iterator
from typing import NamedTuple, Union


class Literal(NamedTuple):
    """Text as the source has it."""

    text: str


class Slot(NamedTuple):
    """An expression whose value only the run knows; `suffix` is an f-string's conversion and format."""

    name: str
    suffix: str = ""


class Nothing(NamedTuple):
    """`None`: no text."""


class Joined(NamedTuple):
    """Parts one after another: concatenation, or an f-string."""

    parts: tuple["Recipe", ...]


class Percent(NamedTuple):
    """`format % arguments`; a mapping's values are found by `keywords`."""

    format: "Recipe"
    arguments: tuple["Recipe", ...]
    keywords: tuple[tuple[str, "Recipe"], ...] = ()


class Brace(NamedTuple):
    """`format.format(*arguments, **keywords)`."""

    format: "Recipe"
    arguments: tuple["Recipe", ...]
    keywords: tuple[tuple[str, "Recipe"], ...] = ()


class Choice(NamedTuple):
    """One of several, depending on the path taken."""

    options: tuple["Recipe", ...]


class Default(NamedTuple):
    """`value`, or `otherwise` where that is None or empty."""

    value: "Recipe"
    otherwise: "Recipe"


class Sequence(NamedTuple):
    """A tuple or list; what it is joined to is a text, itself it is none."""

    items: tuple["Recipe", ...]


class Mapping(NamedTuple):
    """A dictionary of texts by key."""

    items: tuple[tuple[str, "Recipe"], ...]


class Item(NamedTuple):
    """`of[key]`; with the key None, one of all values. `text` is the expression, for where nothing is found."""

    of: "Recipe"
    key: str | None
    text: str


class Altered(NamedTuple):
    """A text after a function that keeps its words: `dedent`, `strip`, …"""

    function: str
    of: "Recipe"


class Reference(NamedTuple):
    """A dotted name, looked up from the module's own names."""

    names: tuple[str, ...]


class Member(NamedTuple):
    """`self.name` or `cls.name` inside the class `owner` (its qualified name)."""

    owner: str
    name: str


class Call(NamedTuple):
    """A call of a class or function that may be found elsewhere. An argument `*name` is Slot("*name")."""

    function: "Recipe"
    arguments: tuple["Recipe", ...]
    keywords: tuple[tuple[str, "Recipe"], ...]
    text: str


class Caught(NamedTuple):
    """An exception that an `except` around the place has caught: its classes."""

    types: tuple["Recipe", ...]


Recipe = Union[  # noqa: UP007  (a forward reference cannot be joined by |)
    Literal, Slot, Nothing, Joined, Percent, Brace, Choice, Default, Sequence,
    Mapping, Item, Altered, Reference, Member, Call, Caught,
]  # fmt: skip

NOTHING = Nothing()
_CLOSED = (Literal, Slot, Nothing)


def is_closed(recipe: Recipe) -> bool:
    """Return whether no name in a recipe has to be looked up in other files."""
    if isinstance(recipe, _CLOSED):
        return True
    if isinstance(recipe, Joined):
        return all(map(is_closed, recipe.parts))
    if isinstance(recipe, Percent | Brace):
        return is_closed(recipe.format)
    if isinstance(recipe, Choice):
        return all(map(is_closed, recipe.options))
    if isinstance(recipe, Sequence):
        return all(map(is_closed, recipe.items))
    if isinstance(recipe, Default):
        return is_closed(recipe.value) and is_closed(recipe.otherwise)
    return isinstance(recipe, Altered) and is_closed(recipe.of)


def names_in(recipe: Recipe) -> Iterator[str]:
    """Yield the names that a recipe mentions: parameters in slots, whole and last names of references and members."""
    waiting: list[object] = [recipe]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Slot):
            yield at.name
        elif isinstance(at, Reference):
            yield from (at.names[0], at.names[-1], ".".join(at.names))
        elif isinstance(at, Member):
            yield from (at.name, at.owner)
        elif isinstance(at, tuple):
            waiting += at
