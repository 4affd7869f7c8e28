"""Models: lists cut into pieces that a database takes as parameters of one query."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

# SQLite as built by some distributions takes 999 parameters in one query.
MAX_PARAMETERS = 900


def in_chunks(values: Iterable[T], size: int = MAX_PARAMETERS) -> Iterator[list[T]]:
    """Yield lists of at most `size` values, none for no values."""
    rest = iter(values)
    while chunk := list(islice(rest, size)):
        yield chunk
