"""Core: texts within a text: what JSON, logfmt, HTML and terminals did to a line, undone."""

import html
import json
import re
from collections.abc import Iterator
from typing import Any

_ANSI = re.compile(r"\x1b(?:\[[0-9;:?]*+[ -/]*+[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])")
_ENTITY = re.compile(r"&(?:lt|gt|quot|amp|apos|nbsp|#\d{1,6}|#x[0-9A-Fa-f]{1,5});")
_CURLY = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'", "\u00a0": " ", "\u2028": "\n", "\u0085": "\n"}
)
_PAIR = re.compile(r'([A-Za-z_][\w.]{0,60})="((?:[^"\\]++|\\.)*+)"')
_ESCAPES = {"n": "\n", "t": "\t", "r": "", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_LOOKS_ESCAPED = re.compile(
    r"(?:Traceback \(most recent call last\):|[Ee]rror\b[^\n]{0,300}?)\\n|\\n\s*File \\?\"|File \\\""
)

# So deep and so many texts are looked for in one JSON line.
_MOST_DEPTH = 8
_MOST_TEXTS = 200
_MOST_JSON = 1 << 20
# Keys of a logfmt line that hold what a program said.
_SAYING = frozenset(
    (
        "msg",
        "message",
        "error",
        "err",
        "exception",
        "exc_info",
        "exc",
        "stack",
        "stacktrace",
        "traceback",
        "detail",
        "reason",
    )
)


def plain_text(text: str) -> str:
    """Return a text without colours, carriage returns, entities, bent quotes; its lines keep their numbers."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if "&" in text and _ENTITY.search(text):
        text = _ENTITY.sub(lambda match: html.unescape(match.group()).replace("\xa0", " "), text)
    return text if text.isascii() else text.translate(_CURLY)


def texts_within(line: str) -> list[str]:
    """Return the texts that a line carries in JSON, logfmt or escapes, line by line; itself where it carries none."""
    stripped = line.lstrip()
    if '"' not in line and "\\n" not in line:
        return [line]
    opened = line.find("{") if stripped[:1] != "{" else len(line) - len(stripped)
    if opened >= 0 and '":' in line and len(line) <= _MOST_JSON:
        found = _of_json(line, opened)
        if found is not None:
            return found
    pairs = _PAIR.findall(line) if line.count('="') >= 3 else []
    said = [unescaped(value) for key, value in pairs if key.lower() in _SAYING]
    if said:
        return _lines(said)
    return unescaped(line).split("\n") if "\\" in line and _LOOKS_ESCAPED.search(line) else [line]


def unescaped(text: str) -> str:
    """Return a text with the escapes of a quoted string undone."""
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(match: "re.Match[str]") -> str:
    escape = match[1]
    if len(escape) == 5:
        code = int(escape[1:], 16)
        return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)
    return _ESCAPES.get(escape, match.group())


def _of_json(line: str, opened: int) -> list[str] | None:
    """Return the texts of a JSON object in a line, and what stands around it; None where there is none."""
    try:
        value, end = json.JSONDecoder().raw_decode(line, opened)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    around = [text for text in (line[:opened].strip(), line[end:].strip()) if text]
    return _lines([*around[:1], *_leaves(value, 0), *around[1:]])


def _leaves(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    if depth > _MOST_DEPTH or not isinstance(value, dict | list):
        return
    for inner in value.values() if isinstance(value, dict) else value:
        yield from _leaves(inner, depth + 1)


def _lines(texts: list[str]) -> list[str]:
    """Return the lines of several texts, a blank one between those of more than one line."""
    lines: list[str] = []
    for text in texts[:_MOST_TEXTS]:
        if "\n" in text and lines:
            lines.append("")
        lines += plain_text(text).split("\n")
    return lines
