"""Core, report evidence: what a snippet of code throws: types, and texts whose adjacent literals are joined.

A snippet is a piece of a file: it need not parse, so that strings are read one after the other, in any language.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from errorkb.core.message_templates import TemplateError, make_template, parse_message

Change = Literal["", "+", "-"]

# Bounds on the work that one snippet can ask for.
MOST_CHARACTERS = 200_000
MOST_THROWS = 200
_MOST_OPENINGS = 2_000
_MOST_CALL = 4_000
_MOST_BEFORE_TEXT = 60

# (what throws, what its text's placeholders look like where the literal itself does not say); first that fits.
_OPENINGS = (
    (r"\braise\s{1,3}(?P<a>[A-Za-z_][\w.]{0,200})\s{0,3}\(", "percent"),
    (r"\bthrow\s{1,3}(?:new\s{1,3})?(?P<b>[A-Za-z_][\w.:]{0,200})\s{0,3}\(", "js"),
    (r"\b(?P<c>fmt\.Errorf|errors\.New|errors\.Errorf|errors\.Wrapf?)\(", "go"),
    (r"\b(?P<d>panic|bail|anyhow|ensure|unreachable)!\s{0,3}\(", "rust"),
    (r"\b(?P<e>panic)\(", "go"),
    (r"\bassert\b(?P<f>)(?=[^\n]{0,500},)", "percent"),
    (r"\bwarnings\.warn(?P<g>)\(", "percent"),
    (
        r"\b(?:log|logger|logging|LOG|_logger|console)\.(?:error|warning|warn|critical|exception|fatal)(?P<h>)\(",
        "percent",
    ),
)  # fmt: skip
_OPENING = re.compile("|".join(pattern for pattern, _ in _OPENINGS))
_STYLES = dict(zip("abcdefgh", (style for _, style in _OPENINGS), strict=True))
_NO_TYPES = frozenset(
    [
        *("fmt.Errorf", "errors.New", "errors.Errorf", "errors.Wrap", "errors.Wrapf"),
        *("panic", "bail", "anyhow", "ensure", "unreachable"),
    ]
)
# A string of any of these languages, with its prefix; a comment; a bracket; anything else.
_TOKEN = re.compile(
    r"(?P<prefix>[A-Za-z]{0,2})(?P<string>\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*+\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*+'''"
    r"|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`)"
    r"|(?P<comment>(?:\#|//)[^\n]*+)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<space>[\s\\]++)|(?P<word>\w++)|(?P<other>.)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:(?P<known>[nrt\\'\"`])|\n|(?P<other>.))", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_DEFINITION = re.compile(
    r"^[ \t+]{0,80}(?:async\s{1,3})?(?:def|func|function|fn)\s{1,3}(?:\([^)\n]{0,80}\)\s{0,3})?(?P<name>\w{1,200})",
    re.MULTILINE,
)


@dataclass(frozen=True)
class SnippetThrow:
    """One throw in a snippet: the type's name as written, the joined text, its template; `change` is a patch's sign.

    `symbol` is the function whose beginning stands above it in the snippet, empty where none does.
    """

    exception_type: str
    message: str
    template: str
    symbol: str
    change: Change = ""


def snippet_throws(code: str, language: str | None = None) -> tuple[SnippetThrow, ...]:
    r"""Return what a snippet throws with a text, in its order; of a patch, what it adds and takes away with its sign.

    >>> [throw.template for throw in snippet_throws('raise ValueError(\n    "no "\n    f"{name} here"\n)')]
    ['no {name} here']
    """
    text = code[:MOST_CHARACTERS]
    if "\n" not in text.strip("\n"):
        text = text.replace("\\n", "\n").replace("\\t", "\t")
    lines = text.split("\n")
    if not _is_patch(lines, language):
        return tuple(_throws(text, ""))
    new, old = (tuple(_throws(_side(lines, sign), "")) for sign in "+-")
    return (*_marked(new, old, "+"), *_marked(old, new, "-"), *(throw for throw in new if throw in old))


def _is_patch(lines: Sequence[str], language: str | None) -> bool:
    told = [line for line in lines if line.strip()]
    signs = {line[0] for line in told}
    if (language or "").lower() in ("diff", "patch"):
        return True
    return bool(signs & {"+", "-"}) and signs <= {"+", "-", " ", "@", "\\"} and any(line[:1] == " " for line in told)


def _side(lines: Sequence[str], sign: str) -> str:
    """Return one side of a patch as code."""
    skipped = ("@@", "+++", "---", "diff ", "index ")
    kept = (line for line in lines if line[:1] in (sign, " ", "") and not line.startswith(skipped))
    return "\n".join(line[1:] for line in kept)


def _marked(ours: Sequence[SnippetThrow], theirs: Sequence[SnippetThrow], change: Change) -> Iterator[SnippetThrow]:
    for throw in ours:
        if throw not in theirs:
            yield SnippetThrow(throw.exception_type, throw.message, throw.template, throw.symbol, change)


def _throws(text: str, change: Change) -> Iterator[SnippetThrow]:
    definitions = [(found.start(), found["name"]) for found in _DEFINITION.finditer(text)]
    seen = position = 0
    symbol = ""
    for found in islice(_OPENING.finditer(text), _MOST_OPENINGS):
        while position < len(definitions) and definitions[position][0] < found.start():
            symbol, position = definitions[position][1], position + 1
        message, template = _said(text, found)
        if not template:
            continue
        yield SnippetThrow(_type_of(found), message, template, symbol, change)
        seen += 1
        if seen >= MOST_THROWS:
            return


def _type_of(found: re.Match[str]) -> str:
    if found.lastgroup == "f":
        return "AssertionError"
    name = found[found.lastgroup or 0]
    return "" if name in _NO_TYPES else name.rpartition(":")[2]


def _said(text: str, opening: re.Match[str]) -> tuple[str, str]:
    """Return the first text of a call, adjacent literals joined, as it is written and as a template."""
    style = _STYLES[opening.lastgroup or "a"]
    messages, templates = list[str](), list[str]()
    depth, is_called = 1, opening.group().endswith("(")
    for count, token in enumerate(_TOKEN.finditer(text, opening.end(), opening.end() + _MOST_CALL)):
        kind = token.lastgroup
        if not messages and count > _MOST_BEFORE_TEXT:
            break
        if kind == "string":
            message, template = _literal(token["prefix"], token["string"], style)
            messages.append(message)
            templates.append(template)
        elif kind in ("open", "close"):
            depth += 1 if kind == "open" else -1
            if messages or depth <= 0:
                break
        elif kind not in ("space", "comment"):
            if messages and token.group() not in "+":
                break
            if not is_called and token.group() == "\n":
                break
    return "".join(messages), "".join(templates)


def _literal(prefix: str, quoted: str, style: str) -> tuple[str, str]:
    size = 3 if quoted[:3] in ('"""', "'''") else 1
    inner = quoted[size:-size]
    text = inner if "r" in prefix.lower() else _ESCAPE.sub(_unescaped, inner)
    named = "fstring" if "f" in prefix.lower() else "js" if quoted[0] == "`" else style
    return text, _template(text, named)


def _template(text: str, style: str) -> str:
    """Return the template of one literal; of a literal with `{}` fields for `format`, those as slots, too."""
    try:
        template = make_template(parse_message(text, style if style != "js" or "${" in text else None))
        if style == "percent" and "{" in text:
            template = make_template(parse_message(text, "brace" if "%" not in text else "percent"))
    except TemplateError:
        template = make_template(parse_message(text, None))
    return template


def _unescaped(found: re.Match[str]) -> str:
    if found["known"]:
        return _ESCAPES.get(found["known"], found["known"])
    return found.group() if found["other"] else ""
