"""Ingest: which entry each document of a batch means: by id, else by alias, else by its site."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from django.db.models import QuerySet

from errorkb.core.assignment import Place, assign
from errorkb.core.identity import Site, mint_id
from errorkb.core.problems import refuse
from errorkb.ingest.claims import Claims
from errorkb.ingest.prepared import Meant, Prepared, site_of
from errorkb.ingest.workings import SiteKey, Working
from errorkb.models import EntryIdentifier, ErrorEntry, Repository
from errorkb.models.lookups import count_entries, find_entries

# Twins elsewhere in the repository that are looked at as candidates for a moved file.
MAX_ELSEWHERE = 200

Spot = tuple[str, int | None]
# An identifier's entry with all that is looked at.
_WITH_ENTRY = ("entry__repository", "entry__newest")
K = TypeVar("K", bound=Hashable)


class Identities:
    """The entries that a batch's documents may mean, loaded with a constant number of queries."""

    def __init__(self, prepared: Sequence[Prepared], repositories: dict[str, Repository], claimed: Claims) -> None:
        self._homes = {id(item): repositories[meant(item).repository.lower()] for item in prepared}
        self._keys = {id(item): (self._homes[id(item)].pk, item.columns["site_key"]) for item in prepared}
        # Documents that state another name of their repository than it has now.
        self._renamed = {id(item) for item in prepared if self._homes[id(item)].key != meant(item).repository.lower()}
        self._claimed = claimed
        self._by_pk: dict[int, Working] = {}
        self._by_identifier: dict[str, Working] = {}
        self._made: dict[tuple[SiteKey, str, int | None], Working] = {}
        self._twins: dict[SiteKey, int] = {}
        self._load_known(prepared)
        self._load_identified(prepared)
        self.freed: set[str] = set()
        for item in prepared:
            self._take_from_twins(item)
        self._named = self._named_places(prepared)
        unknown = [item for item in prepared if not self._is_known(item)]
        self._count_twins({self.key(item) for item in unknown})
        self._free: set[str] = set()
        self._assigned = self._assign([item for item in unknown if not item.is_new])
        self._find_free([item for item in unknown if id(item) not in self._assigned])

    def repository(self, item: Prepared) -> Repository:
        return self._homes[id(item)]

    def find(self, item: Prepared) -> Working | None:
        """Return the entry that a document means, None for a new one.

        Raises DocumentError where its id and aliases lead to different entries.
        """
        if item.is_new:
            return None
        found = self._identified(item)
        if found:
            return found
        return self._assigned.get(id(item)) or self._made.get(self._spot(item))

    def owner(self, identifier: str) -> Working | None:
        """Return the entry that an id or alias leads to."""
        return self._by_identifier.get(identifier)

    def register(self, working: Working, item: Prepared) -> None:
        """Make a new entry known to the documents behind it."""
        self._made[self._spot(item)] = working
        self._twins[self.key(item)] = self._twins.get(self.key(item), 0) + 1

    def name(self, working: Working, identifiers: Iterable[str]) -> None:
        """Give an entry ids or aliases; they are stored with it."""
        for identifier in identifiers:
            if self._by_identifier.setdefault(identifier, working) is working:
                working.identifiers.add(identifier)

    def mint(self, repository: Repository, site: Site, key: SiteKey) -> str:
        """Return the first free id for a site, counting its twins."""
        ordinal = self._twins.get(key, 0)
        while self._taken(identifier := mint_id(repository.name, site, ordinal)):
            ordinal += 1
        return identifier

    def mint_for(self, item: Prepared) -> str:
        """Return the first free id for a new entry's site."""
        likely = self._likely_id(item)
        return (
            self.mint(self.repository(item), site_of(item.columns), self.key(item)) if self._taken(likely) else likely
        )

    def is_twin(self, key: SiteKey) -> bool:
        """Say whether another entry has this fingerprint."""
        if key not in self._twins:
            self._count_twins([key])
        return self._twins.get(key, 0) > 0

    def _taken(self, identifier: str) -> bool:
        if identifier in self._by_identifier:
            return True
        if identifier in self._free:
            return False
        return EntryIdentifier.objects.filter(value=identifier).exists()

    def _find_free(self, items: Sequence[Prepared]) -> None:
        """Look up which of the ids that documents without an entry are likely to be given lead nowhere yet."""
        before: Counter[SiteKey] = Counter()
        likely: set[str] = set()
        for item in items:
            likely.add(self._likely_id(item, before[self.key(item)]))
            before[self.key(item)] += 1
        likely -= self._free
        taken = EntryIdentifier.objects.filter(value__among=likely).values_list("value", flat=True) if likely else ()
        self._free |= likely - set(taken)

    def _likely_id(self, item: Prepared, before: int = 0) -> str:
        """Return the id that a new entry would be given, `before` others of its site."""
        ordinal = self._twins.get(self.key(item), 0) + before
        if ordinal == 0 and id(item) not in self._renamed:
            return meant(item).minted
        return mint_id(self.repository(item).name, site_of(item.columns), ordinal)

    def key(self, item: Prepared) -> SiteKey:
        """Return the fingerprint of a document's site."""
        return self._keys[id(item)]

    def _spot(self, item: Prepared) -> tuple[SiteKey, str, int | None]:
        place = meant(item).place
        return self.key(item), place.path, place.line

    def _is_known(self, item: Prepared) -> bool:
        return item.row is not None or any(name in self._by_identifier for name in meant(item).identifiers)

    def _load_known(self, prepared: Sequence[Prepared]) -> None:
        wanted = [item.row for item in prepared if item.row is not None]
        rows = ErrorEntry.objects.filter(pk__among=wanted).select_related("repository", "newest") if wanted else ()
        for row in rows:
            self._working(row)

    def _load_identified(self, prepared: Sequence[Prepared]) -> None:
        self._by_identifier |= self._led_to({name for item in prepared for name in meant(item).identifiers})

    def _led_to(self, identifiers: Collection[str]) -> dict[str, Working]:
        """Return the entries that ids and aliases lead to."""
        if not identifiers:
            return {}
        links = EntryIdentifier.objects.filter(value__among=identifiers)
        return {link.value: self._working(link.entry) for link in links.select_related(*_WITH_ENTRY)}

    def _working(self, row: ErrorEntry) -> Working:
        if row.pk not in self._by_pk:
            self._by_pk[row.pk] = Working(row, writer=self._claimed.writer(row.pk))
        return self._by_pk[row.pk]

    def _named_places(self, prepared: Sequence[Prepared]) -> dict[Working, Place]:
        """Return the entries that documents of this batch mean by their ids, and where these say that they stand."""
        named: dict[Working, Place] = {}
        for item in filter(self._is_known, prepared):
            owners = {self._by_identifier.get(name) for name in meant(item).identifiers} - {None}
            if item.row is None and len(owners) == 1 and (working := owners.pop()):
                named[working] = meant(item).place
                self._made.setdefault(self._spot(item), working)
        return named

    def _is_claimed(self, working: Working) -> bool:
        """Say whether a document of this load has brought an entry, or does so in this batch by its id."""
        return working.row.pk in self._claimed or working in self._named

    def _take_from_twins(self, item: Prepared) -> None:
        """Free the ids that a document states where they were only minted for a twin of its site.

        Twins count from 0 in the order in which they come; an id that a document of another base brings goes before.
        """
        stated: dict[Working, set[str]] = {}
        for name in meant(item).identifiers:
            owner = self._by_identifier.get(name)
            if owner is None or not self._is_twin_of(owner, item):
                continue
            if owner not in stated:
                stated[owner] = {owner.row.public_id, *owner.stated_identifiers}
            if name not in stated[owner]:
                del self._by_identifier[name]
                owner.identifiers.discard(name)
                self.freed.add(name)

    def _is_twin_of(self, owner: Working, item: Prepared) -> bool:
        return owner.site_key == self.key(item) and assign([meant(item).place], [owner.place]) == [None]

    def _identified(self, item: Prepared) -> Working | None:
        self._take_from_twins(item)
        found = {owner for name in meant(item).identifiers if (owner := self._by_identifier.get(name))}
        if item.row is not None:
            found.add(self._by_pk[item.row])
        if len(found) > 1:
            names = " and ".join(sorted(working.row.public_id for working in found))
            raise refuse("$.aliases", f"expected ids of one entry, but they lead to {names}")
        return next(iter(found), None)

    def _assign(self, items: list[Prepared]) -> dict[int, Working]:
        groups: dict[SiteKey, list[Prepared]] = defaultdict(list)
        for item in items:
            if self._twins.get(self.key(item)):
                groups[self.key(item)].append(item)
        candidates = self._candidates(groups) if groups else {}
        assigned: dict[int, Working] = {}
        for key, group in groups.items():
            assigned.update(self._assign_group(group, candidates.get(key, [])))
        left = [item for item in items if id(item) not in assigned and not self._twins.get(self.key(item))]
        return assigned | self._assign_by_minted_id(left) | self._assign_by_message(left)

    def _assign_by_minted_id(self, items: list[Prepared]) -> dict[int, Working]:
        """Return the entries that were reworded or renamed: the id that would be minted leads to them."""
        likely = self._alike(items, self._likely_id)
        found = self._led_to(likely)
        self._free |= likely.keys() - found.keys()
        free = {value: working for value, working in found.items() if not self._is_claimed(working)}
        return {id(item): working for value, working in free.items() for item in likely[value]}

    def _assign_by_message(self, items: list[Prepared]) -> dict[int, Working]:
        """Return entries of equal type, message and place for documents that do not say what their placeholders are."""
        silent_items = [item for item in items if meant(item).is_silent]
        silent = self._alike(silent_items, self._silent_key)
        keys = {(self.repository(item).pk, item.columns["message_key"]) for item in silent_items}
        found = find_entries("message_key", keys)
        rows = ErrorEntry.objects.filter(pk__among=found).select_related("repository", "newest") if found else ()
        assigned: dict[int, Working] = {}
        for row in rows:
            place = (row.repository_id, row.kind, row.exception_type, row.message, row.document_path, row.symbol)
            if place in silent and not self._is_claimed(working := self._working(row)):
                assigned |= {id(item): working for item in silent.pop(place)}
        return assigned

    def _silent_key(self, item: Prepared) -> tuple[int, str, str, str, str, str]:
        columns = item.columns
        kind, exception_type, message = columns["kind"], columns["exception_type"], columns["message"]
        return self.repository(item).pk, kind, exception_type, message, columns["document_path"], columns["symbol"]

    def _alike(self, items: Sequence[Prepared], key: Callable[[Prepared], K]) -> dict[K, list[Prepared]]:
        """Return for each key the first document that has it, and those that stand at the very same place."""
        alike: dict[K, list[Prepared]] = {}
        for item in items:
            same = alike.setdefault(key(item), [item])
            if same[0] is not item and self._spot(same[0]) == self._spot(item):
                same.append(item)
        return alike

    def _assign_group(self, group: list[Prepared], stored: list[Working]) -> dict[int, Working]:
        offered = [meant(item).place for item in group]
        spots = {(place.path, place.line) for place in offered}
        places = {working: self._named.get(working, working.place) for working in stored}
        free = [w for w, place in places.items() if not self._is_claimed(w) or (place.path, place.line) in spots]
        found = assign(offered, [places[working] for working in free])
        return {id(item): free[n] for item, n in zip(group, found, strict=True) if n is not None}

    def _count_twins(self, keys: Iterable[SiteKey]) -> None:
        wanted = {key for key in keys if key not in self._twins}
        self._twins |= dict.fromkeys(wanted, 0) | count_entries("site_key", wanted)

    def _candidates(self, groups: dict[SiteKey, list[Prepared]]) -> dict[SiteKey, list[Working]]:
        """Return stored entries with the fingerprints of `groups`: those in the same files, and some from elsewhere."""
        paths = {meant(item).place.path for group in groups.values() for item in group} | {""}
        rows = ErrorEntry.objects.filter(
            repository__in={key[0] for key in groups}, site_key__among={key[1] for key in groups}
        ).select_related("repository", "newest")
        unplaced = any(not meant(item).place.path for group in groups.values() for item in group)
        found: dict[SiteKey, list[Working]] = defaultdict(list)
        elsewhere = rows.exclude(document_path__among=paths).order_by("pk")[:MAX_ELSEWHERE]
        near = self._near(groups, rows.filter(document_path__among=paths).order_by("pk"))
        for row in [*near, *elsewhere]:
            if row.document_path in paths or unplaced or row.pk not in self._claimed:
                found[row.repository_id, row.site_key].append(self._working(row))
        return found

    def _near(self, groups: dict[SiteKey, list[Prepared]], rows: QuerySet[ErrorEntry]) -> Iterator[ErrorEntry]:
        """Yield those of `rows`, entries in the same files, that a document may mean.

        Of a function with thousands of twins, most are somewhere else and claimed already, or somewhere else while
        each document finds its very place; they are passed over before their documents are read.
        """
        offered = {key: {self._spot(item)[1:] for item in group} for key, group in groups.items()}
        named = {working.row.pk for working in self._named}
        wanted: list[int] = []
        elsewhere: dict[SiteKey, list[int]] = defaultdict(list)
        found: dict[SiteKey, set[Spot]] = defaultdict(set)
        for pk, repository, site_key, path, line, newest in rows.values_list(
            "pk", "repository", "site_key", "document_path", "line", "newest"
        ):
            key = (repository, site_key)
            if newest or pk in named:
                wanted.append(pk)
            elif (path, line) in offered.get(key, ()):
                wanted.append(pk)
                found[key].add((path, line))
            elif pk not in self._claimed:
                elsewhere[key].append(pk)
        wanted += [pk for key, spots in offered.items() if spots - found[key] for pk in elsewhere[key]]
        if wanted:
            yield from rows.filter(pk__among=wanted)


def meant(item: Prepared) -> Meant:
    """Return what tells which entry a document means."""
    assert item.meant is not None
    return item.meant
