"""Scanning, Python: the files of one tree together: texts that classes, constants and callers elsewhere bring."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from errorkb.scanning.python import recipes
from errorkb.scanning.python.binding import bind
from errorkb.scanning.python.class_texts import ClassTexts
from errorkb.scanning.python.evaluation import Evaluation
from errorkb.scanning.python.facts import HelperCall, ModuleFacts, Waiting
from errorkb.scanning.python.names import ModuleNames
from errorkb.scanning.python.recipes import Recipe
from errorkb.scanning.python.texts import MOST_TEXTS, Text, wordings_of
from errorkb.scanning.python.throwing import NOTHING_GIVEN, Thrown, given_by, text_of_arguments
from errorkb.scanning.python.trees import FoundClass, FoundConstant, FoundFunction, Module, Tree
from errorkb.scanning.sites import FileFacts, ThrowSite

MOST_CALLERS = 200
MOST_HOPS = 12


def link(files: Iterable[FileFacts]) -> Iterator[ThrowSite]:
    """Yield all throw sites of the files of one tree, each file's in the order of its source.

    Sites that name a class, a constant or a function of another file get the text that this gives them; a helper's
    site gets those that its callers pass. Files with a problem yield nothing.
    """
    kept = list(files)
    facts = [(file.path, file.unlinked) for file in kept if isinstance(file.unlinked, ModuleFacts)]
    linker = _Linker(Tree(facts))
    modules = {module.path: module for module in linker.tree.modules}
    for file in kept:
        module = modules.get(file.path)
        yield from linker.sites(file, module) if module else file.sites


class _Linker:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._class_texts = ClassTexts(tree)
        self._helpers = {
            waiting.helper.rpartition(".")[2]
            for module in tree.modules
            for waiting in module.facts.waiting
            if waiting.helper
        }
        self._calls: dict[str, list[tuple[Module, HelperCall]]] = {}
        for module in tree.modules:
            for call in module.facts.calls:
                name = _last_name(call.call.function)
                if name in self._helpers:
                    self._calls.setdefault(name, []).append((module, call))

    def sites(self, file: FileFacts, module: Module) -> Iterator[ThrowSite]:
        waiting = {item.number: item for item in module.facts.waiting}
        for number, site in enumerate(file.sites):
            linked = self._linked(site, waiting[number], module) if number in waiting else site
            if linked.wordings or not _is_exit(linked, waiting.get(number)):
                yield linked

    def _linked(self, site: ThrowSite, waiting: Waiting, module: Module) -> ThrowSite:
        thrown = self.thrown(waiting, Evaluation(ModuleNames(self.tree, module)), module)
        passed = self._passed_by_callers(waiting, module) if waiting.helper else []
        thrown = passed or thrown
        wordings, known = wordings_of(text for each in thrown for text in each.texts)
        first = next((each for each in thrown if each.type), None)
        return replace(
            site,
            wordings=wordings,
            text="partly" if passed else known,
            exception_type=first.type if first and waiting.throws else site.exception_type,
            exception_bases=first.bases if first else (),
            code=site.code or (first.code if first else ""),
        )

    def thrown(self, waiting: Waiting, evaluation: Evaluation, module: Module) -> list[Thrown]:
        if not waiting.throws:
            return [Thrown("", evaluation.texts(waiting.recipe))]
        return self._thrown(waiting.recipe, evaluation, module, 0)

    def _thrown(self, recipe: Recipe, evaluation: Evaluation, module: Module, hops: int) -> list[Thrown]:
        """Return the exceptions that a recipe comes to, one for each path."""
        if hops > MOST_HOPS:
            return []
        if isinstance(recipe, recipes.Choice):
            options = recipe.options[:MOST_TEXTS]
            return [each for option in options for each in self._thrown(option, evaluation, module, hops + 1)]
        if isinstance(recipe, recipes.Default):
            both = (recipe.value, recipe.otherwise)
            return [each for option in both for each in self._thrown(option, evaluation, module, hops + 1)]
        if isinstance(recipe, recipes.Call):
            return self._called(recipe, evaluation, module, hops)
        if isinstance(recipe, recipes.Reference | recipes.Member):
            return self._named(recipe, evaluation, module, hops)
        return []

    def _called(self, call: recipes.Call, evaluation: Evaluation, module: Module, hops: int) -> list[Thrown]:
        function = call.function
        if isinstance(function, recipes.Choice | recipes.Default):
            options = function.options if isinstance(function, recipes.Choice) else tuple(function)
            calls = [call._replace(function=option) for option in options[:MOST_TEXTS]]
            return [each for one in calls for each in self._called(one, evaluation, module, hops + 1)]
        names = evaluation.names if isinstance(evaluation.names, ModuleNames) else ModuleNames(self.tree, module)
        found = names.found(function)
        given = given_by(call, evaluation)
        if isinstance(found, FoundClass):
            return [self._of_class(found, self._class_texts.texts(found, given, evaluation))]
        if isinstance(found, FoundFunction):
            return self._returned(found, call, evaluation, hops) or [Thrown("", text_of_arguments(given))]
        if isinstance(function, recipes.Caught):
            return [Thrown(only_type(function), text_of_arguments(given))]
        name = self._outer_name(function, module)
        return [Thrown(name, text_of_arguments(given, name))]

    def _outer_name(self, recipe: Recipe, module: Module) -> str:
        """Return the own name of a class outside the tree, whatever the module has imported it as."""
        if isinstance(recipe, recipes.Reference) and len(recipe.names) == 1:
            imported = module.facts.imports.get(recipe.names[0])
            if imported and imported.name:
                return type_name(recipes.Reference((imported.name,)))
        return type_name(recipe)

    def _returned(self, found: FoundFunction, call: recipes.Call, evaluation: Evaluation, hops: int) -> list[Thrown]:
        if found.facts is None:
            return []
        bound = bind(found.facts.parameters, given_by(call, evaluation), evaluation)
        inner = evaluation.within(ModuleNames(self.tree, found.module), bound)
        values = found.facts.returns
        return [each for value in values for each in self._thrown(value, inner, found.module, hops + 1)]

    def _named(
        self, recipe: recipes.Reference | recipes.Member, evaluation: Evaluation, module: Module, hops: int
    ) -> list[Thrown]:
        names = evaluation.names if isinstance(evaluation.names, ModuleNames) else ModuleNames(self.tree, module)
        found = names.found(recipe)
        if isinstance(found, FoundClass):
            return [self._of_class(found, self._class_texts.texts(found, NOTHING_GIVEN, evaluation))]
        if isinstance(found, FoundConstant):
            inner = evaluation.within(ModuleNames(self.tree, found.module), {})
            return self._thrown(found.recipe, inner, found.module, hops + 1)
        return [Thrown(self._outer_name(recipe, module), [])]

    def _of_class(self, found: FoundClass, texts: list[Text]) -> Thrown:
        return Thrown(found.last_name, texts, self.tree.base_names(found), self._class_texts.code(found))

    def _passed_by_callers(self, waiting: Waiting, module: Module) -> list[Thrown]:
        """Return what a helper throws for those of its callers that pass it words."""
        thrown: list[Thrown] = []
        parameters = waiting.parameters
        if parameters is None:
            return []
        for caller, call in self._calls.get(waiting.helper.rpartition(".")[2], [])[:MOST_CALLERS]:
            if not self._calls_this(call, caller, waiting.helper, module):
                continue
            outer = Evaluation(ModuleNames(self.tree, caller))
            bound = bind(parameters, given_by(call.call, outer), outer)
            inner = outer.within(ModuleNames(self.tree, module), bound)
            found = self.thrown(waiting, inner, module)
            thrown += [each for each in found if any(text.has_words for text in each.texts)]
        return thrown[: MOST_TEXTS * 2]

    def _calls_this(self, call: HelperCall, caller: Module, helper: str, module: Module) -> bool:
        function = call.call.function
        if isinstance(function, recipes.Member):
            owner = self.tree.class_named(caller, function.owner)
            ancestors = self.tree.ancestors(owner) if owner else []
            return any(one.module is module and f"{one.name}.{function.name}" == helper for one in ancestors)
        found = ModuleNames(self.tree, caller).found(function)
        return isinstance(found, FoundFunction) and found.module is module and found.name == helper


def _is_exit(site: ThrowSite, waiting: Waiting | None) -> bool:
    """Return whether a site is a call of `sys.exit`: without a text it is no error, but a status."""
    return site.exception_type == "SystemExit" and waiting is not None and not waiting.throws


def type_name(recipe: Recipe) -> str:
    """Return the own name of the class that a name outside the tree means; nothing for names of variables."""
    if not isinstance(recipe, recipes.Reference | recipes.Member | recipes.Slot):
        return ""
    name = _last_name(recipe)
    is_class = name.lstrip("_")[:1].isupper() or (isinstance(recipe, recipes.Reference) and _is_old_class(name))
    return name if is_class else ""


def _is_old_class(name: str) -> bool:
    """Return whether a name is that of a class from when classes were written small: `socket.timeout`."""
    return "_" not in name and name.endswith(("error", "exception", "timeout", "warning", "interrupt", "exit"))


def only_type(caught: recipes.Caught) -> str:
    """Return the class of a caught exception where it can be but one."""
    return type_name(caught.types[0]) if len(caught.types) == 1 else ""


def _last_name(recipe: Recipe) -> str:
    if isinstance(recipe, recipes.Reference):
        return recipe.names[-1]
    return recipe.name.rpartition(".")[2] if isinstance(recipe, recipes.Member | recipes.Slot) else ""
