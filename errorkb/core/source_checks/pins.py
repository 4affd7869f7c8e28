"""Core: which package and which version of it a pin means."""

import re

from packaging.version import InvalidVersion, Version

# https://github.com/package-url/purl-spec/blob/main/types/pypi-definition.json
_PYPI = re.compile(r"pkg:pypi/(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)(?:[@?#].*)?")


def package_name(purl: str) -> str:
    """Return the Python package that a package URL names: `pkg:pypi/django@5.2` gives `django`; else nothing."""
    found = _PYPI.fullmatch(purl)
    return found["name"] if found else ""


def same_version(wanted: str, found: str) -> bool:
    """Tell whether two versions are equal by PEP 440 (`5.2` is `5.2.0`); a build's `+cpu` counts only where wanted."""
    try:
        one, other = Version(wanted), Version(found)
    except InvalidVersion:
        return wanted == found
    return one == (other if one.local else Version(other.public))
