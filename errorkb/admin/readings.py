"""Admin: what a person read before editing, and how the edit fits onto what others have saved since."""

from typing import Any

from errorkb.core.differences import ABSENT, Difference, differences, json_equal
from errorkb.core.json_documents import content_hash
from errorkb.models import ErrorEntry, PullRequest, Repository, Revision

Row = ErrorEntry | PullRequest | Repository

# Who reads a page and saves it behind more changes than these starts again.
MOST_STATES = 100

SUBJECTS: dict[type[Row], str] = {ErrorEntry: "entry", PullRequest: "pull_request", Repository: "repository"}


def document_read(row: Row, read_hash: str) -> dict[str, Any] | None:
    """Return the state of a document that was read, from its hash; None where it is kept no more."""
    if row.content_hash == read_hash:
        return row.as_document()
    states = Revision.objects.filter(**{SUBJECTS[type(row)]: row.pk})[:MOST_STATES]
    found = (state for state in states.iterator(chunk_size=1) if content_hash(state.document) == read_hash)
    state = next(found, None)
    return state.as_document() if state else None


def overlaid(read: Any, mine: Any, stored: Any) -> Any:
    """Return `stored` with what is different in `mine` from what was `read`.

    Field by field, inside objects too; a list counts as one value.
    """
    if json_equal(read, mine):
        return stored
    if not all(isinstance(value, dict) for value in (read, mine, stored)):
        return mine
    made = dict(stored)
    for key in dict.fromkeys([*stored, *mine, *read]):
        value = overlaid(*(document.get(key, ABSENT) for document in (read, mine, stored)))
        if value is ABSENT:
            made.pop(key, None)
        else:
            made[key] = value
    return made


def changed_by_both(read: Any, mine: Any, stored: Any) -> tuple[Difference, ...]:
    """Return what differs between the state that was read and the stored one, and in `mine` too, as old and new."""
    ours = {difference.path for difference in differences(read, mine)}
    return tuple(difference for difference in differences(read, stored) if difference.path in ours)
