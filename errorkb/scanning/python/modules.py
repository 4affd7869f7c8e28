"""Scanning, Python: what a module offers by name: imports, constants, classes, functions."""

import ast
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from errorkb.scanning.python.facts import ClassFacts, FunctionFacts, Import
from errorkb.scanning.python.functions import class_facts, constant_of, function_facts, parameters_of
from errorkb.scanning.python.recipes import Recipe, Reference
from errorkb.scanning.python.scopes import Function, Place, Scope
from errorkb.scanning.python.sources import Source, dotted_name
from errorkb.scanning.python.words import offsets_of

MOST_CONSTANTS = 2000
MOST_STARS = 64
# Functions that may make a message or an exception for sites in other files.
_MAKES_TEXT = re.compile(r"err|exc|msg|message|fail|warn|reason|hint|raise|invalid|describe", re.IGNORECASE)
_EXCEPTION_NAME = re.compile(r"(?:Error|Exception|Warning|Exit|Interrupt|Fault|Failure|Denied|NotFound|Http\w*)$")
_INNER_IMPORT = re.compile(
    r"[ \t]+(?:from[ \t]+(\.{0,9})([\w.]{0,200})[ \t]+import[ \t]+(\([^()]{0,4000}\)|[^\n(]{0,400})"
    r"|import[ \t]+([\w.]{1,200})(?:[ \t]+as[ \t]+(\w{1,100}))?[ \t]*$)",
    re.MULTILINE,
)
_IMPORTED = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")
_COMMENT = re.compile(r"#[^\n]*")


class Offers(NamedTuple):
    """The module's own names. Functions and classes are kept as nodes until it is known which are asked for."""

    imports: dict[str, Import]
    stars: list[Import]
    constants: dict[str, tuple[ast.expr, Place]]
    functions: dict[str, tuple[Function, str]]
    classes: dict[str, ast.ClassDef]

    def holds(self, name: str) -> bool:
        """Return whether a name means something else than the builtin of that name."""
        own = name in self.imports or name in self.constants or name in self.functions or name in self.classes
        return own or bool(self.stars)


def offers_of(module: Scope, source: Source) -> Offers:
    """Return what stands at a module's top level, below its `if`s and `try`s too, and in its classes."""
    offers = Offers({}, [], {}, {}, {})
    waiting = [module.blocks.root]
    while waiting:
        block = waiting.pop()
        for index, statement in enumerate(block.statements):
            add = _ADD.get(type(statement))
            if add:
                add(offers, statement, Place(module, block, index))
            else:
                waiting += module.blocks.below(statement, block, index)
    _add_inner_imports(offers, source.text)
    return offers


def _add_import(offers: Offers, statement: ast.Import, place: Place) -> None:
    for alias in statement.names:
        root = alias.name.partition(".")[0]
        offers.imports[alias.asname or root] = Import(0, alias.name if alias.asname else root, None)


def _add_from(offers: Offers, statement: ast.ImportFrom, place: Place) -> None:
    for alias in statement.names:
        imported = Import(statement.level, statement.module or "", alias.name)
        if alias.name == "*":
            _add_star(offers, imported)
        else:
            offers.imports[alias.asname or alias.name] = imported


def _add_star(offers: Offers, imported: Import) -> None:
    if len(offers.stars) < MOST_STARS and imported not in offers.stars:
        offers.stars.append(imported)


def _add_constant(offers: Offers, statement: ast.Assign | ast.AnnAssign, place: Place) -> None:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    for target in targets:
        if isinstance(target, ast.Name) and statement.value and len(offers.constants) < MOST_CONSTANTS:
            offers.constants[target.id] = (statement.value, place)


def _add_function(offers: Offers, statement: Function, place: Place) -> None:
    offers.functions[statement.name] = (statement, "")


def _add_class(offers: Offers, statement: ast.ClassDef, place: Place) -> None:
    waiting = [(statement.name, statement)]
    while waiting:
        name, node = waiting.pop()
        offers.classes[name] = node
        for inner in node.body:
            if isinstance(inner, ast.ClassDef):
                waiting.append((f"{name}.{inner.name}", inner))
            elif isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                offers.functions[f"{name}.{inner.name}"] = (inner, name)


_ADD: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Import: _add_import,
    ast.ImportFrom: _add_from,
    ast.Assign: _add_constant,
    ast.AnnAssign: _add_constant,
    ast.FunctionDef: _add_function,
    ast.AsyncFunctionDef: _add_function,
    ast.ClassDef: _add_class,
}


def _add_inner_imports(offers: Offers, text: str) -> None:
    """Add what functions import for themselves, where the module has nothing of that name."""
    for at in offsets_of("import", text):
        start = text.rfind("\n", max(0, at - 400), at) + 1
        found = _INNER_IMPORT.match(text, start) if start else None
        if found and found[4]:
            root = found[4].partition(".")[0]
            offers.imports.setdefault(found[5] or root, Import(0, found[4] if found[5] else root, None))
        elif found:
            for name, alias in _IMPORTED.findall(_COMMENT.sub("", found[3])):
                offers.imports.setdefault(alias or name, Import(len(found[1]), found[2], name))


def asked_functions(offers: Offers, asked: frozenset[str], module: Scope, source: Source) -> dict[str, FunctionFacts]:
    """Return the facts of functions that sites of this file call, and of those that others may.

    A function that says nothing is there too, with no returns: its name is needed to know who calls it.
    """
    return {
        name: facts
        for name, (function, owner) in offers.functions.items()
        if function.name in asked or _MAKES_TEXT.search(function.name) or _returns_exception(function)
        if (facts := function_facts(function, name, owner, module, source) or _silent(function, source, owner))
    }


def _returns_exception(function: Function) -> bool:
    names = dotted_name(function.returns) if function.returns else None
    return bool(names and _EXCEPTION_NAME.search(names[-1]))


def _silent(function: Function, source: Source, owner: str) -> FunctionFacts:
    return FunctionFacts(parameters_of(function, source, is_method=bool(owner)), ())


def asked_classes(offers: Offers, asked: frozenset[str], module: Scope, source: Source) -> dict[str, ClassFacts]:
    """Return the facts of exception classes, and of classes that sites of this file name or stand in."""
    waiting = [name for name, node in offers.classes.items() if _is_wanted(name, node, asked)]
    facts: dict[str, ClassFacts] = {}
    while waiting:
        name = waiting.pop()
        if name not in facts:
            facts[name] = class_facts(offers.classes[name], name, module, source)
            waiting += [base for names in facts[name].bases if (base := ".".join(names)) in offers.classes]
    return facts


def _is_wanted(name: str, node: ast.ClassDef, asked: frozenset[str]) -> bool:
    return (
        name in asked or node.name in asked or any(_EXCEPTION_NAME.search(each) for each in (name, *_last_names(node)))
    )


def _last_names(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        names = dotted_name(base)
        if names:
            yield names[-1]


def asked_constants(offers: Offers, asked: frozenset[str], source: Source) -> dict[str, Recipe]:
    """Return the constants that sites of this file name, those written in capitals, and other names for classes."""
    constants: dict[str, Recipe] = {}
    for name, (value, place) in offers.constants.items():
        other_name = dotted_name(value) or ("",)
        if name not in asked and not name.isupper() and not _EXCEPTION_NAME.search(other_name[-1]):
            continue
        recipe = constant_of(value, place, source)
        if recipe is not None and recipe != Reference((name,)):
            constants[name] = recipe
    return constants
