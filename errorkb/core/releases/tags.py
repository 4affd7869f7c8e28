"""Core, releases: which version a tag means."""

import re
from functools import lru_cache

from packaging.version import InvalidVersion, Version

_SLOT = "{version}"
# A version at the end of a tag, behind the name of a package or a word: `networkx-3.1`, `rel_2_0_30`, `release/1.2rc1`.
# A single number there may count anything.
_TRAILING = re.compile(r"(?<!\d)(?<!\d[._])\d++(?:[._]\d++)++(?:[._]?(?:a|b|c|rc|post|dev)\d++)?\Z")
_MAX_VERSION = 100


def version_of_tag(tag: str, tag_format: str) -> str:
    """Return the version that a tag means: `v0.5.6` with `v{version}` gives `0.5.6`.

    Without a format, or where the tag does not follow it, it is the tag without a leading `v`.
    """
    head, slot, tail = tag_format.partition(_SLOT)
    inner = tag[len(head) : len(tag) - len(tail)]
    if slot and inner and tag == head + inner + tail:
        return inner
    return re.sub(r"^v(?=\d)", "", tag)


def version_in_tag(tag: str, tag_format: str) -> str:
    """Return the version (PEP 440) that a tag means by the format, else by itself; empty where it means none.

    `v5.0`, `networkx-5.0` and `rel_5_0` give `5.0`, `nightly` and `build-17` nothing.
    """
    stated = version_of_tag(tag, tag_format)
    if parsed_version(stated):
        return stated
    found = _TRAILING.search(tag) if len(tag) <= _MAX_VERSION else None
    version = found[0].replace("_", ".") if found else ""
    return version if parsed_version(version) else ""


@lru_cache(10_000)
def parsed_version(version: str) -> Version | None:
    """Return a version by PEP 440, None for what is none or too long to be one."""
    if not version or len(version) > _MAX_VERSION:
        return None
    try:
        return Version(version)
    except InvalidVersion:
        return None
