"""Core: the text between two literal words of a template cut into the values of the slots that are there."""

from collections.abc import Sequence
from dataclasses import dataclass

# What a message's prefix leaves before it: `ValueError: `, `[TP0] `, ` - `.
_PREFIX_SIGNS = " \t\n:|-"


@dataclass(frozen=True)
class Cut:
    """The values of a gap's slots, and whether all signs between them stand there as the template has them."""

    values: tuple[str, ...]
    is_exact: bool


def cut_gap(text: str, signs: Sequence[str], *, closed_left: bool, closed_right: bool) -> Cut:
    """Cut a gap at the signs before, between and behind its slots: one more of them than slots.

    Where the gap is closed, its first or last sign stands at the very edge; an open gap, at either end of a template,
    may have other text beyond. Signs are found leftmost. What is quoted otherwise than the template has it loses its
    quotes all the same.

    >>> cut_gap(" 'a.b', in 'c d' ", [" '", "', in '", "' "], closed_left=True, closed_right=True).values
    ('a.b', 'c d')
    """
    first, *between, last = (sign.strip() for sign in signs)
    left, left_exact = _cut_left(text, first, is_closed=closed_left)
    rest, right_exact = _cut_right(left, last, is_closed=closed_right)
    values: list[str] = []
    is_exact = left_exact and right_exact
    for sign, original in zip(between, signs[1:-1], strict=True):
        found, width = _place_of(rest, sign, original)
        is_exact = is_exact and (found >= 0 or not original)
        found = found if found >= 0 else len(rest)
        values.append(rest[:found].strip())
        rest = rest[found + width :]
    return Cut((*values, rest.strip()), is_exact)


def _cut_left(text: str, sign: str, *, is_closed: bool) -> tuple[str, bool]:
    stripped = text.lstrip() if is_closed else text.lstrip(_PREFIX_SIGNS)
    if stripped.startswith(sign):
        return stripped[len(sign) :], True
    found = -1 if is_closed else stripped.find(sign)
    if found >= 0:
        return stripped[found + len(sign) :], True
    return stripped.lstrip(_alike(sign)), False


def _cut_right(text: str, sign: str, *, is_closed: bool) -> tuple[str, bool]:
    stripped = text.rstrip()
    if stripped.endswith(sign):
        return stripped[: len(stripped) - len(sign)], True
    found = -1 if is_closed else stripped.find(sign)
    if found >= 0:
        return stripped[:found], True
    return stripped.rstrip(_alike(sign)), False


def _place_of(text: str, sign: str, original: str) -> tuple[int, int]:
    """Return where a sign stands and how long it is there: a white space is as good as another, -1 for nowhere."""
    if not sign:
        found = next((n for n, char in enumerate(text) if char.isspace()), -1) if original else -1
        return found, 0
    wanted = "\n".join(sign.split()) if any(map(str.isspace, sign)) and sign not in text else sign
    return text.find(wanted), len(wanted)


_QUOTES = "'\"`“”‘’«»「」"


def _alike(sign: str) -> str:
    """Return the signs that may stand in a sign's place; nothing but white space where it is empty."""
    return f" \t\n{sign}{_QUOTES if any(quote in sign for quote in _QUOTES) else ''}"
