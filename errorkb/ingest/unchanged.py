"""Ingest: documents that are stored already, word for word: told by id and hash before they are made ready.

Whether a document may be one is told from its bytes: the hashes of the entries that ids in it lead to are given to the
process that reads it. What that one finds unchanged is looked up once more in the transaction that reports it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from errorkb.ingest.outcomes import Outcome, Status
from errorkb.ingest.prepared import Prepared, Unchanged
from errorkb.ingest.readers import Found
from errorkb.ingest.sources import SourceTree
from errorkb.ingest.states import WriteContext
from errorkb.ingest.word_checks import facts_of
from errorkb.models import EntryIdentifier, Repository

_ID = re.compile(rb'"id"\s*+:\s*+"([0-9A-Fa-f]{16})"')

Prepare = Callable[[Found], Prepared | Outcome]


class KnownEntries:
    """What a load asks the base about documents on their way: entries whose source is at hand are left out."""

    def __init__(self, sources: SourceTree | None) -> None:
        self._sources = sources
        self._has_source: dict[int, bool] = {}

    def hashes(self, batch: Sequence[Found]) -> Mapping[str, str]:
        """Return the hashes of the documents that ids in a batch lead to, by id in lower case."""
        wanted = {found.lower().decode("ascii") for one in batch for found in _ID.findall(one.data)}
        if not wanted:
            return {}
        links = EntryIdentifier.objects.filter(value__among=wanted, entry__checked={})
        rows = links.order_by().values_list("value", "entry__content_hash", "entry__repository")
        found = list(rows)
        self._look_for_sources({repository for *_, repository in found})
        return {value: digest for value, digest, repository in found if not self._has_source[repository]}

    def _look_for_sources(self, repositories: Iterable[int]) -> None:
        if unknown := [key for key in repositories if key not in self._has_source]:
            for row in Repository.objects.filter(pk__in=unknown):
                self._has_source[row.pk] = self._sources is not None and self._sources.may_have(facts_of(row))


def settle_unchanged(
    items: Sequence[Prepared | Outcome | Unchanged], context: WriteContext, prepare: Prepare
) -> list[Prepared | Outcome]:
    """Return a batch with an outcome for each document that is still what is stored; call within a transaction.

    Those are prepared that no longer are, because this load or somebody else has changed their entries meanwhile, and
    those whose entries another document of the batch may mean, too: what becomes of each depends on their order.
    """
    told = [item for item in items if isinstance(item, Unchanged)]
    if not told:
        return [item for item in items if not isinstance(item, Unchanged)]
    batch = _Batch(context, prepare, _entries({one for item in told for one in item.identifiers}), _meant(items))
    return [batch.settled(item) if isinstance(item, Unchanged) else item for item in items]


class _Entry(NamedTuple):
    """What is stored of an entry that a document may be."""

    key: int
    content_hash: str
    public_id: str
    id_given: bool
    site_key: str


_COLUMNS = ("value", "entry_id", "entry__content_hash", "entry__public_id", "entry__id_given", "entry__site_key")


def _entries(identifiers: Iterable[str]) -> dict[str, _Entry]:
    links = EntryIdentifier.objects.filter(value__among=list(identifiers)).order_by()
    return {value: _Entry(*entry) for value, *entry in links.values_list(*_COLUMNS)}


def _meant(items: Iterable[Prepared | Outcome | Unchanged]) -> set[str]:
    """Return the ids and the keys of the sites that documents to be written bring."""
    prepared = [item for item in items if isinstance(item, Prepared)]
    names = {name for item in prepared if item.meant for name in item.meant.identifiers}
    return names | {item.columns["site_key"] for item in prepared}


@dataclass(frozen=True)
class _Batch:
    """A batch while its unchanged documents are settled: entries by their ids, and what its other documents mean."""

    context: WriteContext
    prepare: Prepare
    entries: Mapping[str, _Entry]
    meant: Set[str]

    def settled(self, item: Unchanged) -> Prepared | Outcome:
        entry = self._entry(item)
        if entry is None:
            assert item.found is not None
            return self.prepare(item.found)
        self.context.claimed.note(entry.key, item.writer)
        return Outcome(item.where, Status.UNCHANGED, entry.public_id)

    def _entry(self, item: Unchanged) -> _Entry | None:
        """Return the entry that says what a document says; None where that has to be looked at closely."""
        entry, *others = {self.entries.get(identifier) for identifier in item.identifiers}
        if entry is None or others or not entry.id_given or entry.content_hash != item.content_hash:
            return None
        return None if self.meant & {entry.site_key, *item.identifiers} else entry
