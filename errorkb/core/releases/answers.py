"""Core, releases: whether a version has an error, as far as what was read and its own document tell; never a guess."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from errorkb.core.forges import is_commit
from errorkb.core.releases.lineages import KnownRelease, Lineage
from errorkb.core.releases.ranges import Has
from errorkb.core.releases.versions import ReadVersion, Scheme, read_asked, read_tag

# So much of what was asked about is repeated.
_SHOWN = 60


class Verdict(StrEnum):
    """Whether a version has an error."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Claims:
    """What an entry's own document says of releases, by their tags or versions; empty where it says nothing.

    `pin` is the release, else the commit, that its source was read at.
    """

    pin: str = ""
    first: str = ""
    last: str = ""
    removed: str = ""


@dataclass(frozen=True)
class Answer:
    """Whether a version has an error; `reason` says why in words.

    `release` is the label of the release that was read and shows it, empty where none does; `is_exact` says that it
    is the one that was asked about. `told_by_document` says that only the entry's own document knows.
    """

    verdict: Verdict
    reason: str
    release: str = ""
    is_exact: bool = False
    told_by_document: bool = False


@dataclass(frozen=True)
class Asked:
    """What somebody asks about: their words, and the version in them, None where there is none."""

    text: str
    version: ReadVersion | None


@dataclass(frozen=True)
class EntryReleases:
    """What is known of an entry: in which of a repository's releases it is, of those that were read, and its claims."""

    lineage: Lineage
    has: Has
    scheme: Scheme
    tag_format: str = ""
    claims: Claims = Claims()


@dataclass(frozen=True)
class _Point:
    """A version of which it is known whether it has the error. `rank` puts what comes just before it in front."""

    order: object
    rank: int
    has_it: bool
    label: str
    is_read: bool


def answer(known: EntryReleases, text: str, names: Iterable[str] = ()) -> Answer:
    """Say whether the release that `text` names (a tag, a version, a commit) has an entry.

    `names` are the names of the package that may stand before the version.
    """
    asked = Asked(text.strip()[:_SHOWN], read_asked(text, known.scheme, known.tag_format, names))
    same = known.lineage.named(text.strip())
    if not same and asked.version:
        same = known.lineage.with_version(asked.version)
    read = [release for release in same if release.label in known.has]
    if read:
        return _of_read(known, read)
    claimed = _claimed(known, asked)
    if claimed:
        return claimed
    by_branch = _by_ancestry(known, same[0]) if same and same[0].parents is not None else None
    return by_branch or _by_version(known, asked if asked.version or not same else Asked(asked.text, same[0].version))


def _of_read(known: EntryReleases, read: Sequence[KnownRelease]) -> Answer:
    having = next((release.label for release in read if known.has[release.label]), "")
    if having:
        return Answer(Verdict.YES, f"{having} has it", having, is_exact=True)
    label, why = read[0].label, _why_not(known, read[0])
    reason = why if why.startswith(f"removed in {label}") else f"{label} does not have it: {why}"
    return Answer(Verdict.NO, reason, label, is_exact=True)


def _why_not(known: EntryReleases, release: KnownRelease) -> str:
    """Return when an error that a release lacks came, or went, or that no release has it."""
    earlier = known.lineage.ancestors(release)
    having = [other.label for other in known.lineage.releases if known.has.get(other.label)]
    before = [label for label in having if label in earlier]
    after = [label for label in having if label in known.lineage.descendants(release)]
    if before:
        gone = _gone_after(known, before[-1], release)
        back = f", and back in {after[0]}" if after else ""
        return f"removed in {gone}{back}"
    if after:
        return f"introduced later, in {after[0]}"
    if having:
        return f"it is on another branch only, in {having[0]}"
    return "no release that we have read has it"


def _gone_after(known: EntryReleases, last: str, release: KnownRelease) -> str:
    """Return the first release behind `last`, on the way to `release`, that was read and lacks the error."""
    way = known.lineage.ancestors(release) | {release.label}
    places = known.lineage.places
    lacking = (
        other.label for other in known.lineage.releases if other.label in way and known.has.get(other.label) is False
    )
    return next((label for label in lacking if places[label] > places[last]), release.label)


