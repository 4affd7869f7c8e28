"""Core, releases: what a tag or what somebody types means as a version, and which of two versions comes first."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from packaging.version import InvalidVersion, Version

from errorkb.core.releases.tags import version_in_tag, version_of_tag

# A longer text is no version.
MAX_LENGTH = 200


class Scheme(StrEnum):
    """The rules by which the versions of a repository are read and ordered."""

    PEP440 = "pep440"
    SEMVER = "semver"


@dataclass(frozen=True)
class ReadVersion:
    """A version that was understood.

    `order` compares with that of others of the same scheme; `series` is the release line that it belongs to, as
    `(4, 2)`; `local` what a build adds behind `+`, which says nothing of the source.
    """

    text: str
    order: Any
    series: tuple[int, ...]
    local: str = ""


# A name in front, as tags have: `networkx-3.5`, `rel_2_0_44`, `release/v1.2`, `@scope/name@1.2.3`.
_NAMED = re.compile(r"(?P<name>@?[A-Za-z][\w./-]*?)(?P<joint>[-_/@]|\s*={2,3}\s*|\s+)(?P<rest>[vV]?\d\S*)")
# Words in front of a version that name no package.
_WORDS = frozenset({"release", "rel", "version", "ver", "v", "r", "tag", "tags", "refs/tags", "stable"})

# https://semver.org/#is-there-a-suggested-regular-expression-regex-to-check-a-semver-string; minor and patch may be
# left out, as Go's own releases do.
_SEMVER = re.compile(
    r"(?P<major>[0-9]{1,18})(?:\.(?P<minor>[0-9]{1,18}))?(?:\.(?P<patch>[0-9]{1,18}))?"
    r"(?:-(?P<pre>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+(?P<local>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
)


def scheme_of(language: str, package: str = "") -> Scheme:
    """Return the scheme of a repository's versions: PEP 440 for Python, else semantic versions.

    `language` is that of its source, `package` its package URL, which decides where it is stated.
    """
    if package:
        return Scheme.PEP440 if package.startswith("pkg:pypi/") else Scheme.SEMVER
    return Scheme.PEP440 if language.lower() in ("python", "") else Scheme.SEMVER


def read_tag(tag: str, scheme: Scheme, tag_format: str = "") -> ReadVersion | None:
    """Return the version that a tag means, whatever name stands before it; None where it means none.

    `rel_2_0_44` gives 2.0.44, `networkx-3.5` gives 3.5.
    """
    bare = version_of_tag(tag, tag_format)
    named = _NAMED.fullmatch(bare) if len(bare) <= MAX_LENGTH and scheme is Scheme.SEMVER else None
    return _first_read((bare, version_in_tag(tag, tag_format), *((named["rest"],) if named else ())), scheme)


def read_asked(text: str, scheme: Scheme, tag_format: str = "", names: Iterable[str] = ()) -> ReadVersion | None:
    """Return the version that somebody asks about, None where the text is none.

    A package's name may stand before it, if it is one of `names`: `sglang==0.5.18`, `networkx-3.5`, `sglang v0.5.6`.
    """
    typed = text.strip()
    if len(typed) > MAX_LENGTH:
        return None
    named = _NAMED.fullmatch(typed)
    known = _WORDS | {plain_name(name) for name in names}
    is_known = named is not None and plain_name(named["name"]) in known
    rest = (named["rest"], version_in_tag(typed, tag_format)) if named and is_known else ()
    return _first_read((version_of_tag(typed, tag_format), *rest), scheme)


def plain_name(name: str) -> str:
    """Return a package's name in the one form of it (PEP 503): `Foo_bar.baz` gives `foo-bar-baz`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _first_read(forms: Iterable[str], scheme: Scheme) -> ReadVersion | None:
    return next((read for form in forms if (read := _PARSERS[scheme](form)) is not None), None)


@lru_cache(maxsize=4096)
def _pep440(text: str) -> ReadVersion | None:
    if len(text) > MAX_LENGTH:
        return None
    try:
        version = Version(text)
    except (InvalidVersion, ValueError):
        return None
    public = Version(version.public) if version.local else version
    series = (version.epoch, *(*version.release, 0)[:2])
    return ReadVersion(str(version), public, series, version.local or "")


@lru_cache(maxsize=4096)
def _semver(text: str) -> ReadVersion | None:
    found = _SEMVER.fullmatch(text.strip().removeprefix("v").removeprefix("V")) if len(text) <= MAX_LENGTH else None
    if found is None:
        return None
    numbers = tuple(int(found[name] or 0) for name in ("major", "minor", "patch"))
    before = found["pre"].split(".") if found["pre"] else []
    # https://semver.org/#spec-item-11: a release comes after its previews; numbers before words.
    order = (numbers, not before, tuple((not part.isdecimal(), _padded(part)) for part in before))
    return ReadVersion(text.strip().lstrip("vV"), order, numbers[:2], found["local"] or "")


def _padded(part: str) -> tuple[int, str]:
    return (int(part), "") if part.isdecimal() else (0, part)


_PARSERS: dict[Scheme, Callable[[str], ReadVersion | None]] = {Scheme.PEP440: _pep440, Scheme.SEMVER: _semver}
