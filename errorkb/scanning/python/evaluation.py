"""Scanning, Python: recipes to texts, with what is known about the names in them."""

import inspect
import textwrap
from collections.abc import Callable, Mapping
from itertools import count, islice, product
from typing import Protocol

from errorkb.scanning.python import recipes
from errorkb.scanning.python.recipes import Recipe, Slot
from errorkb.scanning.python.texts import MOST_TEXTS, Text, formatted, joined, literal, unknown
from errorkb.scanning.sites import Placeholders

MOST_DEPTH = 40
MOST_STEPS = 5000


class Names(Protocol):
    """What the names of one module mean; linking knows, a file by itself does not."""

    def texts_of(self, recipe: Recipe, evaluation: "Evaluation") -> list[Text]: ...


class Evaluation:
    """Evaluates the recipes of one site.

    `bound` are the texts that a function's parameters (and `self.name`) have where it is called; a slot of that
    name is filled by them if they have words. `*name` and `**name` are bound like this too. `calling` are the
    functions that are being evaluated, by identity: one that calls itself brings no text by that.
    """

    def __init__(self, names: Names | None = None, bound: Mapping[str, list[Text]] | None = None) -> None:
        self.names = names
        self.bound = bound or {}
        self.calling: frozenset[int] = frozenset()
        self.depth = 0
        self._steps = count()

    def texts(self, recipe: Recipe) -> list[Text]:
        """Return what a recipe may come to, at most MOST_TEXTS; a slot stands for what is not known."""
        evaluate = _EVALUATE.get(type(recipe), _looked_up)
        if self.depth > MOST_DEPTH or next(self._steps) > MOST_STEPS:
            return [unknown()]
        self.depth += 1
        try:
            return evaluate(self, recipe)[:MOST_TEXTS]
        finally:
            self.depth -= 1

    def within(self, names: Names | None, bound: Mapping[str, list[Text]]) -> "Evaluation":
        """Return an evaluation in another module, with other parameters, that counts on with this one."""
        inner = Evaluation(names, bound)
        inner._steps, inner.depth, inner.calling = self._steps, self.depth, self.calling
        return inner

    def calls(self, function: object) -> bool:
        """Note that a function is evaluated from here on; say whether that is so for the first time."""
        is_first = id(function) not in self.calling
        self.calling |= {id(function)}
        return is_first


def _literal(evaluation: Evaluation, recipe: recipes.Literal) -> list[Text]:
    return [literal(recipe.text)]


def _slot(evaluation: Evaluation, recipe: Slot) -> list[Text]:
    texts = evaluation.bound.get(recipe.name)
    if texts and any(text.has_words for text in texts):
        return texts
    return [unknown(recipe.name, recipe.suffix)]


def _nothing(evaluation: Evaluation, recipe: recipes.Nothing) -> list[Text]:
    return []


def _joined(evaluation: Evaluation, recipe: recipes.Joined) -> list[Text]:
    options = [evaluation.texts(part) or [literal("")] for part in recipe.parts]
    return [joined(texts) for texts in islice(product(*options), MOST_TEXTS)]


def _percent(evaluation: Evaluation, recipe: recipes.Percent) -> list[Text]:
    return _filled(evaluation, recipe, "percent")


def _brace(evaluation: Evaluation, recipe: recipes.Brace) -> list[Text]:
    return _filled(evaluation, recipe, "brace")


def _filled(evaluation: Evaluation, recipe: recipes.Percent | recipes.Brace, style: Placeholders) -> list[Text]:
    return [
        text
        for pattern in evaluation.texts(recipe.format)
        for text in _fill(_as_format(pattern, style), _values(evaluation, recipe))
    ][:MOST_TEXTS]


def _as_format(text: Text, style: Placeholders) -> Text:
    """Return a text as a format string; one that was composed is read piece by piece."""
    if text.style:
        return text
    if len(text.pieces) == 1 and isinstance(text.pieces[0], str):
        return formatted(text.pieces[0], style)
    pieces = [formatted(piece, style) if isinstance(piece, str) else Text((piece,)) for piece in text.pieces]
    return joined(pieces) if pieces else text