def _claimed(known: EntryReleases, asked: Asked) -> Answer | None:
    """Return what the entry's document says of this very release, None where it says nothing."""
    claims = known.claims
    told = {claims.removed: False, claims.last: True, claims.first: True, claims.pin: True}
    for label, has_it in told.items():
        if label and (_is_named(label, asked.text) or _is_version(known, label, asked.version)):
            reason = f"its document says that {label} {'has it' if has_it else 'no longer has it'}; we have not read it"
            return Answer(Verdict.YES if has_it else Verdict.NO, reason, told_by_document=True)
    return None


def _is_named(label: str, text: str) -> bool:
    """Say whether a text is a label, or both are the same commit in more or fewer digits."""
    one, other = label.lower(), text.lower()
    is_same_commit = is_commit(one) and is_commit(other) and (one.startswith(other) or other.startswith(one))
    return label == text or is_same_commit


def _is_version(known: EntryReleases, label: str, version: ReadVersion | None) -> bool:
    read = read_tag(label, known.scheme, known.tag_format)
    return read is not None and version is not None and read.order == version.order


def _by_ancestry(known: EntryReleases, release: KnownRelease) -> Answer | None:
    """Answer for a release that is known and was not read, by the nearest ones that were; None to ask its version."""
    before = known.lineage.nearest(release, known.has)
    after = known.lineage.nearest(release, known.has, after=True)
    if before and after:
        return _between(known, release, before, after)
    newest = max((known.lineage.places[label] for label in known.has), default=-1)
    if not before or after or known.lineage.places[release.label] > newest:
        return None
    has_it = any(known.has[other.label] for other in before)
    told = f"{before[-1].label}, before it, {_has(has_it=has_it)}"
    return Answer(Verdict.UNKNOWN, f"{release.label} is on another branch than what we have read; {told}")


def _between(
    known: EntryReleases, release: KnownRelease, before: Sequence[KnownRelease], after: Sequence[KnownRelease]
) -> Answer:
    states = {known.has[other.label] for other in (*before, *after)}
    left, right = before[-1].label, after[0].label
    if states == {True}:
        reason = f"{left} and {right}, before and after it, have it; we have not read {release.label}"
        return Answer(Verdict.YES, reason, left)
    if states == {False}:
        around = f"{left} and {right}, before and after it, do not have it"
        return Answer(Verdict.NO, f"{_why_not(known, release)}; {around}", left)
    told = "; ".join(
        f"{other.label}, {where} it, {_has(has_it=known.has[other.label])}"
        for where, others in (("before", before), ("after", after))
        for other in others
    )
    return Answer(Verdict.UNKNOWN, f"we have not read {release.label}: {told}")


def _by_version(known: EntryReleases, asked: Asked) -> Answer:
    """Answer by the nearest versions below and above the one that is asked about."""
    if asked.version is None:
        return Answer(Verdict.UNKNOWN, _not_a_version(known, asked))
    points = _points(known)
    below = [point for point in points if point.order < asked.version.order]
    above = [point for point in points if point.order > asked.version.order]
    return _TELLERS[bool(below), bool(above)](known, asked.text, below, above)


def _not_a_version(known: EntryReleases, asked: Asked) -> str:
    newest = next((label for label in reversed(known.lineage.places) if label in known.has), "")
    told = f"; {newest}, the newest release that we have read, {_has(has_it=known.has[newest])}" if newest else ""
    return f"“{asked.text}” is no version and no tag that we know{told}"


def _points(known: EntryReleases) -> list[_Point]:
    """Return the versions of which it is known whether they have the error, those that were read and the document's."""
    read = [
        _Point(release.version.order, 0, known.has[release.label], release.label, is_read=True)
        for release in known.lineage.releases
        if release.version and release.label in known.has
    ]
    return sorted([*read, *_claimed_points(known, read)], key=lambda point: (point.order, point.rank))


