"""Core, pull request reports: the small forms inside one line, such as code spans, parentheses, lists, paths.

Each `take_…` reads one form at a text's start and returns it with the rest, or None. All work is linear in the text.
"""

import re
from collections.abc import Iterator

from errorkb.core.pr_reports.words import LONGEST_NAME, find_label, is_path_label

COMMAS = ",，、"
SEPARATORS = COMMAS + ";；"
COLONS = (":", "：")
DASHES = "-–—"

_OPENING = "(（[【"
_CLOSING = ")）]】"
# A half-width colon separates where a space, the line's end or a Chinese character follows: not in `a::b` or `09:54`.
_MARKS = re.compile(r"`[^`]*`|[()（）\[\]【】,，、;；：]|:(?=\s|$|[\u2e80-\u9fff\uff00-\uffef])")
_LABEL = re.compile(rf"([^:：\n`]{{1,{LONGEST_NAME}}})[:：]")
_BACKTICKS = re.compile(r"`+")
_NUMBERING = re.compile(r"[0-9]{1,9}[.)、．]\s*")
_BARE_PATH = re.compile(r"(?:[^\s:：(（,，。；、`*]|:(?=[A-Za-z0-9/\\])|\((?=[\w.-]+\)/))+")
_PATH_LIKE = re.compile(r"[^\s`]*?(?:/|\.\w)[^\s`]*")
_PLAIN_NAME = re.compile(r"[\w.+-]+", re.ASCII)
_EMPHASIS = ("**", "__")


def take_label(text: str) -> tuple[str, str] | None:
    """Read `合并时间：…`, `**Merged at**: …` or a whole line `Merged at`; return (field, value)."""
    found = _LABEL.match(text)
    if not found:
        first, _, rest = text.partition("\n")
        field = find_label(first.strip())
        return (field, f"\n{rest}") if field else None
    name = found.group(1).strip()
    field = find_label(name)
    if not field:
        return None
    value = text[found.end() :]
    if name.startswith(_EMPHASIS) and not name.endswith(_EMPHASIS):
        value = value.removeprefix(name[:2])
    return field, value.lstrip(" \t")


def take_code_span(text: str) -> tuple[str, str] | None:
    """Read a code span: `` `a.py`（…） `` gives `("a.py", "（…）")`."""
    opened = _BACKTICKS.match(text)
    if not opened:
        return None
    start, fence = opened.end(), opened.group()
    end = text.find(fence, start)
    code = text[start:end].strip()
    return (code, text[end + len(fence) :]) if end > 0 and code else None


def take_link(text: str) -> tuple[str, str, str] | None:
    """Read `[words](address)`; return (words, address, rest)."""
    middle = text.find("](") if text.startswith("[") else -1
    address = take_parenthesis(text[middle + 1 :]) if middle > 0 and _balanced(text[1:middle]) else None
    return (text[1:middle].strip(), address[0].strip("<> "), address[1]) if address else None


def take_parenthesis(text: str) -> tuple[str, str] | None:
    """Read a parenthesis of either width up to its own end: `(a (b)): c` gives `("a (b)", ": c")`."""
    if text[:1] not in ("(", "（"):
        return None
    depth = 0
    for mark in _MARKS.finditer(text):
        depth += (mark.group() in ("(", "（")) - (mark.group() in (")", "）"))
        if depth == 0:
            return text[1 : mark.start()].strip(), text[mark.end() :]
    return None


def take_path(text: str, *, any_name: bool = False) -> tuple[str, str] | None:
    """Read a file's path, in a code span, as a link's words, or bare; return (path, rest).

    A bare path must look like one, with a slash or a dot inside, unless `any_name` lets a `Makefile` pass.
    """
    text = _behind_path_label(text.strip()).removeprefix("**")
    link = take_link(text)
    if link:
        text = link[0] + link[2]
    span = take_code_span(text)
    if span:
        return span[0], span[1].removeprefix("**")
    bare = _BARE_PATH.match(text)
    if not bare:
        return None
    path, rest = bare.group(), text[bare.end() :].removeprefix("**")
    named = any_name and _PLAIN_NAME.fullmatch(path) and not rest[:1].isspace()
    return (path, rest) if named or looks_like_path(path) else None


def looks_like_path(text: str) -> bool:
    """Tell whether a text has a path's shape: no spaces, a slash or a dot inside, and no address's scheme."""
    return _PATH_LIKE.fullmatch(text) is not None and "://" not in text


def _behind_path_label(text: str) -> str:
    numbered = _NUMBERING.match(text)
    text = text[numbered.end() :] if numbered else text
    found = _LABEL.match(text)
    return text[found.end() :].lstrip() if found and is_path_label(found.group(1)) else text


def take_colon(text: str) -> str | None:
    """Return what stands behind a colon, or behind a dash with spaces, at the text's start."""
    text = text.lstrip(" \t")
    if text.startswith(COLONS):
        return text[1:].strip()
    dashed = text[:1] in DASHES and text[1:2].isspace()
    return text[2:].strip() if text and dashed else None


def plain(text: str) -> str:
    """Return a value without what is around the whole of it: a link, emphasis, a code span."""
    text = text.strip()
    link = take_link(text)
    if link and not link[2].strip():
        text = link[0]
    for mark in _EMPHASIS:
        if len(text) > 4 and text.startswith(mark) and text.endswith(mark):
            text = text[2:-2].strip()
    span = take_code_span(text)
    return span[0] if span and not span[1].strip() else text


def split_list(text: str, separators: str = SEPARATORS) -> list[str]:
    """Split at separators outside code spans and brackets: `a(b, c)、d , e` gives `["a(b, c)", "d", "e"]`."""
    pieces = _cut(text, separators)
    return [piece for piece in map(str.strip, pieces) if piece]


def _cut(text: str, separators: str) -> list[str]:
    pieces, start = [], 0
    for index in outside(text, separators):
        pieces.append(text[start:index])
        start = index + 1
    return [*pieces, text[start:]]


def find_colon(text: str, start: int = 0) -> int:
    """Return where the first separating colon outside code spans and brackets stands, or -1."""
    return next((index for index in outside(text, ":：") if index >= start), -1)


def outside(text: str, signs: str) -> Iterator[int]:
    """Yield where one of the signs stands outside code spans and brackets, which count only where all of them match."""
    nested = _balanced(text)
    depth = 0
    for mark in _MARKS.finditer(text):
        sign = mark.group()
        if sign in _OPENING:
            depth += nested
        elif sign in _CLOSING:
            depth -= nested
        elif depth == 0 and sign in signs:
            yield mark.start()


def _balanced(text: str) -> bool:
    depth = 0
    for mark in _MARKS.finditer(text):
        depth += (mark.group() in _OPENING) - (mark.group() in _CLOSING)
        if depth < 0:
            return False
    return depth == 0
