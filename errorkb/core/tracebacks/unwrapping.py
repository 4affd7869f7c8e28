"""Core: what records, pages, tables and lost line breaks did to a line, undone: a line becomes the lines it carries."""

import html
import json
import re
from collections.abc import Callable
from itertools import pairwise

from errorkb.core.tracebacks.prefixes import split_prefix
from errorkb.core.tracebacks.records import LEVELS, SAYING, Said, blocks, said_in_json

_ANSI = re.compile(r"\x1b(?:\[[0-9;:?]*+[ -/]*+[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])")
# Colours whose escape character got lost, or was written out.
_COLOUR = re.compile(r"(?:␛|\^\[|\\(?:033|x1[bB]|u001[bB]|e))?\[\d{1,3}(?:;\d{1,3}){0,4}m")
_ENTITY = re.compile(r"&(?:lt|gt|quot|amp|apos|nbsp|#\d{1,6}|#x[0-9A-Fa-f]{1,5});")
_CURLY = (
    ("“", '"'), ("”", '"'), ("„", '"'), ("‘", "'"), ("’", "'"), ("‚", "'"), ("\u00a0", " "), ("\u2028", " "),
    ("\u0085", " "),
)  # fmt: skip
_ESCAPES = {"n": "\n", "t": "\t", "r": "", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_LOOKS_ESCAPED = re.compile(
    r"(?:Traceback \(most recent call last\):|[Ee]rror: [^\n]{0,300}?)\\n|\\n\s*File \\?\"|File \\\""
    r"|\\n\s*(?:(?:[a-z_]\w{0,100}\.){1,12}[A-Z]\w{0,100}"
    r"|[A-Z]\w{0,100}?(?:Error|Exception|Warning|Exit|Interrupt)): "
)
_CLOSERS = re.compile(r"[\"'}\]),\s]*$")
_MEMBER = re.compile(r'\s*+"[^"\\\n]{1,80}"\s*+:\s*+("(?:[^"\\]++|\\.)*+")\s*+,?\s*+$')
_PAIR = re.compile(
    r"(?<!\S)(?P<key>[A-Za-z_@][\w.]{0,60})=(?:(?P<quoted>\"(?:[^\"\\]++|\\.)*+\"|'(?:[^'\\]++|\\.)*+')|[^\s\"'=]++)(?=\s|$)"
)
_BREAKING_TAG = re.compile(r"<(?:br|hr)\s*/?>|</(?:pre|td|th|tr|li|ul|ol|p|div|h\d|table|textarea|blockquote)>", re.I)
_TAG = re.compile(
    r"</?(?:a|b|i|em|strong|code|pre|span|td|th|tr|li|ul|ol|p|div|h\d|table|tbody|thead|textarea|blockquote|var|font|main|header)"
    r"(?:\s[^<>\n]{0,400})?>",
    re.I,
)
_FRAME = 'File "'
_JOINT = re.compile(
    r'(?<!\s)\s++(?=(?:> )?File "[^"\n]{1,1000}", line \d)'
    r"|(?<!\s)\s*+(?=During handling of the above exception|The above exception was the direct cause of)"
    r"|(?<!\s)\s*+(?=Traceback \(most recent call last\):)"
    r"|(?<=following exception:)\s++|(?<=another exception occurred:)\s++"
)
# Where another record of a log begins within a line: a time, and a level not far behind it.
_RECORD = re.compile(
    r"(?<!\s)\s++(?=\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d"
    r"[^\n]{0,80}?\b(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b)"
)
_PROCESS = re.compile(r"\([A-Za-z_]\w{0,60}(?: rank=\d{1,6})?,? pid=\d{1,9}[^()\n]{0,60}\)")
_FENCED = re.compile(r"^(\s*)`{3,}(?=[^\s`]++\s++\S|[^\s`]*?[:(\"])|(?<=[^\s`])`{3,}\s*$")


def plain_text(text: str) -> str:
    """Return a text without colours, carriage returns, entities, bent quotes; its lines keep their numbers."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "[0m" in text:
        text = _COLOUR.sub("", text)
    if "&" in text and _ENTITY.search(text):
        text = _ENTITY.sub(lambda match: html.unescape(match.group()).replace("\xa0", " "), text)
    return text if text.isascii() else _straightened(text)


def _straightened(text: str) -> str:
    """Return a text with plain quotes and blanks; looking for a few signs takes a tenth of looking at all letters."""
    for sign, plain in _CURLY:
        if sign in text:
            text = text.replace(sign, plain)
    return text


def lines_within(line: str) -> list[Said]:
    """Return the lines that a line carries, each record's text and each frame on its own; itself where it has one.

    >>> [said.text for said in lines_within('{"level": "error", "msg": "no such\\\\ntable"}')]
    ['error', '', 'no such', 'table', '']
    """
    pieces = [Said(line)]
    for sign, rule in _RULES:
        if any(sign in piece.text for piece in pieces):
            pieces = [one for piece in pieces for one in _applied(sign, rule, piece)]
    return pieces


def _applied(sign: str, rule: "_Rule", piece: Said) -> list[Said]:
    found = rule(piece.text) if sign in piece.text else None
    if not found:
        return [piece]
    first, *others = found
    return [Said(first.text, first.level or piece.level), *others]


def unescaped(text: str) -> str:
    """Return a text with the escapes of a quoted string undone."""
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(match: "re.Match[str]") -> str:
    escape = match[1]
    if len(escape) == 5:
        code = int(escape[1:], 16)
        return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)
    return _ESCAPES.get(escape, match.group())


def _of_member(line: str) -> list[Said] | None:
    """Return the text of one member of a JSON object that was printed over several lines."""
    match = _MEMBER.match(line)
    if not match:
        return None
    try:
        return blocks([Said(json.loads(match[1]))])
    except ValueError:
        return None


def _of_pairs(line: str) -> list[Said] | None:
    """Return what a line of `key="value"` pairs says, and the line without it."""
    matches = list(_PAIR.finditer(line))
    said = [match for match in matches if match["quoted"] and match["key"].lower() in SAYING]
    if not said or len(matches) < 2:
        return None
    level = next((match.group().partition("=")[2].strip("\"'") for match in matches if match["key"] in LEVELS), "")
    rest = _PAIR.sub(lambda match: "" if match["quoted"] and match["key"].lower() in SAYING else match.group(), line)
    return blocks([Said(rest.strip()), *(Said(unescaped(match["quoted"][1:-1]), level) for match in said)])


def _of_escapes(line: str) -> list[Said] | None:
    literal = _literal(line)
    if literal is None and not _LOOKS_ESCAPED.search(line):
        return None
    lines = unescaped(literal or line.removesuffix("\\")).split("\n")
    while len(lines) > 1 and _CLOSERS.match(lines[-1]):
        lines.pop()
    return [Said(text) for text in lines]


def _literal(line: str) -> str | None:
    """Return what stands between the quotes of a line that is a literal of several lines."""
    text = line.strip()
    is_one = len(text) > 2 and text[0] == text[-1] and text[0] in "'\"" and "\\n" in text
    return text[1:-1] if is_one else None


def _of_tags(line: str) -> list[Said] | None:
    """Return the lines of a piece of a page's source."""
    if not _TAG.search(line):
        return None
    return [Said(_TAG.sub("", text)) for text in _BREAKING_TAG.split(line)]


def _of_table(line: str) -> list[Said] | None:
    """Return the cells of a row of a Markdown table."""
    stripped = line.strip()
    if not (stripped.startswith("|") and stripped.endswith("|") and stripped.count("|") > 2):
        return None
    return blocks(Said(cell.strip()) for cell in stripped.strip("|").split(" | "))


def _of_processes(line: str) -> list[Said] | None:
    """Return the lines of a text whose line breaks were lost, by the process that each begins with."""
    starts = [match.start() for match in _PROCESS.finditer(line)]
    if len(starts) < 2:
        return None
    bounds = [0, *(starts if starts[0] else starts[1:]), len(line)]
    return [Said(line[first:last].rstrip()) for first, last in pairwise(bounds)]


def has_records(line: str) -> bool:
    """Say whether another record of a log begins within a line."""
    return ":" in line and _RECORD.search(line) is not None


def _of_records(line: str) -> list[Said] | None:
    """Return the records of a log whose line breaks were lost."""
    texts = _RECORD.split(line)
    return [Said(text) for text in texts] if len(texts) > 1 else None


def _of_joined(line: str) -> list[Said] | None:
    """Return the lines of a traceback whose line breaks were lost: each frame, head and link on its own."""
    begin = split_prefix(line).end
    before = line[begin : line.find(_FRAME)]
    if line.count(_FRAME) < 2 and not before.strip(" \t>`|│+"):
        return None
    first, *others = [text for text in _JOINT.split(line[begin:]) if text.strip()]
    return [Said(line[:begin] + first), *map(Said, others)]


def unfenced(line: str) -> str:
    """Return a line without a fence that is stuck to its text."""
    return _FENCED.sub(r"\1", line)


def _of_emphasis(line: str) -> list[Said] | None:
    stripped = line.strip()
    is_whole = len(stripped) > 4 and stripped.startswith("**") and stripped.endswith("**")
    return [Said(stripped.strip("*"))] if is_whole else None


_Rule = Callable[[str], list[Said] | None]
# What a line must have in it for a rule to be tried, and the rule; each is given what the ones before left.
_RULES: tuple[tuple[str, _Rule], ...] = (
    ("{", said_in_json),
    ('": "', _of_member),
    ('="', _of_pairs),
    ("='", _of_pairs),
    ("\\", _of_escapes),
    ("</", _of_tags),
    ("<br", _of_tags),
    ("**", _of_emphasis),
    ("|", _of_table),
    (" pid=", _of_processes),
    (":", _of_records),
    (_FRAME, _of_joined),
)
