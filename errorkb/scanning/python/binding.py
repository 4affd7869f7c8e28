"""Scanning, Python: a function's parameters, bound to the texts that a call gives."""

from errorkb.scanning.python.evaluation import Evaluation
from errorkb.scanning.python.facts import Parameters
from errorkb.scanning.python.texts import Text
from errorkb.scanning.python.throwing import Given


def bind(parameters: Parameters, given: Given, evaluation: Evaluation) -> dict[str, list[Text]]:
    """Return the texts of a function's parameters where it is called with these arguments.

    A parameter that is not given is bound to its default's texts: none where that is None.
    """
    names = parameters.names
    bound = dict(zip(names, given.positional, strict=False))
    for number, texts in enumerate(given.positional[len(names) :]):
        bound[f"*{parameters.star}{number}"] = texts
    for name, texts in given.keywords.items():
        bound[name if name in names or name in parameters.by_name_only else f"={name}"] = texts
    for name, default in parameters.defaults:
        if name not in bound:
            bound[name] = evaluation.within(None, {}).texts(default)
    return bound
