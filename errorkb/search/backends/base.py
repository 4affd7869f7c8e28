"""Search: what a database is asked: keep an index of the token columns, and say which rows hold which tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet

if TYPE_CHECKING:
    from errorkb.models import SearchRow

# The table of SearchRow and its token columns. Named here, not asked of the model: AppConfig imports this module,
# through errorkb.search.schema, before there are models.
SEARCH_TABLE = "errorkb_searchrow"
COLUMNS = ("title", "names", "parts", "prose")
# Those that may be asked for without the others: what an index keeps of columns is paid for with each token.
SINGLE_COLUMNS = ("title", "names")

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Which rows are wanted, by their tokens.

    A row matches that holds all tokens of one group of `any_of`, within `columns`, and not all tokens of any group of
    `none_of` anywhere. Without `any_of` every row matches that `none_of` lets through. With `last_is_prefix` a token
    that begins with the last one of a group of `any_of` is as good as that.

    `columns` are all of them, or some of those in SINGLE_COLUMNS.
    """

    any_of: tuple[Tokens, ...] = ()
    none_of: tuple[Tokens, ...] = ()
    columns: tuple[str, ...] = COLUMNS
    last_is_prefix: bool = False


class Backend(Protocol):
    """Full-text search in one kind of database. Tokens come folded and split; a backend finds them as they are.

    All methods work in the transaction that they are called in. `stops_at_limit` says whether a query for the first
    rows reads no further than these; if not, it does where it goes on to one of `in_parts` when it needs more rows.
    """

    stops_at_limit: bool

    def install(self, connection: BaseDatabaseWrapper) -> None:
        """Create what is missing of the index and what keeps it true, and replace what is not as expected."""

    def rebuild(self, connection: BaseDatabaseWrapper) -> None:
        """Make the index anew from the rows."""

    def problems(self, connection: BaseDatabaseWrapper) -> list[str]:
        """Return what is missing, not as expected or untrue of the rows, in sentences; empty if all is well."""

    def matching(self, rows: "QuerySet[SearchRow]", match: Match) -> "QuerySet[SearchRow]":
        """Filter search rows to those that match, in the order of their keys; to all, as they are, without tokens."""

    def in_parts(self, rows: "QuerySet[SearchRow]", match: Match) -> "Sequence[QuerySet[SearchRow]]":
        """Return what `matching` does in parts, one behind the other in the order of their keys."""

    def expression(self, match: Match) -> str:
        """Return what stands for a match with `any_of` among the values of the SQL that is made of it.

        Nothing else of that SQL depends on such a match.
        """

    def document_counts(
        self, connection: BaseDatabaseWrapper, tokens: Sequence[str], limit: int, columns: tuple[str, ...] = COLUMNS
    ) -> Sequence[int]:
        """Return for each token how many rows hold it within `columns`, and last how many rows there are; one query.

        It counts no further than `limit`.
        """
