"""Core: messages as source code writes them, and their canonical form: literal parts and slots.

A template has slots `{name}` or `{0}`; braces that are literal are doubled. It is made from a message by the
rules of the placeholder style that the source language uses: Python's `%` and `str.format` and f-strings,
JavaScript's template literals, Go's `fmt` verbs, Rust's `format!`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

# No message of a program comes near; without a bound, millions of placeholders would take minutes.
MAX_PARTS = 200_000
# Texts of so many characters at most are remembered for a while.
_SHORT = 2_000


class TemplateError(ValueError):
    """A template or a message does not follow its style; the text says where."""


@dataclass(frozen=True)
class Part:
    """A run of a message: `source` as it is written, and either the literal `text` or the `slot`'s name.

    A slot has a text too where the placeholder writes one before its value, as `{x=}` of an f-string does.
    """

    source: str
    text: str = ""
    slot: str | None = None


# https://docs.python.org/3/library/stdtypes.html#printf-style-string-formatting
# Quantifiers are possessive: what does not match must not be tried again in every other way.
_PERCENT = re.compile(
    r"%(?:\((?P<name>[^()]*+)\))?+[#0\- +]*+(?:\*|\d++)?+(?:\.(?:\*|\d++))?+[hlL]?+(?P<verb>[diouxXeEfFgGcrsa%])"
)
# https://pkg.go.dev/fmt#hdr-Printing
_GO = re.compile(
    r"%[#0\- +]*+(?:\[\d++\])?+(?:\*|\d++)?+(?:\.(?:\*|\d++)?+)?+(?:\[\d++\])?+"
    r"(?P<verb>[vTtbcdoOqxXUeEfFgGspw%])"
)
_SIMPLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_CANONICAL = re.compile(r"\{\{|\}\}|\{(?P<name>[^{}]*)\}|[{}]")
_OPENERS = {"(": ")", "[": "]", "{": "}"}


def parse_message(message: str, placeholders: str | None) -> tuple[Part, ...]:
    """Split a message by its placeholder style; with `None` it is one literal part.

    `parse_message("Model class %s doesn't", "percent")` gives a slot `0` between two literal parts.
    Raises TemplateError where a brace is left open or a placeholder has no end.
    """
    if placeholders is None:
        return (Part(message, message),) if message else ()
    return (_parsed if len(message) <= _SHORT else _parse)(message, placeholders)


def parse_template(template: str) -> tuple[Part, ...]:
    """Split a canonical template. Raises TemplateError at a single brace or an empty slot name."""
    return (_parsed_template if len(template) <= _SHORT else _parse_template)(template)


def _parse(text: str, style: str) -> tuple[Part, ...]:
    return _gathered(_STYLES[style](text))


def _parse_template(template: str) -> tuple[Part, ...]:
    return _gathered(_canonical_parts(template))


# A document's message is parsed again and again while it is made ready.
_parsed = lru_cache(maxsize=256)(_parse)
_parsed_template = lru_cache(maxsize=256)(_parse_template)


def make_template(parts: tuple[Part, ...]) -> str:
    """Return the canonical template of parts: literal braces doubled, slots as `{name}`."""
    return "".join(_escaped(part.text) + (f"{{{part.slot}}}" if part.slot is not None else "") for part in parts)


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def canonical_template(message: str, *, template: str | None, placeholders: str | None) -> str:
    """Return an entry's template: the one given, else the one that its message and style make."""
    return template if template is not None else make_template(parse_message(message, placeholders))


def align_message(message: str, template: str) -> tuple[Part, ...]:
    """Split a message by a template that was given beside it, literal part by literal part, leftmost first.

    Returns one literal part where the two do not fit together.
    """
    whole = (Part(message, message),) if message else ()
    parts: list[Part] = []
    position = 0
    waiting: str | None = None
    for part in parse_template(template):
        if part.slot is not None:
            waiting = part.slot
            continue
        found = message.find(part.text, position)
        if found < 0 or (waiting is None and found != position):
            return whole
        if waiting is not None:
            parts.append(Part(message[position:found], slot=waiting))
        parts.append(Part(part.text, part.text))
        position, waiting = found + len(part.text), None
    rest = message[position:]
    if waiting is None and rest:
        return whole
    if waiting is not None:
        parts.append(Part(rest, slot=waiting))
    return tuple(part for part in parts if part.source)


def _gathered(parts: Iterator[Part]) -> tuple[Part, ...]:
    gathered = tuple(islice((part for part in parts if part.source), MAX_PARTS + 1))
    if len(gathered) > MAX_PARTS:
        raise TemplateError(f"expected at most {MAX_PARTS} placeholders, doubled braces and literal parts")
    return gathered


