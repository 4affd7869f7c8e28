"""Scanning, Python: what names of a module of the tree come to as texts."""

from collections.abc import Iterator

from errorkb.scanning.python import recipes
from errorkb.scanning.python.binding import bind
from errorkb.scanning.python.evaluation import Evaluation, name_of
from errorkb.scanning.python.recipes import Recipe
from errorkb.scanning.python.texts import Text, unknown
from errorkb.scanning.python.throwing import given_by
from errorkb.scanning.python.trees import Found, FoundClass, FoundConstant, FoundFunction, Module, Tree

# Where an instance's dictionary is collected from its classes' by a framework: Django's and REST framework's fields.
_COLLECTED = {"error_messages": "default_error_messages"}


class ModuleNames:
    """The names of one module; `self.name` is looked up from the class `instance`, where one is known."""

    def __init__(self, tree: Tree, module: Module, instance: FoundClass | None = None) -> None:
        self._tree = tree
        self._module = module
        self._instance = instance

    def texts_of(self, recipe: Recipe, evaluation: Evaluation) -> list[Text]:
        """Return the texts that a name, an item or a call comes to; one slot where nothing is found."""
        texts: list[Text] = []
        if isinstance(recipe, recipes.Reference | recipes.Member):
            texts = self._of_name(recipe, evaluation)
        elif isinstance(recipe, recipes.Item):
            texts = self._of_item(recipe, evaluation)
        elif isinstance(recipe, recipes.Call):
            texts = self._of_call(recipe, evaluation)
        return texts or [unknown(name_of(recipe))]

    def found(self, recipe: Recipe) -> Found | None:
        """Return what a reference or member stands for."""
        if isinstance(recipe, recipes.Reference):
            return self._tree.find(self._module, recipe.names)
        if isinstance(recipe, recipes.Member):
            owner = self._instance or self._tree.class_named(self._module, recipe.owner)
            return self._tree.member(owner, recipe.name) if owner else None
        return None

    def elsewhere(self, found: FoundConstant | FoundFunction) -> "ModuleNames":
        """Return the names of the module where something was found."""
        return ModuleNames(self._tree, found.module, self._instance)

    def _of_name(self, recipe: recipes.Reference | recipes.Member, evaluation: Evaluation) -> list[Text]:
        if isinstance(recipe, recipes.Member):
            bound = evaluation.bound.get(f"self.{recipe.name}", [])
            if any(text.has_words for text in bound):
                return bound
        found = self.found(recipe)
        if not isinstance(found, FoundConstant):
            return []
        return evaluation.within(self.elsewhere(found), {}).texts(found.recipe)

    def _of_item(self, recipe: recipes.Item, evaluation: Evaluation) -> list[Text]:
        texts: list[Text] = []
        for constant in self._mappings(recipe.of):
            mapping = constant.recipe
            if not isinstance(mapping, recipes.Mapping):
                continue
            inner = evaluation.within(self.elsewhere(constant), {})
            values = [value for key, value in mapping.items if recipe.key in (None, key)]
            texts += [text for value in values for text in inner.texts(value)]
            if texts and recipe.key is not None:
                break
        return texts

    def _mappings(self, of: Recipe) -> Iterator[FoundConstant]:
        """Yield the dictionaries that a name stands for; of a class's, those of its bases behind it."""
        if not isinstance(of, recipes.Member):
            found = self.found(of)
            if isinstance(found, FoundConstant):
                yield found
            return
        owner = self._instance or self._tree.class_named(self._module, of.owner)
        for ancestor in self._tree.ancestors(owner) if owner else ():
            for name in (of.name, _COLLECTED.get(of.name, "")):
                recipe = ancestor.facts.attributes.get(name)
                if recipe is not None:
                    yield FoundConstant(ancestor.module, recipe, ancestor)

    def _of_call(self, recipe: recipes.Call, evaluation: Evaluation) -> list[Text]:
        found = self.found(recipe.function)
        if not isinstance(found, FoundFunction) or found.facts is None:
            return []
        bound = bind(found.facts.parameters, given_by(recipe, evaluation), evaluation)
        inner = evaluation.within(self.elsewhere(found), bound)
        if not inner.calls(found.facts):
            return []
        return [text for value in found.facts.returns for text in inner.texts(value)]