def _values(evaluation: Evaluation, recipe: recipes.Percent | recipes.Brace) -> dict[str, list[Text]]:
    """Return the texts, by slot, that a caller's arguments bring; others stay slots."""
    if not evaluation.bound:
        return {}
    named = [(str(number), argument) for number, argument in enumerate(recipe.arguments)]
    values = {name: evaluation.texts(argument) for name, argument in (*named, *recipe.keywords)}
    if "**" in values:
        values = {name[1:]: texts for name, texts in evaluation.bound.items() if name[:1] == "="} | values
    return {name: texts for name, texts in values.items() if any(text.has_words for text in texts)}


def _fill(pattern: Text, values: dict[str, list[Text]]) -> list[Text]:
    names: list[str] = []
    for piece in pattern.pieces:
        if isinstance(piece, Slot):
            names.append(piece.name or str(sum(name.isdigit() for name in names)))
    if not any(name in values for name in names):
        return [pattern]
    numbered = iter(names)
    options = [
        [literal(piece)] if isinstance(piece, str) else values.get(next(numbered), [Text((piece,))])
        for piece in pattern.pieces
    ]
    return [joined(texts) for texts in islice(product(*options), MOST_TEXTS)]


def _choice(evaluation: Evaluation, recipe: recipes.Choice) -> list[Text]:
    return [text for option in recipe.options for text in evaluation.texts(option)]


def _default(evaluation: Evaluation, recipe: recipes.Default) -> list[Text]:
    """Take the value where a caller gives one, else the other; both where nobody knows."""
    value = recipe.value
    if isinstance(value, Slot) and value.name in evaluation.bound:
        given = evaluation.bound[value.name]
        return evaluation.texts(value) if given else evaluation.texts(recipe.otherwise)
    return evaluation.texts(value) + evaluation.texts(recipe.otherwise)


def _sequence(evaluation: Evaluation, recipe: recipes.Sequence) -> list[Text]:
    return [unknown()]


def _mapping(evaluation: Evaluation, recipe: recipes.Mapping) -> list[Text]:
    return [unknown()]


def _item(evaluation: Evaluation, recipe: recipes.Item) -> list[Text]:
    if isinstance(recipe.of, recipes.Mapping):
        found = [value for key, value in recipe.of.items if recipe.key in (None, key)]
        texts = [text for value in found for text in evaluation.texts(value)]
        return texts or [unknown(recipe.text)]
    return _looked_up(evaluation, recipe)


def _altered(evaluation: Evaluation, recipe: recipes.Altered) -> list[Text]:
    change = _ALTERATIONS[recipe.function]
    return [_alter(text, recipe.function, change) for text in evaluation.texts(recipe.of)]


def _alter(text: Text, name: str, change: Callable[[str], str]) -> Text:
    if text.style:
        return formatted(change(text.message), text.style)
    if len(text.pieces) == 1 and isinstance(text.pieces[0], str):
        return literal(change(text.pieces[0]))
    pieces = list(text.pieces)
    if name in ("strip", "lstrip") and pieces and isinstance(pieces[0], str):
        pieces[0] = pieces[0].lstrip()
    if name in ("strip", "rstrip") and pieces and isinstance(pieces[-1], str):
        pieces[-1] = pieces[-1].rstrip()
    return Text(tuple(pieces))


_ALTERATIONS: dict[str, Callable[[str], str]] = {
    "strip": str.strip,
    "lstrip": str.lstrip,
    "rstrip": str.rstrip,
    "lower": str.lower,
    "upper": str.upper,
    "capitalize": str.capitalize,
    "dedent": textwrap.dedent,
    "cleandoc": inspect.cleandoc,
}


def _looked_up(evaluation: Evaluation, recipe: Recipe) -> list[Text]:
    if evaluation.names:
        return evaluation.names.texts_of(recipe, evaluation)
    return [unknown(name_of(recipe))]


def name_of(recipe: Recipe) -> str:
    """Return the expression of a recipe that nothing was found for."""
    if isinstance(recipe, recipes.Reference):
        return ".".join(recipe.names)
    if isinstance(recipe, recipes.Member):
        return f"self.{recipe.name}"
    return getattr(recipe, "text", "")


_EVALUATE: dict[type, Callable[..., list[Text]]] = {
    recipes.Literal: _literal,
    Slot: _slot,
    recipes.Nothing: _nothing,
    recipes.Joined: _joined,
    recipes.Percent: _percent,
    recipes.Brace: _brace,
    recipes.Choice: _choice,
    recipes.Default: _default,
    recipes.Sequence: _sequence,
    recipes.Mapping: _mapping,
    recipes.Item: _item,
    recipes.Altered: _altered,
}
