"""Matching: whether the release that a reader has is one that has the error, and what follows for the order."""

from collections.abc import Iterable, Mapping

from errorkb.core.releases.answers import Verdict
from errorkb.core.releases.versions import plain_name
from errorkb.matching.ranking import Ranked
from errorkb.matching.results import Reason
from errorkb.models import ErrorEntry
from errorkb.serving.affected import Affected, affected_each
from errorkb.serving.entry_histories import EntryHistory, entry_histories

Named = tuple[tuple[str, str], ...]

_LACKS = " does not have it: "


def release_reasons(
    entries: Iterable[ErrorEntry], libraries: Mapping[int, str], named: Named, asked: str
) -> dict[int, Reason]:
    """Return what is known of entries, by primary key, in the release that is asked for or that a paste names.

    `libraries` are the folders by which the entries' libraries are known; `named` are (package, version) pairs. A
    reason of kind `against` says that the release is known not to have the entry.
    """
    if not (asked or named):
        return {}
    histories = entry_histories(entries)
    versions = {key: asked or _version_of(one, libraries.get(key, ""), named) for key, one in histories.items()}
    keys = [key for key, version in versions.items() if version]
    found = affected_each([(histories[key], versions[key]) for key in keys])
    return {key: _reason(one, versions[key]) for key, one in zip(keys, found, strict=True)}


def behind_those_that_have_it(ranked: Iterable[Ranked], reasons: Mapping[int, Reason]) -> list[Ranked]:
    """Put entries that the reader's release is known not to have behind those that are otherwise their equals.

    `reasons` are those of `release_reasons`. What is left of several equals is told as such; where the release has
    none of them, nothing changes.
    """
    lacking = {key for key, reason in reasons.items() if reason.kind == "against"}
    return sorted((_judged(one, lacking) for one in ranked), key=lambda one: not one.confident)


def _judged(one: Ranked, lacking: set[int]) -> Ranked:
    better = tuple(other for other in one.equals if other.entry.pk not in lacking)
    if one.finding.entry.pk not in lacking:
        return Ranked(one.finding, one.confident, better)
    return Ranked(one.finding, confident=False) if better else one


def _reason(found: Affected, version: str) -> Reason:
    told = found.answer
    if told.verdict is Verdict.UNKNOWN:
        return Reason("release", f"whether your release {version} has it is not known: {told.reason}")
    if told.verdict is Verdict.NO:
        why = told.reason.partition(_LACKS)[2] or told.reason
        return Reason("against", f"your release {version} does not have it: {why}")
    if not told.is_exact:
        return Reason("release", f"your release {version} has it, as far as is known: {told.reason}")
    line = f" (line {found.place.line})" if found.place and found.place.line else ""
    return Reason("release", f"your release {version} has it{line}")


def _version_of(history: EntryHistory, library: str, named: Named) -> str:
    """Return the version that a paste names of an entry's package."""
    names = {plain_name(name) for name in (library, history.entry.repository.short_name, *history.releases.names)}
    return next((version for package, version in named if plain_name(package) in names - {""}), "")
