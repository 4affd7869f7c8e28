"""Admin, forms: how much of a document one form takes; the rest stays as it is and is shown to be read.

Documents may have 8 MiB; a page with a hundred thousand boxes helps nobody and dies in the browser. What a form takes
depends on the document alone, so the same boxes are there when it comes back.
"""

from collections.abc import Sequence
from typing import Any

MOST_CONTROLS = 2_000
MOST_CHARACTERS = 1_000_000
LONGEST_TEXT = 200_000
# Every list has a blank row or two; few people fill in more.
MOST_ADDED = 1_500


class Budget:
    """What is left of a form's controls and characters; taken in the document's order.

    A form that is not `editable` is to be read only.
    """

    def __init__(self, *, editable: bool = True) -> None:
        self.editable = editable
        self.controls = MOST_CONTROLS
        self.characters = MOST_CHARACTERS
        self.added = MOST_ADDED

    def take_rows(self, items: Sequence[Any], cost: int) -> int:
        """Return how many of these items, each of so many controls, the form takes."""
        taken = min(len(items), self.controls // (cost + 1))
        self.controls -= taken * (cost + 1)
        return taken

    def take_added(self, asked: int) -> int:
        """Return how many of so many added rows the form takes."""
        taken = min(max(asked, 0), self.added)
        self.added -= taken
        return taken

    def takes(self, value: Any) -> bool:
        """Say whether the form takes a value into a box; a list of texts is as long as its texts together."""
        length = _length(value)
        if length > LONGEST_TEXT or length > self.characters:
            return False
        self.characters -= length
        return True


def _length(value: Any) -> int:
    if isinstance(value, list):
        return sum(len(item) + 1 for item in value)
    return len(value) if isinstance(value, str) else 0
