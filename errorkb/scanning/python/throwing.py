"""Scanning, Python: what a raised exception says when its class is not in the tree: its arguments' text."""

import builtins
from typing import NamedTuple

from errorkb.scanning.python.evaluation import Evaluation
from errorkb.scanning.python.recipes import Call, Slot
from errorkb.scanning.python.texts import Text, formatted, unknown

BUILTIN_EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
# What is raised with (errno, text): https://docs.python.org/3/library/exceptions.html#OSError
_SYSTEM_ERRORS = frozenset(name for name in BUILTIN_EXCEPTIONS if issubclass(getattr(builtins, name), OSError)) | {
    "error",
    "herror",
    "gaierror",
}
# Keywords that hold an exception's text, the likelier ones first.
_TEXT_KEYWORDS = (
    "message",
    "msg",
    "detail",
    "details",
    "reason",
    "description",
    "text",
    "error",
    "error_message",
    "errmsg",
)


class Given(NamedTuple):
    """The texts that a call's arguments may have, positional ones and by keyword."""

    positional: list[list[Text]]
    keywords: dict[str, list[Text]]


class Thrown(NamedTuple):
    """An exception as it is thrown: its class's own name, the texts it may have, its bases and code."""

    type: str
    texts: list[Text]
    bases: tuple[str, ...] = ()
    code: str = ""


NOTHING_GIVEN = Given([], {})


def given_by(call: Call, evaluation: Evaluation) -> Given:
    """Evaluate a call's arguments; `*args` and `**kwargs` of the function around hand on what that was given."""
    positional: list[list[Text]] = []
    for argument in call.arguments:
        if isinstance(argument, Slot) and argument.name[:1] == "*":
            positional += _handed_on(evaluation, argument.name)
        else:
            positional.append(evaluation.texts(argument))
    keywords = {name: evaluation.texts(value) for name, value in call.keywords if name != "**"}
    if len(keywords) < len(call.keywords):
        keywords |= {name[1:]: texts for name, texts in evaluation.bound.items() if name[:1] == "="}
    return Given(positional, keywords)


def _handed_on(evaluation: Evaluation, star: str) -> list[list[Text]]:
    values: list[list[Text]] = []
    while f"{star}{len(values)}" in evaluation.bound:
        values.append(evaluation.bound[f"{star}{len(values)}"])
    return values


def text_of_arguments(given: Given, name: str = "") -> list[Text]:
    """Return the text of an exception that keeps its arguments: the first with words, else a keyword's."""
    positional = given.positional
    if name in _SYSTEM_ERRORS and len(positional) > 1:
        positional = positional[1:2]
    for number, texts in enumerate(positional):
        if _has_words(texts) and not (number and _is_name(texts)):
            return [_filled_later(text, given, len(positional) - number - 1) for text in texts]
    for keyword in _TEXT_KEYWORDS:
        texts = given.keywords.get(keyword, [])
        if _has_words(texts):
            return [_filled_later(text, given, 0) for text in texts]
    return [unknown()] if positional else []


def _filled_later(text: Text, given: Given, others: int) -> Text:
    """Return a text that is given beside the values of its `%` slots with these slots."""
    if text.style or len(text.pieces) != 1 or not isinstance(text.pieces[0], str) or "%" not in text.pieces[0]:
        return text
    as_format = formatted(text.pieces[0], "percent")
    slots = sum(isinstance(piece, Slot) for piece in as_format.pieces)
    return as_format if slots and (slots == others or "params" in given.keywords) else text


def _is_name(texts: list[Text]) -> bool:
    """Return whether an argument is a single word, such as a code: behind a message it is not the text."""
    words = [str(text.pieces[0]) for text in texts if len(text.pieces) == 1]
    return len(words) == len(texts) and all(word.isidentifier() and word.islower() for word in words)


def _has_words(texts: list[Text]) -> bool:
    return any(text.has_words for text in texts)
