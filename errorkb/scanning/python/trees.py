"""Scanning, Python: the modules of one tree: what a dotted name in one of them stands for."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Union

from errorkb.scanning.python.facts import ClassFacts, FunctionFacts, Import, ModuleFacts
from errorkb.scanning.python.recipes import Recipe, Reference

MOST_HOPS = 12
MOST_ANCESTORS = 30


class Module:
    """A file of the tree by its dotted path; a package's `__init__` has the package's."""

    __slots__ = ("facts", "is_package", "parts", "path")

    def __init__(self, path: str, facts: ModuleFacts) -> None:
        parts = path.removesuffix(".py").split("/")
        self.is_package = parts[-1] == "__init__"
        self.parts = tuple(parts[:-1] if self.is_package else parts)
        self.path = path
        self.facts = facts


class FoundClass(NamedTuple):
    """A class of the tree."""

    module: Module
    name: str
    facts: ClassFacts

    @property
    def last_name(self) -> str:
        return self.name.rpartition(".")[2]


class FoundFunction(NamedTuple):
    """A function or method of the tree."""

    module: Module
    name: str
    facts: FunctionFacts | None


class FoundConstant(NamedTuple):
    """A module's or class's constant."""

    module: Module
    recipe: Recipe
    owner: FoundClass | None = None


Found = Union[FoundClass, FoundFunction, FoundConstant, Module]  # noqa: UP007


class Tree:
    """All modules of a tree, findable by the names under which they are imported."""

    def __init__(self, files: Iterable[tuple[str, ModuleFacts]]) -> None:
        self.modules = [Module(path, facts) for path, facts in files]
        packages = {module.parts for module in self.modules if module.is_package}
        self._by_name: dict[tuple[str, ...], Module] = {}
        for module in sorted(self.modules, key=lambda module: len(module.parts)):
            for name in _import_names(module.parts, packages):
                self._by_name.setdefault(name, module)
        self._by_path = {module.parts: module for module in self.modules}
        self._ancestors: dict[tuple[str, str], list[FoundClass]] = {}

    def find(self, module: Module, names: tuple[str, ...], hops: int = 0) -> Found | None:
        """Return what a dotted name in a module stands for; None where the tree does not hold it."""
        if hops > MOST_HOPS:
            return None
        if not names:
            return module
        facts = module.facts
        own = self._own(module, names, hops)
        if own:
            return own
        imported = facts.imports.get(names[0])
        if imported:
            return self._imported(module, imported, names[1:], hops + 1)
        for star in facts.stars:
            found = self._imported(module, star._replace(name=names[0]), names[1:], hops + 1)
            if found:
                return found
        return None

    def ancestors(self, found: FoundClass) -> list[FoundClass]:
        """Return a class and those it inherits from, nearest first, as far as the tree holds them."""
        key = (found.module.path, found.name)
        if key not in self._ancestors:
            self._ancestors[key] = list(self._walk_bases(found))
        return self._ancestors[key]

    def base_names(self, found: FoundClass) -> tuple[str, ...]:
        """Return the own names of all bases, those outside the tree included, nearest first."""
        names = [base[-1] for ancestor in self.ancestors(found) for base in ancestor.facts.bases]
        return tuple(dict.fromkeys(name for name in names if name != "object"))

    def class_named(self, module: Module, name: str) -> FoundClass | None:
        """Return the class of a qualified name in a module."""
        facts = module.facts.classes.get(name)
        return FoundClass(module, name, facts) if facts else None

    def _walk_bases(self, found: FoundClass) -> Iterator[FoundClass]:
        waiting = [found]
        seen: set[tuple[str, str]] = set()
        while waiting and len(seen) < MOST_ANCESTORS:
            at = waiting.pop(0)
            if (at.module.path, at.name) in seen:
                continue
            seen.add((at.module.path, at.name))
            yield at
            bases = [self._base(at, base) for base in at.facts.bases]
            waiting = [base for base in bases if isinstance(base, FoundClass)] + waiting

    def _base(self, found: FoundClass, base: tuple[str, ...]) -> Found | None:
        outer = found.name.rpartition(".")[0]
        inner = self.class_named(found.module, f"{outer}.{base[0]}") if outer and len(base) == 1 else None
        return inner or self.find(found.module, base)

    def _own(self, module: Module, names: tuple[str, ...], hops: int) -> Found | None:
        facts = module.facts
        whole = ".".join(names)
        if whole in facts.classes:
            return FoundClass(module, whole, facts.classes[whole])
        if whole in facts.functions:
            return FoundFunction(module, whole, facts.functions[whole])
        recipe = facts.constants.get(names[0])
        if recipe is not None:
            if isinstance(recipe, Reference) and recipe.names[0] != names[0]:
                return self.find(module, (*recipe.names, *names[1:]), hops + 1)
            return FoundConstant(module, recipe) if len(names) == 1 else None
        owner = self.class_named(module, ".".join(names[:-1])) if len(names) > 1 else None
        return self.member(owner, names[-1], hops) if owner else None

    def member(self, owner: FoundClass, name: str, hops: int = 0) -> Found | None:
        """Return an attribute or method of a class, inherited ones included."""
        for ancestor in self.ancestors(owner):
            recipe = ancestor.facts.attributes.get(name)
            if isinstance(recipe, Reference) and hops < MOST_HOPS:
                return self.find(ancestor.module, recipe.names, hops + 1)
            if recipe is not None:
                return FoundConstant(ancestor.module, recipe, ancestor)
            qualified = f"{ancestor.name}.{name}"
            function = ancestor.module.facts.functions.get(qualified)
            if function:
                return FoundFunction(ancestor.module, qualified, function)
        return None

    def _imported(self, module: Module, imported: Import, rest: tuple[str, ...], hops: int) -> Found | None:
        names = tuple(imported.module.split(".")) if imported.module else ()
        target = self._module(module, imported.level, names)
        wanted = rest if imported.name is None else (imported.name, *rest)
        if target and target is not module:
            found = self.find(target, wanted, hops)
            if found:
                return found
        if not wanted:
            return None
        inner = self._module(module, imported.level, (*names, wanted[0]))
        if inner is None and imported.name is None and len(wanted) > 1:
            return (
                self._imported(module, imported._replace(module=".".join((*names, wanted[0]))), wanted[1:], hops + 1)
                if hops < MOST_HOPS
                else None
            )
        return self.find(inner, wanted[1:], hops) if inner else None

    def _module(self, module: Module, level: int, names: tuple[str, ...]) -> Module | None:
        if not level:
            return self._by_name.get(names)
        up = level - 1 if module.is_package else level
        base = module.parts[: len(module.parts) - up] if up else module.parts
        return self._by_path.get((*base, *names))


def _import_names(parts: tuple[str, ...], packages: set[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield the names that a module may be imported by: its path from any folder that is no package."""
    for start in range(len(parts)):
        if start == 0 or parts[:start] not in packages:
            yield parts[start:]