def _canonical_parts(template: str) -> Iterator[Part]:
    end = 0
    for found in _CANONICAL.finditer(template):
        yield _literal(template[end : found.start()])
        yield _canonical_part(found)
        end = found.end()
    yield _literal(template[end:])


def _literal(text: str) -> Part:
    return Part(text, text)


def _canonical_part(found: re.Match[str]) -> Part:
    text = found.group()
    if text in ("{{", "}}"):
        return Part(text, text[0])
    name = found.group("name")
    if not name:
        raise TemplateError(f"column {found.start() + 1}: expected {{name}}, {{0}} or a doubled brace, found {text!r}")
    return Part(text, slot=name)


def _verbs(message: str, pattern: re.Pattern[str]) -> Iterator[Part]:
    """Split at percent verbs, the form that Python and Go share; `%%` is a literal percent sign."""
    end = count = 0
    for found in pattern.finditer(message):
        yield _literal(message[end : found.start()])
        end = found.end()
        if found.group("verb") == "%":
            yield Part(found.group(), "%")
            continue
        name = found.groupdict().get("name")
        yield Part(found.group(), slot=_slot_name(name or "", count))
        count += not name
    yield _literal(message[end:])


def _percent(message: str) -> Iterator[Part]:
    return _verbs(message, _PERCENT)


def _go(message: str) -> Iterator[Part]:
    return _verbs(message, _GO)


def _braces(message: str) -> Iterator[Part]:
    """Split at `{…}`, the form that str.format, f-strings and Rust share; doubled braces are literal."""
    literal = position = count = 0
    while position < len(message):
        char = message[position]
        if char not in "{}":
            position = _next_of(message, position, "{}")
            continue
        yield _literal(message[literal:position])
        if message[position + 1 : position + 2] == char:
            yield Part(char * 2, char)
            position += 2
        elif char == "}":
            raise TemplateError(f"column {position + 1}: a single '}}' must be doubled")
        else:
            end = _closing(message, position)
            inside = message[position + 1 : end - 1]
            name = _slot_name(_expression(inside), count)
            yield Part(message[position:end], _said_before(inside), slot=name)
            count += name.isdigit()
            position = end
        literal = position
    yield _literal(message[literal:])


def _js(message: str) -> Iterator[Part]:
    """Split at `${…}`; everything else, single braces included, is literal."""
    literal = count = 0
    position = message.find("${")
    while position >= 0:
        yield _literal(message[literal:position])
        end = _closing(message, position + 1)
        name = _slot_name(message[position + 2 : end - 1].strip(), count)
        yield Part(message[position:end], slot=name)
        count += name.isdigit()
        literal = end
        position = message.find("${", end)
    yield _literal(message[literal:])


def _next_of(text: str, start: int, chars: str) -> int:
    """Return the first place from `start` on where one of `chars` stands, else the text's end."""
    found = re.compile(f"[{re.escape(chars)}]").search(text, start)
    return found.start() if found else len(text)


def _closing(message: str, opening: int) -> int:
    """Return the place behind the brace that closes the one at `opening`, quotes and inner brackets passed over."""
    depth = 0
    quote = ""
    for position in range(opening, len(message)):
        char = message[position]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"`" and depth:
            quote = char
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return position + 1
    raise TemplateError(f"column {opening + 1}: this brace is never closed")


def _expression(inside: str) -> str:
    """Return a replacement field without its conversion, format specification and debugging `=`."""
    depth = 0
    for position, char in enumerate(inside):
        if char in _OPENERS:
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and (char == ":" or (char == "!" and inside[position + 1 : position + 2] != "=")):
            return inside[:position].strip().removesuffix("=").strip()
    return inside.strip().removesuffix("=").strip()


def _said_before(inside: str) -> str:
    """Return what a self-documenting field writes before its value: `x=` of `{x=!r}`, nothing of `{x}`."""
    expression = _expression(inside)
    written = inside[: inside.find(expression) + len(expression)]
    rest = inside[len(written) :]
    spaces = len(rest) - len(rest.lstrip())
    if not expression or not rest[spaces:].startswith("="):
        return ""
    after = rest[spaces + 1 :]
    return written + rest[: spaces + 1] + after[: len(after) - len(after.lstrip())]


def _slot_name(expression: str, count: int) -> str:
    """Name a slot after its expression where that is a plain (dotted) name or number, else by its number."""
    if expression.isdigit() or _SIMPLE_NAME.fullmatch(expression):
        return expression
    return str(count)


_STYLES = {"percent": _percent, "brace": _braces, "fstring": _braces, "rust": _braces, "js": _js, "go": _go}
