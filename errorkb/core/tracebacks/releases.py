"""Core: which release of which package a paste names, where it says so."""

import re
from collections.abc import Iterator

_MOST = 50
# (what must be in the text at all, how a package and its version stand there)
_FORMS = (
    ("==", re.compile(r"(?<![\w.-])(?P<package>[A-Za-z][\w.-]{0,60}?)==(?P<version>\d[\w.!+-]{0,30})")),
    ("-info", re.compile(r"[\\/](?P<package>[A-Za-z][\w.]{0,60})-(?P<version>\d[\w.!+]{0,30})\.dist-info\b")),
    (
        ".egg",
        re.compile(r"[\\/](?P<package>[A-Za-z][\w.]{0,60})-(?P<version>\d[\w.!+]{0,30}?)(?:-py[\d.]{1,5})?\.egg\b"),
    ),
    ("sing ", re.compile(r"sing(?<=\b[Uu]sing) (?P<package>[A-Za-z][\w-]{1,60}) v?(?P<version>\d+\.\d+[\w.+]{0,30})")),
)
# What programs print of their surroundings, one a line: `sglang: 0.5.18`, "- `transformers` version: 4.57.1". Its end is
# looked for, which few lines have, and then its beginning.
_END_OF_LINE = re.compile(r": v?(?P<version>\d+\.\d+\.\d+[\w.+]{0,30})$", re.MULTILINE)
_LINE = re.compile(r"[ \t]{0,20}(?:[-*][ ])?`?(?P<package>[A-Za-z][\w.-]{1,60})`?(?: version)?")
_MOST_BEFORE = 100
_DJANGO = re.compile(r"\b(?P<package>Django) Version:\s*(?P<version>\d[\w.]{0,20})")
# `vLLM version 0.11.2`, `sglang v0.5.18`: the version is looked for, and the word before it.
_VERSION = re.compile(r" v(?:ersion:? )?(?P<version>\d+\.\d+(?:\.\d+)?(?:[.-]?(?:post|rc|dev|a|b)\d+)?)\b")
_WORD_BEFORE = re.compile(r"[A-Za-z][\w-]{1,40}$")
# Words before a version that name no package.
_NO_PACKAGE = frozenset(
    (
        "python",
        "the",
        "version",
        "cuda",
        "driver",
        "api",
        "http",
        "protocol",
        "schema",
        "using",
        "is",
        "with",
        "of",
        "on",
    )
)


def named_releases(text: str) -> tuple[tuple[str, str], ...]:
    """Return (package, version) pairs that a text names, each once.

    >>> named_releases("pip: sglang==0.5.18, vLLM version 0.11.2")
    (('sglang', '0.5.18'), ('vLLM', '0.11.2'))
    """
    found: dict[tuple[str, str], None] = {}
    for package, version in _named(text):
        if package.lower() not in _NO_PACKAGE:
            found.setdefault((package, version.rstrip(".,")))
        if len(found) >= _MOST:
            break
    return tuple(found)


def _named(text: str) -> Iterator[tuple[str, str]]:
    for sign, form in _FORMS:
        if sign in text:
            yield from ((match["package"], match["version"]) for match in form.finditer(text))
    yield from _of_surroundings(text)
    if "Django Version" in text:
        yield from ((match["package"], match["version"]) for match in _DJANGO.finditer(text))
    for match in _VERSION.finditer(text):
        word = _WORD_BEFORE.search(text[max(0, match.start() - 42) : match.start()])
        if word:
            yield word.group(), match["version"]


def _of_surroundings(text: str) -> Iterator[tuple[str, str]]:
    for match in _END_OF_LINE.finditer(text):
        start = text.rfind("\n", max(0, match.start() - _MOST_BEFORE), match.start()) + 1
        named = _LINE.fullmatch(text, start, match.start())
        if named:
            yield named["package"], match["version"]
