"""Serving: what became of a repository's errors between two releases that were read: release notes for errors."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from errorkb.core.identity import module_of
from errorkb.core.releases.changes import Sight
from errorkb.models import Scan, Sighting
from errorkb.models.sightings import seen
from errorkb.serving.releases import RepositoryReleases

ChangeKind = Literal["added", "reworded", "moved", "removed"]
KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)

_NEW = {
    "new_path": seen("path"),
    "new_line": F("line"),
    "new_symbol": seen("symbol"),
    "new_template": seen("template"),
    "new_wordings": seen("wordings"),
}
# The sighting of the same entry in the earlier release, beside that in the later one.
_OLD = {
    "old_path": Coalesce("entry__sightings__same_as__path", "entry__sightings__path"),
    "old_line": F("entry__sightings__line"),
    "old_symbol": Coalesce("entry__sightings__same_as__symbol", "entry__sightings__symbol"),
    "old_template": Coalesce("entry__sightings__same_as__template", "entry__sightings__template"),
    "old_wordings": Coalesce("entry__sightings__same_as__wordings", "entry__sightings__wordings"),
}
_ENTRY = ("entry__public_id", "entry__exception_type", "entry__kind", "entry__explained", "entry__reviewed")


class ComparisonError(Exception):
    """Two releases cannot be compared; `parameter` is `from` or `to`; where `is_swapped`, the other way they can."""

    def __init__(self, parameter: str, text: str, *, is_swapped: bool = False) -> None:
        super().__init__(text)
        self.parameter = parameter
        self.is_swapped = is_swapped


@dataclass(frozen=True)
class EntryChange:
    """What became of one entry: as the earlier release has it and as the later one; None where one has it not."""

    kind: ChangeKind
    public_id: str
    exception_type: str
    is_explained: bool
    is_reviewed: bool
    old: Sight | None
    new: Sight | None

    @property
    def module(self) -> str:
        """Return the directory that it is in, or was."""
        sight = self.new or self.old
        return module_of(sight.path) if sight else ""


@dataclass(frozen=True)
class Comparison:
    """Two releases, and how many errors changed between them, by kind."""

    old: str
    new: str
    counts: dict[ChangeKind, int]
    _rows: dict[ChangeKind, QuerySet[Any]] = field(repr=False)

    def total(self, kind: ChangeKind | None = None) -> int:
        """Return how many changes there are, of one kind if given."""
        return self.counts[kind] if kind else sum(self.counts.values())

    def changes(self, start: int, stop: int, kind: ChangeKind | None = None) -> list[EntryChange]:
        """Return the changes from `start` to before `stop`, by kind and by module; at most a query for each kind."""
        return list(self._found(start, stop, (kind,) if kind else KINDS))

    def _found(self, start: int, stop: int, kinds: Iterable[ChangeKind]) -> Iterator[EntryChange]:
        passed = 0
        for kind in kinds:
            first, last = max(0, start - passed), min(self.counts[kind], stop - passed)
            if first < last:
                rows = self._rows[kind].values(*_ENTRY, *_sides(kind))
                yield from (_change(kind, row) for row in rows[first:last])
            passed += self.counts[kind]


def compare(releases: RepositoryReleases, old: str, new: str, *, module: str = "") -> Comparison:
    """Compare two releases, each named by tag, version or commit; only what is in `module` or below it, if given.

    What only one of them has read is left out. Raises ComparisonError. It takes a query for each kind of change.
    """
    first, last = _read(releases, "from", old), _read(releases, "to", new)
    if first == last:
        raise ComparisonError("to", f"Both are {first}: nothing can have changed.")
    places = releases.lineage.places
    if places[first] > places[last]:
        raise ComparisonError("to", f"{last} comes before {first}: this is the wrong way round.", is_swapped=True)
    rows = _rows(releases.scans[first], releases.scans[last], module)
    counts: dict[ChangeKind, int] = {kind: found.count() for kind, found in rows.items()}
    return Comparison(first, last, counts, rows)


def read_releases(releases: RepositoryReleases) -> list[str]:
    """Return the labels of the releases that were read, newest first."""
    return [release.label for release in reversed(releases.lineage.releases) if release.label in releases.scans]


def _read(releases: RepositoryReleases, parameter: str, text: str) -> str:
    found = releases.find(text)
    read = [release.label for release in found if release.label in releases.scans]
    if read:
        return read[0]
    if found:
        raise ComparisonError(parameter, f"{found[0].label} is known, and we have not read it.")
    raise ComparisonError(parameter, f"We know no release “{text.strip()[:60]}”.")


def _rows(old: Sequence[Scan], new: Sequence[Scan], module: str) -> dict[ChangeKind, QuerySet[Any]]:
    here, there = _sighted(new, _NEW, module), _sighted(old, _NEW, module)
    both = here.filter(entry__sightings__scan__in=old).annotate(**_OLD)
    is_reworded = ~Q(old_template=F("new_template"))
    is_moved = ~Q(old_path=F("new_path")) | ~Q(old_symbol=F("new_symbol"))
    return {
        "added": here.filter(_read_by(old), ~_is_in(old)),
        "reworded": both.filter(is_reworded),
        "moved": both.filter(~is_reworded, is_moved),
        "removed": there.filter(_read_by(new), ~_is_in(new)),
    }


def _sighted(scans: Sequence[Scan], columns: dict[str, Any], module: str) -> QuerySet[Any]:
    """Return the sightings of public entries in scans, by path and line."""
    public: QuerySet[Any] = Sighting.objects.filter(scan__in=scans, entry__state="published")
    public = public.annotate(**columns)
    inside = Q(new_path__startswith=f"{module.rstrip('/')}/") if module else Q()
    return public.filter(inside).order_by("new_path", "line", "entry")


def _is_in(scans: Sequence[Scan]) -> Exists:
    return Exists(Sighting.objects.filter(entry=OuterRef("entry"), scan__in=scans))


def _read_by(scans: Sequence[Scan]) -> Q:
    """Return the condition that one of the scans has read where an entry is."""
    found = Q(pk__in=[])
    for scan in scans:
        languages = Q(entry__language__in=[*scan.languages, ""]) if scan.languages else Q()
        found |= Q(new_path__startswith=scan.path_prefix) & languages
    return found


def _sides(kind: ChangeKind) -> tuple[str, ...]:
    return (*_NEW, *_OLD) if kind in ("reworded", "moved") else tuple(_NEW)


def _change(kind: ChangeKind, row: dict[str, Any]) -> EntryChange:
    new, old = _sight(row, "new"), _sight(row, "old") if "old_path" in row else None
    return EntryChange(
        kind=kind,
        public_id=row["entry__public_id"],
        exception_type=row["entry__exception_type"],
        is_explained=row["entry__explained"],
        is_reviewed=row["entry__reviewed"],
        old=new if kind == "removed" else old,
        new=None if kind == "removed" else new,
    )


def _sight(row: dict[str, Any], side: str) -> Sight:
    template, wordings = row[f"{side}_template"], row[f"{side}_wordings"]
    message = (wordings[0].get("message") if wordings else "") or template
    return Sight(row[f"{side}_path"], row[f"{side}_line"], row[f"{side}_symbol"], template, message)
