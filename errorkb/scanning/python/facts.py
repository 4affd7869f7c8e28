"""Scanning, Python: what a file offers to others and asks of them; the part of FileFacts that linking reads."""

from dataclasses import dataclass, field
from typing import NamedTuple

from errorkb.scanning.python.recipes import Call, Recipe


class Parameters(NamedTuple):
    """A function's parameters without `self`: those given by position, by name only, defaults, `*args`, `**kwargs`."""

    names: tuple[str, ...]
    by_name_only: tuple[str, ...]
    defaults: tuple[tuple[str, Recipe], ...]
    star: str
    double_star: str


class FunctionFacts(NamedTuple):
    """A function: what it returns, one of these on each path."""

    parameters: Parameters
    returns: tuple[Recipe, ...]


class InitFacts(NamedTuple):
    """An exception's `__init__`: what it hands to its base's, and the attributes that it sets on `self`."""

    parameters: Parameters
    handed_on: Call | None
    attributes: tuple[tuple[str, Recipe], ...]


class ClassFacts(NamedTuple):
    """A class: bases as dotted names, texts among its attributes, and how it makes its own text as an exception."""

    bases: tuple[tuple[str, ...], ...]
    attributes: dict[str, Recipe]
    init: InitFacts | None
    text: FunctionFacts | None


class Import(NamedTuple):
    """An imported name: `from ..a import b` is level 2, module `a`, name `b`; a module itself has the name None."""

    level: int
    module: str
    name: str | None


class Waiting(NamedTuple):
    """A site whose text is looked up in the tree: its number in FileFacts.sites, from 0, and what it throws or says.

    `helper` names the function whose callers may bring the text (empty where none may); `owner` is the class.
    """

    number: int
    recipe: Recipe
    throws: bool
    helper: str
    parameters: Parameters | None


class HelperCall(NamedTuple):
    """A call of a function whose name sounds as if it raised; `owner` is the class around it."""

    call: Call


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """Everything that linking needs of a file."""

    waiting: tuple[Waiting, ...] = ()
    calls: tuple[HelperCall, ...] = ()
    classes: dict[str, ClassFacts] = field(default_factory=dict)
    constants: dict[str, Recipe] = field(default_factory=dict)
    functions: dict[str, FunctionFacts] = field(default_factory=dict)
    imports: dict[str, Import] = field(default_factory=dict)
    stars: tuple[Import, ...] = ()
