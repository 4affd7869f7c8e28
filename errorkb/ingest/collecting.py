"""Ingest: garbage is looked for between batches only: rows on their way are many, and hold no circles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collected_between_batches() -> Iterator[None]:
    """Pause the collector, which would walk over all that a batch is made of, again and again; call `collect` instead.

    What there is before is not looked at meanwhile.
    """
    enabled = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        if enabled:
            gc.enable()


def collect() -> None:
    """Look for what a batch has left behind."""
    gc.collect()
