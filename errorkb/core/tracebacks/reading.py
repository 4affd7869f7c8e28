"""Core: the reader of pastes: cleaned lines, then each family's reader, then one list of errors."""

from collections.abc import Callable

from errorkb.core.tracebacks.cleaning import clean
from errorkb.core.tracebacks.drafts import Draft, Numbers
from errorkb.core.tracebacks.folding import told_once
from errorkb.core.tracebacks.pastes import Paste, PasteLine
from errorkb.core.tracebacks.python import read_python
from errorkb.core.tracebacks.releases import named_releases

Family = Callable[[list[PasteLine], Numbers], list[Draft]]

# One reader a family of languages, each in a module of its own.
FAMILIES: tuple[Family, ...] = (read_python,)
# So many errors of one paste are told.
MOST_OCCURRENCES = 2_000


def read_paste(text: str) -> Paste:
    """Return what a pasted text tells of; see `Paste`. Never raises; linear in the text."""
    cleaned = clean(text)
    chains = Numbers()
    drafts = [draft for family in FAMILIES for draft in family(cleaned.lines, chains)]
    occurrences = told_once(sorted(drafts, key=lambda draft: draft.number), cleaned.repeats)
    return Paste(
        lines=tuple(cleaned.lines),
        occurrences=occurrences[:MOST_OCCURRENCES],
        releases=named_releases(text),
        is_cut=len(occurrences) > MOST_OCCURRENCES or cleaned.is_cut,
    )
