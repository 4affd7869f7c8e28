"""Search: primary keys in ranges, each with an index of its own, for indexes that cannot be asked for the first rows.

The first rows that match mostly are in the first ranges: an index of the others need not be looked at. The ranges grow,
so that it is a few indexes that know where rare tokens are, and that the first of many rows are found in small ones.
"""

from dataclasses import dataclass
from itertools import pairwise

# The first key of each range, and None behind the last range.
_BOUNDS = (0, 1 << 14, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, None)


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The keys from `start` to the one before `end`; the first range has no start, the last one no end."""

    start: int | None
    end: int | None

    def condition(self, key: str) -> str:
        """Return SQL that is true of the keys in the column `key`, as PostgreSQL writes it in an index's definition."""
        bounds = [f"({key} >= {self.start})"] * (self.start is not None) + [f"({key} < {self.end})"] * bool(self.end)
        return bounds[0] if len(bounds) == 1 else f"({' AND '.join(bounds)})"


KEY_RANGES = tuple(KeyRange(start or None, end) for start, end in pairwise(_BOUNDS))
