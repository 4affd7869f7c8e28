"""Scanning: tests, vendored and generated code told apart from a project's own, by tables of rules."""

import re
from functools import lru_cache
from posixpath import basename, dirname
from typing import Literal, NamedTuple

Category = Literal["own", "test", "vendored", "generated"]


class PathRule(NamedTuple):
    """What a file is if the folders above it (`folder`: any of them) or its name match, in small letters."""

    category: Category
    folder: str = ""
    name: str = ""


# The first rule that fits decides.
PATH_RULES = (
    PathRule("vendored", folder=r"_?vendor(?:ed)?_?|_?third_?party|third-party|3rd_?party|3rd-party"),
    PathRule("vendored", folder=r"node_modules|bower_components|site-packages|dist-packages"),
    PathRule("generated", name=r".+_pb2(?:_grpc)?\.pyi?"),
    # What is in this folder is made for other people's tests, and raises in them. `testing` is always such a folder.
    PathRule("own", folder=r"(?:.+/)?django/test"),
    PathRule("test", folder=r"_?tests?_?|__tests__|testsuite|test_.+|test-.+"),
    PathRule("test", name=r"test_.+|.+_tests?\.\w+|tests\.\w+|conftest\.\w+"),
)
_HEAD_LINES = 12
_HEAD_BYTES = 2000
_COMMENT = r"[ \t]*(?:#|//|/?\*|--|;)[#/*;\- \t]*"
_THIS = r"(?:this|the) (?:file|module|code|script) (?:is|was|has been) "
_MADE = r"(?:auto(?:matically |matic |[- ])?)?generated\b(?: (?:by|from|with|code)\b|[.!]?[ \t\r]*$)"
_SAYS_SO = (
    rf"{_COMMENT}.*\bdo not (?:edit|modify)\b(?! (?:the|these|this (?:line|section|block)|anything)\b)",
    rf"(?:{_COMMENT}|[ \t]*[\"']*).*@generated\b",
    rf"(?:{_COMMENT}|[ \t]*[\"']*)(?:{_THIS}){_MADE}",
    # Migrations are made by Django and then edited by hand: they raise what people wrote.
    rf"{_COMMENT}(?:(?:file|code|contents?) )?{_MADE}(?! django \d)",
)
_GENERATED = re.compile("|".join(f"(?:{form})" for form in _SAYS_SO), re.IGNORECASE)


def classify_path(path: str) -> Category:
    """Return what a file is by its path: `shop/tests/test_basket.py` is a test; `own` where no rule fits."""
    name = basename(path).lower()
    by_name = next((index for index, rule in enumerate(_NAMES) if rule and rule.fullmatch(name)), len(PATH_RULES))
    index = min(_folder_rule(dirname(path).lower()), by_name)
    return PATH_RULES[index].category if index < len(PATH_RULES) else "own"


def is_generated(content: bytes) -> bool:
    """Tell whether a file says in its first twelve lines that a program has written it, and not to edit it."""
    lines = content[:_HEAD_BYTES].split(b"\n", _HEAD_LINES)[:_HEAD_LINES]
    return any(_GENERATED.match(line.decode("utf-8", "replace")) for line in lines)


@lru_cache(maxsize=1024)
def _folder_rule(folder: str) -> int:
    """Return the place of the first rule that fits a folder or one above it, from 0; the table's end if none."""
    parts = folder.split("/") if folder else []
    above = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    places = set(parts) | set(above)
    fits = (index for index, rule in enumerate(_FOLDERS) if rule and any(map(rule.fullmatch, places)))
    return next(fits, len(PATH_RULES))


_FOLDERS = [re.compile(rule.folder) if rule.folder else None for rule in PATH_RULES]
_NAMES = [re.compile(rule.name) if rule.name else None for rule in PATH_RULES]