def _claimed_points(known: EntryReleases, read: Sequence[_Point]) -> Iterable[_Point]:
    """Yield what the document says, where no release that was read says otherwise."""
    claims = known.claims
    having = [point.order for point in read if point.has_it]
    for label, rank, has_it in (
        (claims.pin, 0, True),
        (claims.first, -1, False),
        (claims.first, 0, True),
        (claims.last, 0, True),
        (claims.removed, 0, False),
    ):
        version = read_tag(label, known.scheme, known.tag_format) if label else None
        if version is None or (rank == 0 and any(point.order == version.order for point in read)):
            continue
        against = [order for order in having if (order < version.order if rank else order > version.order)]
        if has_it or not against:
            yield _Point(version.order, rank, has_it, label, is_read=False)


def _in_the_middle(known: EntryReleases, text: str, below: Sequence[_Point], above: Sequence[_Point]) -> Answer:
    left, right = below[-1], above[0]
    if left.has_it and right.has_it:
        reason = f"{left.label} and {right.label}, before and after it, have it; we have not read {text}"
        return _told(Verdict.YES, reason, left)
    if not left.has_it and not right.has_it:
        return _told(Verdict.NO, f"{_why_not_between(known, below, above)}; we have not read {text}", left)
    told = f"{left.label}, before it, {_has(has_it=left.has_it)}; {right.label}, after it, {_has(has_it=right.has_it)}"
    return Answer(Verdict.UNKNOWN, f"we have not read {text}: {told}")


def _older(known: EntryReleases, text: str, below: Sequence[_Point], above: Sequence[_Point]) -> Answer:
    return _beyond(above[0], ("older", "oldest", "first"), known, text, below, above)


def _newer(known: EntryReleases, text: str, below: Sequence[_Point], above: Sequence[_Point]) -> Answer:
    return _beyond(below[-1], ("newer", "newest", "last"), known, text, below, above)


def _beyond(
    end: _Point,
    words: tuple[str, str, str],
    known: EntryReleases,
    text: str,
    below: Sequence[_Point],
    above: Sequence[_Point],
) -> Answer:
    """Return the answer for a version beyond the last point on one side: all points are on the other."""
    if not end.has_it and any(point.has_it for point in (*below, *above)):
        return _told(Verdict.NO, _why_not_between(known, below, above), end)
    beyond, most, stated = words
    kind = f"the {most} release that we have read" if end.is_read else f"the {stated} that its document names"
    return Answer(Verdict.UNKNOWN, f"{text} is {beyond} than {end.label}, {kind}, which {_has(has_it=end.has_it)}")


def _nothing(known: EntryReleases, text: str, below: Sequence[_Point], above: Sequence[_Point]) -> Answer:
    return Answer(Verdict.UNKNOWN, "we have read no release that tells")


_TELLERS: dict[tuple[bool, bool], Callable[[EntryReleases, str, Sequence[_Point], Sequence[_Point]], Answer]] = {
    (True, True): _in_the_middle,
    (False, True): _older,
    (True, False): _newer,
    (False, False): _nothing,
}


def _why_not_between(known: EntryReleases, below: Sequence[_Point], above: Sequence[_Point]) -> str:
    """Return when an error came or went that the versions around have not: on the branch of the nearest that was read,
    else by version alone."""
    nearest = below[-1] if below else above[0]
    if nearest.is_read and all(point.is_read for point in above[:1]):
        return _why_not(known, known.lineage.releases[known.lineage.places[nearest.label]])
    last = next((place for place in reversed(range(len(below))) if below[place].has_it), None)
    back = next((point.label for point in above if point.has_it), "")
    if last is not None:
        return f"removed in {below[last + 1].label}" + (f", and back in {back}" if back else "")
    return f"introduced later, in {back}" if back else "no release that we have read has it"


def _told(verdict: Verdict, reason: str, point: _Point) -> Answer:
    return Answer(verdict, reason, point.label if point.is_read else "", told_by_document=not point.is_read)


def _has(*, has_it: bool) -> str:
    return "has it" if has_it else "does not have it"
