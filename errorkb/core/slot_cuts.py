"""Core: the text between two literal words of a template cut into the values of the slots that are there."""

import re
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
    may have other text beyond. Signs are found leftmost, but for one that ends a line. What is quoted otherwise than
    the template has it loses its quotes all the same.

    >>> cut_gap(" 'a.b', in 'c d' ", [" '", "', in '", "' "], closed_left=True, closed_right=True).values
    ('a.b', 'c d')
    """
    first, *between, last = (sign.strip() for sign in signs)
    left, left_exact = _cut_left(text, first, is_closed=closed_left)
    left_exact = left_exact and (not closed_left or are_blanks_alike(_indent(text), _indent(signs[0])))
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


def are_blanks_alike(one: str, other: str) -> bool:
    """Say whether of two texts both have a run of blanks or none; where lines end in one of them, nobody can say."""
    return "\n" in one or "\n" in other or ("  " in one) == ("  " in other)


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


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
    line = stripped.split("\n", 1)[0].rstrip()
    if not is_closed and line.endswith(sign):
        return line[: len(line) - len(sign)], True
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


# Words that a value has at most, and one behind an equals sign; one of more words is in quotes or brackets, or
# announced as a free text.
_MOST_WORDS = 7
_MOST_OF_PAIR = 2
_ANNOUNCES = (":", "\n", ".", "-", ">")
_ENCLOSED = re.compile(r"(?:[\w.]*[(\[{<]|['\"`]).*[)\]}>'\"`]\.?", re.DOTALL)
# Of a half-open interval one bracket is of another kind.
_BRACKETS = (("([", ")]"), ("{", "}"))
# The end of an exception's `repr` around a message.
_REPR_END = re.compile(r"['\"]\)")
_OPENED = re.compile(r"[(\[{<'\"`]")
_NEXT_SENTENCE = re.compile(r"\w[\"'`)\]]?[.!?] {1,2}[\"'`]?[A-Z][a-z]*\b", re.ASCII)


def is_plausible(value: str, before: str) -> bool:
    """Say whether a text may be the value of a slot, and not the rest of another message; `before` are the signs there.

    A bracket that it closes and does not open is one that the template should have closed.

    >>> is_plausible("a b", "'"), is_plausible("3. Please upgrade", " "), is_plausible("No space left. Stop.", ": ")
    (True, False, True)
    """
    signs, value = before.rstrip(" '\"`"), value.strip()
    if _closes_more(_REPR_END.split(value, 1)[0]):
        return False
    if signs.endswith(_ANNOUNCES) or _ENCLOSED.fullmatch(value):
        return True
    most = _MOST_OF_PAIR if signs.endswith("=") or _OPENED.match(value) else _MOST_WORDS
    return len(value.split()) <= most and not _NEXT_SENTENCE.search(value)


def _closes_more(value: str) -> bool:
    """Say whether a value ends with a bracket that it does not open."""
    return any(
        value.endswith(tuple(close)) and sum(map(value.count, close)) > sum(map(value.count, opened))
        for opened, close in _BRACKETS
    )
