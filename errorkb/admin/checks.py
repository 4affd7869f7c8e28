"""Admin: what in an entry does not agree with its source, each as a sentence, above the form."""

from collections.abc import Iterator

from errorkb.models import ErrorEntry


def failed_checks(entry: ErrorEntry) -> tuple[str, ...]:
    """Return what was found where the source was at hand: while loading, or by a scan."""
    return (*map(str, entry.filled.get("disagreements") or ()), *_missing(entry))


def _missing(entry: ErrorEntry) -> Iterator[str]:
    for name in entry.checked.get("missing") or ():
        yield f"`{name}` does not occur in {entry.checked['release']}"
