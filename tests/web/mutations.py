"""Documents changed at random, as careless or hostile writers would, that are still documents."""

import copy
import random
from typing import Any

from errorkb.core.documents import Document, validate_document
from errorkb.core.problems import DocumentError

TEXTS = (
    "plain words",
    "a **bold** and `code` and __init__ and *args, List[int]",
    "<script>alert(1)</script> <non-None ndarray> &amp; &lt;",
    "[link](javascript:alert(1)) ![x](data:image/svg+xml,<svg onload=alert(1)>)",
    "- item\n- item two\n\n1. one\n2. two",
    "    indented\n\tcode",
    "```python\nprint(1)\n```",
    "line one\\nline two\\tend",
    "\u202eright to left\u202c and \u200bzero",
    "接口漂移 修复 ‑ “quotes”",
    "x" * 3_000,
    "a\r\nb\rc",
    "| a | b |\n| - | - |\n| 1 | 2 | 3 |",
    "# heading\n\n> quote\n\n---\n\n[ref]: http://example.org 'title'",
    "{{ template }} {% tag %} {0} %s ${x}",
    " leading and trailing ",
    "\u00e9\u0301\U0001f469\u200d\U0001f4bb",
    "",
    "http://example.org/a_b_c?d=e&f=<g>.",
    "[" * 2_000,
)
UNKNOWN = {"x-score": 4.5, "x-on": True, "x-none": None, "x-deep": {"list": [1, {"k": "v <b>"}], "empty": {}}}


def mutated(document: dict, model: type[Document], seed: int) -> dict:
    """Return a changed copy that the model still takes: the changes that it refuses are taken back."""
    chance = random.Random(seed)
    current = copy.deepcopy(document)
    for _ in range(chance.randint(1, 12)):
        candidate = copy.deepcopy(current)
        _change(chance, candidate)
        try:
            validate_document(model, candidate)
        except DocumentError:
            continue
        current = candidate
    return current


def leaves(value: Any, name: str = "") -> list[tuple[str, Any]]:
    """Return every leaf of a document with its dotted name."""
    if isinstance(value, dict) and value:
        return [leaf for key, inner in value.items() for leaf in leaves(inner, f"{name}.{key}" if name else key)]
    if isinstance(value, list) and value:
        return [leaf for number, inner in enumerate(value) for leaf in leaves(inner, f"{name}[{number}]")]
    return [(name, value)]


def _change(chance: random.Random, document: dict) -> None:
    holder = chance.choice(_holders(document))
    chance.choice((_retext, _retext, _retext, _drop, _nullify, _extend, _repeat))(chance, holder)


def _holders(value: Any) -> list[dict | list]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return ([value] if isinstance(value, dict | list) and value else []) + [
        found for item in inner for found in _holders(item)
    ]


def _key(chance: random.Random, holder: Any) -> Any:
    return chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))


def _retext(chance: random.Random, holder: Any) -> None:
    key = _key(chance, holder)
    if isinstance(holder[key], str):
        holder[key] = chance.choice(TEXTS)


def _drop(chance: random.Random, holder: Any) -> None:
    holder.pop(_key(chance, holder))


def _nullify(chance: random.Random, holder: Any) -> None:
    holder[_key(chance, holder)] = None


def _extend(chance: random.Random, holder: Any) -> None:
    if isinstance(holder, dict):
        holder.update(dict(chance.sample(list(UNKNOWN.items()), 2)))


def _repeat(chance: random.Random, holder: Any) -> None:
    if isinstance(holder, list):
        holder.extend(copy.deepcopy(chance.choice(holder)) for _ in range(chance.choice((1, 3, 120))))
