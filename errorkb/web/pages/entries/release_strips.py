"""Web pages: a strip of releases as a picture: which of them have an error, and what became of it in each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from errorkb.core.releases.changes import Change, Kind
from errorkb.core.releases.lineages import Line, Lineage, states_of
from errorkb.core.releases.ranges import Has

# More releases than these are drawn as one bar for each run of them.
MOST_BOXES = 60
# So many branches are drawn, the newest ones.
MOST_ROWS = 8
ROW_HEIGHT = 40
# Of a row: where its name, its marks and its bar stand, in pixels below its top.
_NAME, _MARK, _BAR, _BAR_HEIGHT = 9, 8, 18, 14
_GAP = 0.12
_SIGN_WIDTH = 13


@dataclass(frozen=True)
class Box:
    """A release, or a run of them: where it stands in per cent of the width, and what is said of it."""

    x: str
    y: int
    width: str
    state: str
    title: str


@dataclass(frozen=True)
class Mark:
    """A sign above a release: its middle in per cent of the width, its top in pixels, and what happened there.

    `shift` moves it aside, in pixels, where several things happened.
    """

    x: str
    y: int
    kind: str
    title: str
    shift: int = 0


@dataclass(frozen=True)
class Name:
    """The name of a branch, above its bar."""

    y: int
    text: str


@dataclass(frozen=True)
class Strip:
    """What the template draws: a height in pixels, boxes, marks and names; `first` and `last` stand below its ends."""

    height: int
    title: str
    description: str
    boxes: tuple[Box, ...]
    marks: tuple[Mark, ...]
    names: tuple[Name, ...]
    first: str
    last: str
    kinds: tuple[str, ...]

    @property
    def labels_y(self) -> int:
        return self.height - 4


def release_strip(lineage: Lineage, has: Has, changes: Sequence[Change], description: str) -> Strip | None:
    """Return the strip of the releases that were read, None where there are fewer than two of them.

    `description` says the same in words.
    """
    read = [release.label for release in lineage.releases if release.label in has]
    if len(read) < 2:
        return None
    columns = {label: place for place, label in enumerate(read)}
    lines = [line for line in lineage.lines if any(release.label in has for release in line.own)][:MOST_ROWS]
    told = [change for change in changes if change.kind is not Kind.SEEN]
    return Strip(
        height=ROW_HEIGHT * len(lines) + 22,
        title=f"{len(read)} releases, from {read[0]} to {read[-1]}",
        description=description,
        boxes=tuple(box for row, line in enumerate(lines) for box in _boxes(row, line, has, columns)),
        marks=tuple(mark for row, line in enumerate(lines) for mark in _marks(row, line, told, columns)),
        names=tuple(Name(row * ROW_HEIGHT + _NAME, line.name) for row, line in enumerate(lines)) if lines[1:] else (),
        first=read[0],
        last=read[-1],
        kinds=tuple(dict.fromkeys(str(change.kind) for change in told)),
    )


def _boxes(row: int, line: Line, has: Has, columns: Mapping[str, int]) -> Iterator[Box]:
    states = [(columns[release.label], release.label, has_it) for release, has_it in states_of(line.own, has)]
    for has_it, run in _pieces(states, len(columns)):
        (start, first), (end, last) = run[0], run[-1]
        words = "has it" if has_it else "does not have it"
        title = f"{first}: {words}" if len(run) == 1 else f"{first} to {last}: {words}"
        width = (end - start + 1) - (_GAP if len(columns) <= MOST_BOXES else 0)
        y = row * ROW_HEIGHT + _BAR
        yield Box(_share(start, len(columns)), y, _share(width, len(columns)), "has" if has_it else "lacks", title)


def _pieces(states: Iterable[tuple[int, str, bool]], count: int) -> Iterator[tuple[bool, list[tuple[int, str]]]]:
    """Yield each release alone, or where there are many of them each run that nothing interrupts."""
    if count <= MOST_BOXES:
        yield from ((has_it, [(column, label)]) for column, label, has_it in states)
        return
    numbered = enumerate(states)
    for (_, has_it), run in groupby(numbered, key=lambda item: (item[1][0] - item[0], item[1][2])):
        yield has_it, [(column, label) for _, (column, label, _) in run]


def _marks(row: int, line: Line, changes: Iterable[Change], columns: Mapping[str, int]) -> Iterator[Mark]:
    own = {release.label for release in line.own}
    drawn = Counter[str]()
    for change in changes:
        if change.release in own and change.release in columns:
            middle = columns[change.release] + (1 - _GAP) / 2
            title, shift = f"{change.kind} in {change.release}", _SIGN_WIDTH * drawn[change.release]
            yield Mark(_share(middle, len(columns)), row * ROW_HEIGHT + _MARK, str(change.kind), title, shift)
            drawn[change.release] += 1


def _share(columns: float, count: int) -> str:
    return f"{100 * columns / count:.3f}%"
