"""Core: which package and which version of it a pin means."""

import re

from packaging.version import InvalidVersion, Version

# https://github.com/package-url/purl-spec/blob/main/types/pypi-definition.json
_PYPI = re.compile(r"pkg:pypi/(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)(?:[@?#].*)?")
_SLOT = "{version}"


def package_name(purl: str) -> str:
    """Return the Python package that a package URL names: `pkg:pypi/django@5.2` gives `django`; else nothing."""
    found = _PYPI.fullmatch(purl)
    return found["name"] if found else ""


def version_of_tag(tag: str, tag_format: str) -> str:
    """Return the version that a tag means: `v0.5.6` with `v{version}` gives `0.5.6`.

    Without a format, or where the tag does not follow it, it is the tag without a leading `v`.
    """
    head, slot, tail = tag_format.partition(_SLOT)
    inner = tag[len(head) : len(tag) - len(tail)]
    if slot and inner and tag == head + inner + tail:
        return inner
    return re.sub(r"^v(?=\d)", "", tag)


def same_version(wanted: str, found: str) -> bool:
    """Tell whether two versions are equal by PEP 440 (`5.2` is `5.2.0`); a build's `+cpu` counts only where wanted."""
    try:
        one, other = Version(wanted), Version(found)
    except InvalidVersion:
        return wanted == found
    return one == (other if one.local else Version(other.public))
