"""Core: which release of which package a paste names, where it says so."""

import re

_MOST = 50
_FORMS = (
    re.compile(r"(?<![\w.-])(?P<package>[A-Za-z][\w.-]{0,60}?)==(?P<version>\d[\w.!+-]{0,30})"),
    re.compile(r"[\\/](?P<package>[A-Za-z][\w.]{0,60})-(?P<version>\d[\w.!+]{0,30})(?:-py\d[\d.]*)?\.(?:dist-info|egg-info|egg)\b"),
    re.compile(r"\b(?P<package>Django) Version:\s*(?P<version>\d[\w.]{0,20})"),
    re.compile(
        r"\b(?P<package>[A-Za-z][\w-]{1,40}) (?:version:? |v(?=\d))(?P<version>\d+\.\d+(?:\.\d+)?(?:[.-]?(?:post|rc|dev|a|b)\d+)?)\b",
    ),
)  # fmt: skip
# Words before a version that name no package.
_NO_PACKAGE = frozenset(
    ("python", "the", "version", "cuda", "driver", "api", "http", "protocol", "schema", "using", "is")
)


def named_releases(text: str) -> tuple[tuple[str, str], ...]:
    """Return (package, version) pairs that a text names, first ones first, each once.

    >>> named_releases("pip: sglang==0.5.18, vLLM version 0.11.2")
    (('sglang', '0.5.18'), ('vLLM', '0.11.2'))
    """
    found: dict[tuple[str, str], None] = {}
    for form in _FORMS:
        for match in form.finditer(text):
            if match["package"].lower() not in _NO_PACKAGE:
                found.setdefault((match["package"], match["version"].rstrip(".,")))
            if len(found) >= _MOST:
                return tuple(found)
    return tuple(found)
