"""Core, releases: which versions of which packages a pasted `pip freeze`, `pip list` or requirements file names."""

import re
from collections.abc import Iterator
from contextlib import suppress

from packaging.requirements import InvalidRequirement, Requirement

from errorkb.core.releases.versions import plain_name

# As much of a text, and of one line, as is read.
MAX_LINES = 20_000
MAX_LINE = 2_000

_EDITABLE = re.compile(r"(?:-e|--editable)[ =]+(?P<address>\S+)")
# https://pip.pypa.io/en/stable/topics/vcs-support/: the revision stands behind `@`, the name in the fragment.
_REVISION = re.compile(r"@(?P<revision>[\w./+-]+)(?:[#?]|$)")
_EGG = re.compile(r"[#&](?:egg|name)=(?P<name>[A-Za-z0-9][\w.-]*)")
_WHEEL = re.compile(
    r"/(?P<name>[A-Za-z0-9][\w.]*)-(?P<version>\d[\w.+!]*)(?:-[\w.]+-[\w.]+-[\w.]+\.whl|\.tar\.gz|\.zip)"
)
_COLUMNS = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)\s+(?P<version>v?\d[\w.+!-]*)(?:\s+\S+)*")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTIONS = re.compile(r"\s--[a-z-]+(?:[ =]\S+)?")


def pinned_versions(text: str) -> dict[str, str]:
    """Return versions by the names of packages (PEP 503); empty where a package is named and no one version of it.

    Takes what `pip freeze` and `pip list` print, and requirements files. A package from version control has the
    revision that is stated: `-e git+https://…@0132848#egg=sglang` gives `{"sglang": "0132848"}`.
    """
    found: dict[str, str] = {}
    for line in text.replace("\\\n", " ").splitlines()[:MAX_LINES]:
        for name, version in _named(line.strip()[:MAX_LINE]):
            if version or plain_name(name) not in found:
                found[plain_name(name)] = version
    return found


def _named(line: str) -> Iterator[tuple[str, str]]:
    editable = _EDITABLE.match(line)
    if editable:
        yield from _from_address(editable["address"])
        return
    bare = _OPTIONS.sub("", _COMMENT.sub("", line)).strip()
    columns = _COLUMNS.fullmatch(bare)
    if columns:
        yield columns["name"], columns["version"]
        return
    with suppress(InvalidRequirement):
        yield _required(Requirement(bare))


def _required(requirement: Requirement) -> tuple[str, str]:
    if requirement.url:
        return requirement.name, next((version for _, version in _from_address(requirement.url)), "")
    pins = [one.version for one in requirement.specifier if one.operator in ("==", "===") and "*" not in one.version]
    return requirement.name, pins[0] if len(pins) == 1 else ""


def _from_address(address: str) -> Iterator[tuple[str, str]]:
    """Yield the package at an address, by what it is called there."""
    wheel, egg = _WHEEL.search(address), _EGG.search(address)
    revision = _REVISION.search(address) if "git+" in address or "hg+" in address else None
    if wheel:
        yield wheel["name"], wheel["version"]
    elif egg or revision:
        name = egg["name"] if egg else _last_step(address)
        yield name, revision["revision"] if revision else ""


def _last_step(address: str) -> str:
    return address.partition("#")[0].rpartition("@")[0].rpartition("/")[2].removesuffix(".git") or "unnamed"
