"""Search: where a page of results ended, as an opaque text that only this site can have made."""

import hashlib
from dataclasses import dataclass
from typing import Any

from django.core.signing import BadSignature, Signer

from errorkb.core.queries import Query


@dataclass(frozen=True, slots=True)
class SearchCursor:
    """The last result of a page: its key, and how many results there were up to it.

    Results are looked at a thousand at a time; `before` is how many there were before the present thousand, and
    `behind` the sort value (JSON) that it comes behind, None for the first.
    """

    last: int
    count: int
    before: int = 0
    behind: tuple[Any, ...] | None = None


class WrongCursorError(ValueError):
    """No page of results of this query has stated this cursor."""


def cursor_text(query: Query, cursor: SearchCursor) -> str:
    """Return a cursor as a text that an address can have."""
    behind = None if cursor.behind is None else list(cursor.behind)
    return _signer(query).sign_object([cursor.last, cursor.count, cursor.before, behind])


def read_cursor(query: Query, text: str) -> SearchCursor:
    """Return the cursor that `cursor_text` made this of, for the same query. Raises WrongCursorError."""
    try:
        last, count, before, behind = _signer(query).unsign_object(text)
    except (BadSignature, ValueError):
        raise WrongCursorError(text) from None
    return SearchCursor(last, count, before, None if behind is None else tuple(behind))


def _signer(query: Query) -> Signer:
    digest = hashlib.sha256(query.text.encode()).hexdigest()
    return Signer(salt=f"errorkb.search.{digest}", sep=".")
