"""Ingest: garbage is seldom looked for during long work: rows on their way are many, and hold no circles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# So many more objects than before are made between two looks, and so many looks go by before older ones are looked at.
_THRESHOLDS = (100_000, 10, 10)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let the collector rest, which would walk over all that a batch is made of, and over Django, again and again."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
