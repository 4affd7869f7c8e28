"""Web pages: counts as bars: a row for each, its number in words beside a picture of it that says nothing more."""

from collections.abc import Iterable
from dataclasses import dataclass

from errorkb.web.pages.links import Link


@dataclass(frozen=True)
class Bar:
    """A row: what is counted, how many, and the length of its bar in per cent of the longest."""

    label: Link
    count: int
    width: str

    @property
    def amount(self) -> str:
        return f"{self.count:,}"


@dataclass(frozen=True)
class Bars:
    """A plot: its caption, what its rows are, and what is left out, in words."""

    anchor: str
    caption: str
    heading: str
    rows: tuple[Bar, ...]
    note: str = ""


def bars(
    anchor: str, caption: str, heading: str, counted: Iterable[tuple[Link, int]], *, note: str = "", most: int = 0
) -> Bars:
    """Return the plot of counts, in their order; `most` is what the full width stands for, the largest if 0."""
    rows = list(counted)
    longest = max([most, *(count for _, count in rows), 1])
    shown = tuple(Bar(label, count, f"{100 * count / longest:.2f}%") for label, count in rows)
    return Bars(anchor, caption, heading, shown, note)
