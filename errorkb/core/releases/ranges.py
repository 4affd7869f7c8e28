"""Core, releases: which have an error: first, last, removed, returned, by branch, and as ranges in the shape of OSV."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from errorkb.core.releases.lineages import KnownRelease, Line, Lineage, states_of
from errorkb.core.releases.versions import Scheme

Has = Mapping[str, bool]

_FULL_COMMIT = re.compile(r"[0-9a-f]{40}")
_STRICT_SEMVER = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:[-+].*)?")


@dataclass(frozen=True)
class BranchRange:
    """The releases of one branch that have an error, by their labels; empty where there is none.

    `introduced` is its first one where the release before is known not to have it; `inherited` says that the branch
    began with it.
    """

    branch: str
    first: str
    last: str
    introduced: str
    removed: str
    inherited: bool = False


@dataclass(frozen=True)
class EntryRange:
    """The releases that have an error, by their labels, in the order of versions; empty where there is none.

    `introduced` is the first one where an earlier release is known not to have it; `removed` is the first that no
    longer has it, on the branch of the newest release that ever did; `returned` are those that had it anew.
    """

    first: str = ""
    last: str = ""
    introduced: str = ""
    removed: str = ""
    returned: tuple[str, ...] = ()
    branches: tuple[BranchRange, ...] = ()
    having: tuple[str, ...] = ()


def entry_range(lineage: Lineage, has: Has) -> EntryRange:
    """Return where an error is; `has` says it of the releases that were read, by label."""
    states = states_of(lineage.releases, has)
    having = tuple(release.label for release, has_it in states if has_it)
    if not having:
        return EntryRange()
    branches = tuple(branch for line in lineage.lines if (branch := _branch_range(line, has)))
    main = next(branch for branch in branches if branch.first or branch.removed)
    return EntryRange(
        first=having[0],
        last=having[-1],
        introduced=_introduced(lineage, states, having[0], has),
        removed=main.removed,
        returned=tuple(dict.fromkeys(label for line in lineage.lines for label in _returned(line, has))),
        branches=tuple(branch for branch in branches if branch.first) if len(lineage.lines) > 1 else (),
        having=having,
    )


def osv_ranges(lineage: Lineage, has: Has, *, scheme: Scheme, repo: str = "") -> list[dict[str, Any]]:
    """Return the ranges of an error as the member `ranges` of https://ossf.github.io/osv-schema/ has them.

    One range by version, `SEMVER` where every version is strictly one, else `ECOSYSTEM`; and where all commits are
    known in full one by `GIT` of the repository whose clone address is `repo`. A range has no end where the newest
    release that was read has the error.
    """
    by_version = list(_version_events(lineage, has))
    ranges: list[dict[str, Any]] = []
    if by_version:
        versions = [next(iter(event.values())) for event in by_version]
        is_semver = scheme is Scheme.SEMVER and all(map(_STRICT_SEMVER.fullmatch, versions))
        ranges.append({"type": "SEMVER" if is_semver else "ECOSYSTEM", "events": by_version})
    by_commit = list(_commit_events(lineage, has)) if repo else []
    if by_commit and all(_FULL_COMMIT.fullmatch(next(iter(event.values()))) for event in by_commit):
        ranges.append({"type": "GIT", "repo": repo, "events": by_commit})
    return ranges


def _introduced(lineage: Lineage, states: Sequence[tuple[KnownRelease, bool]], first: str, has: Has) -> str:
    """Return the first release that has it, where one that it descends from is known not to."""
    release = next(release for release, _ in states if release.label == first)
    ancestors = lineage.ancestors(release)
    return first if any(label in ancestors and not has_it for label, has_it in has.items()) else ""


def _branch_range(line: Line, has: Has) -> BranchRange | None:
    states = states_of(line.chain, has)
    own = {release.label for release in line.own}
    having = [release.label for release, has_it in states if has_it and release.label in own]
    if not having and not any(has_it for _, has_it in states):
        return None
    changes = [
        (release.label, has_it)
        for (_, had_it), (release, has_it) in pairwise(states)
        if has_it != had_it and release.label in own
    ]
    began = _began_with_it(states, own)
    return BranchRange(
        branch=line.name,
        first=having[0] if having else "",
        last=having[-1] if having else "",
        introduced=having[0] if having and (having[0], True) in changes and not began else "",
        removed=changes[-1][0] if changes and not changes[-1][1] else "",
        inherited=began,
    )


def _began_with_it(states: Sequence[tuple[KnownRelease, bool]], own: set[str]) -> bool:
    """Say whether the last release before a branch's own ones had it."""
    before = [has_it for release, has_it in states if release.label not in own]
    return bool(before) and before[-1]


def _returned(line: Line, has: Has) -> Iterator[str]:
    """Yield the releases of a branch that have it while the one before had not, though an earlier one had."""
    had_it = was_there = False
    own = {release.label for release in line.own}
    for release, has_it in states_of(line.chain, has):
        if has_it and was_there and not had_it and release.label in own:
            yield release.label
        had_it, was_there = has_it, was_there or has_it


def _version_events(lineage: Lineage, has: Has) -> Iterator[dict[str, str]]:
    had_it = False
    for release, has_it in _one_of_each_version(states_of(lineage.releases, has)):
        if has_it != had_it and release.version:
            yield {"introduced" if has_it else "fixed": release.version.text}
            had_it = has_it


def _one_of_each_version(states: Iterable[tuple[KnownRelease, bool]]) -> list[tuple[KnownRelease, bool]]:
    """Leave out releases without a version, and of several builds of one version all but one that has it."""
    found: dict[object, tuple[KnownRelease, bool]] = {}
    for release, has_it in states:
        if release.version and (has_it or release.version.order not in found):
            found[release.version.order] = (release, has_it)
    return list(found.values())


def _commit_events(lineage: Lineage, has: Has) -> Iterator[dict[str, str]]:
    """Yield what changes from the nearest releases that one descends from, to that one."""
    for release, has_it in states_of(lineage.releases, has):
        before = [has[other.label] for other in lineage.nearest(release, has)]
        if has_it and not any(before):
            yield {"introduced": release.commit}
        elif not has_it and any(before):
            yield {"fixed": release.commit}
