"""Ingest: write entries: find whom each document means, merge, mint ids, and store rows with all that hangs on them."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from errorkb.core.differences import Difference, differences, json_equal
from errorkb.core.documents import EntryDocument, validate_document
from errorkb.core.identity import Site
from errorkb.core.json_documents import MAX_BYTES, dump_document
from errorkb.core.ownership import Merge, merge
from errorkb.core.problems import DocumentError, refuse
from errorkb.ingest.identities import Identities, Working, identifiers_of
from errorkb.ingest.outcomes import Outcome, Status, refused, status_of
from errorkb.ingest.prepared import Prepared, Raw, entry_columns, entry_site, site_of
from errorkb.ingest.report_links import sync_report_links
from errorkb.ingest.repositories import ensure_repositories, touch
from errorkb.ingest.sources import RepositoryFacts, examine
from errorkb.ingest.standings import sync_standings
from errorkb.ingest.states import WriteContext, begin_state, next_state, set_columns
from errorkb.ingest.word_checks import check_loaded, facts_of
from errorkb.ingest.wordings import sync_wordings
from errorkb.models import EntryIdentifier, EntryPullRequest, ErrorEntry, Repository, Revision, SearchRow
from errorkb.models.chunks import in_chunks
from errorkb.search.row_tokens import RowTokens, tokens_for_entry

_IDENTITY = ("id", "aliases", "schema_version")


def write_entries(prepared: Sequence[Prepared], context: WriteContext, *, with_wordings: bool = True) -> list[Outcome]:
    """Write a batch of entry documents; call within a transaction.

    Everything that hangs on an entry (identifiers, links, revisions, search tokens, wordings) is written with it. A
    document that is refused leaves nothing behind; the number of queries for finding entries does not grow with the
    batch. A caller that writes sightings next leaves out what follows from those, and syncs it itself.
    """
    batch = _EntryBatch(prepared, context)
    outcomes = batch.write()
    if with_wordings:
        sync_wordings(batch.written)
        sync_standings(batch.written, batch.now)
        sync_report_links(batch.written)
        check_loaded(batch.seen, context.sources, batch.now)
    return outcomes


class _EntryBatch:
    """One batch on its way into the database."""

    def __init__(self, prepared: Sequence[Prepared], context: WriteContext) -> None:
        self.prepared = prepared
        self.context = context
        self.now: datetime = context.clock()
        names = {name for item in prepared for name in _repositories(item.raw)}
        self.repositories = ensure_repositories(names, self.now)
        self.identities = Identities(prepared, self.repositories, context.claimed)
        self.touched: dict[int, Working] = {}
        self.tokens: dict[int, RowTokens] = {}
        self.facts: dict[int, RepositoryFacts] = {}
        self.revisions: list[Revision] = []

    @property
    def seen(self) -> list[int]:
        """Return the keys of the entries that the batch was about."""
        return [working.row.pk for working in self.touched.values()]

    @property
    def written(self) -> list[int]:
        """Return the keys of the entries that the batch made or changed."""
        return [working.row.pk for working in self.touched.values() if working.created or working.changed]

    def write(self) -> list[Outcome]:
        outcomes = [self._outcome(item) for item in self.prepared]
        self._store()
        return outcomes

    def _outcome(self, item: Prepared) -> Outcome:
        try:
            return self._write(item)
        except DocumentError as error:
            return refused(item.where, error.problems)

    def _write(self, item: Prepared) -> Outcome:
        working = self.identities.find(item)
        if working is None:
            return self._create(item)
        return self._merge(working, item)

    def _create(self, item: Prepared) -> Outcome:
        repository = self.identities.repository(item)
        row = ErrorEntry(repository=repository)
        set_columns(row, item.columns)
        begin_state(row, item.raw, item.writer, self.now)
        working = Working(row, item.raw, created=True, writer=item.writer)
        given = (item.raw.get("id") or "").lower()
        minted = self.identities.mint(repository, site_of(item.columns), working.site_key)
        row.public_id, row.id_given = given or minted, bool(given)
        self.identities.register(working, item)
        self.identities.name(working, [row.public_id, *identifiers_of(item.raw), minted])
        self._note(working, item.tokens)
        notes = self._examine(working)
        shown = self._differences({}, item.raw)
        return Outcome(item.where, Status.CREATED, row.public_id, differences=shown, notes=notes)

    def _merge(self, working: Working, item: Prepared) -> Outcome:
        stored, row = working.document, working.row
        offered = self._with_stored_name(item, working)
        merged = merge(stored, row.owners, offered, item.writer, force=self.context.force)
        if item.row is None and working.writer == item.writer:
            _check_same(working, merged)
        working.writer = item.writer
        if merged.changed:
            self._change(working, merged, item)
        gained = self._join(working, item)
        notes = self._examine(working)
        self.touched.setdefault(id(working), working)
        status = status_of(created=False, changed=merged.changed or gained, conflicts=merged.conflicts)
        shown = self._differences(stored, merged.document)
        return Outcome(item.where, status, row.public_id, conflicts=merged.conflicts, differences=shown, notes=notes)

    def _change(self, working: Working, merged: Merge, item: Prepared) -> None:
        row = working.row
        document = _checked(merged.document)
        before = row.site_key
        row.repository = self._repository(merged.document["repository"], working)
        if working.created and row.created_by == item.writer:
            begin_state(row, merged.document, item.writer, self.now)
        else:
            states = next_state(row, merged.document, merged.owners, item.writer, self.now, self.context)
            self.revisions += states[-1:] if working.revised else states
            working.revised = True
        working.document, working.changed = merged.document, True
        set_columns(row, entry_columns(document, newest=row.newest, gone_in=row.gone_in))
        row.filled = row.filled if json_equal(row.filled.get("of"), merged.document.get("source")) else {}
        if row.site_key != before:
            self._name_after_rewording(working, entry_site(document))
        self._note(working, tokens_for_entry(merged.document))

    def _name_after_rewording(self, working: Working, site: Site) -> None:
        """Let the id that would be minted now lead here too, unless the function has twins."""
        if not self.identities.is_twin(working.site_key):
            self.identities.name(working, [self.identities.mint(working.row.repository, site, working.site_key)])

    def _join(self, working: Working, item: Prepared) -> bool:
        """Give the entry the document's id and aliases, a given id in place of a minted one; say if any was new."""
        row = working.row
        names = identifiers_of(item.raw)
        known = {row.public_id, *working.identifiers}
        self.identities.name(working, [name for name in names if self.identities.owner(name) is None])
        given = (item.raw.get("id") or "").lower()
        if given and not row.id_given and self.identities.owner(given) is working:
            row.public_id, row.id_given = given, True
        gained = bool(working.identifiers - known) or row.public_id not in known
        working.changed = working.changed or (gained and not working.created)
        return gained

    def _repository(self, name: str, working: Working) -> Repository:
        """Return the repository of a name that stands in an entry's document."""
        if name == working.document["repository"]:
            return working.row.repository
        if name.lower() not in self.repositories:
            self.repositories |= ensure_repositories([name], self.now)
        return self.repositories[name.lower()]

    def _with_stored_name(self, item: Prepared, working: Working) -> Raw:
        """Keep the stored name of a repository where the document uses another name of the same one."""
        if self.identities.repository(item).pk != working.row.repository_id:
            return item.raw
        return item.raw | {"repository": working.document["repository"]}

    def _examine(self, working: Working) -> tuple[str, ...]:
        """Fill in the snippet, and compare what the document says with the source at hand."""
        row, tree = working.row, self.context.sources
        if tree is None or not row.path:
            return ()
        facts = self._facts(row.repository)
        source = working.document.get("source") or {}
        if tree.read(facts, row.path, commit=source.get("commit"), release=source.get("release")) is None:
            return ()
        document = validate_document(EntryDocument, working.document)
        found = examine(document, facts, tree)
        filled: dict[str, Any] = {"of": working.document.get("source")}
        filled |= {"snippet": found.snippet} if found.snippet else {}
        filled |= {"disagreements": list(found.disagreements)} if found.disagreements else {}
        filled = filled if len(filled) > 1 else {}
        if not json_equal(filled, row.filled):
            row.filled = filled
            working.changed = working.changed or not working.created
        return found.disagreements

    def _facts(self, repository: Repository) -> RepositoryFacts:
        if repository.pk not in self.facts:
            self.facts[repository.pk] = facts_of(repository)
        return self.facts[repository.pk]

    def _differences(self, old: Raw, new: Raw) -> tuple[Difference, ...]:
        return differences(old, new) if self.context.show_differences else ()

    def _note(self, working: Working, tokens: RowTokens | None) -> None:
        self.touched[id(working)] = working
        if tokens is not None:
            self.tokens[id(working)] = tokens

    def _store(self) -> None:
        created = [working for working in self.touched.values() if working.created]
        changed = [working for working in self.touched.values() if working.changed and not working.created]
        ErrorEntry.objects.bulk_create([working.row for working in created])
        for working in changed:
            working.row.modified_at = self.now
            working.row.save()
        self._store_identifiers()
        self._store_links(created, changed)
        self._store_tokens(created, changed)
        Revision.objects.bulk_create(self.revisions)
        touch((working.row.repository_id for working in [*created, *changed]), self.now)
        self.context.claimed.update({working.row.pk: working.writer for working in self.touched.values()})

    def _store_identifiers(self) -> None:
        for chunk in in_chunks(self.identities.freed):
            EntryIdentifier.objects.filter(value__in=chunk).delete()
        EntryIdentifier.objects.bulk_create(
            EntryIdentifier(value=value, entry=working.row)
            for working in self.touched.values()
            for value in sorted(working.identifiers, key=lambda value: value != working.row.public_id)
        )

    def _store_links(self, created: list[Working], changed: list[Working]) -> None:
        EntryPullRequest.objects.filter(entry__in=[working.row for working in changed]).delete()
        EntryPullRequest.objects.bulk_create(
            EntryPullRequest(
                entry=working.row,
                repository=self._repository(link.get("repository") or working.document["repository"], working),
                number=link["number"],
                role=link.get("role") or "",
                position=position,
            )
            for working in [*created, *changed]
            for position, link in enumerate(working.document.get("pull_requests") or [])
        )

    def _store_tokens(self, created: list[Working], changed: list[Working]) -> None:
        SearchRow.objects.bulk_create(
            SearchRow(entry=working.row, **asdict(self.tokens[id(working)])) for working in created
        )
        for working in changed:
            if tokens := self.tokens.get(id(working)):
                SearchRow.objects.filter(entry=working.row).update(**asdict(tokens))


def _check_same(working: Working, merged: Merge) -> None:
    """Refuse a writer's second document for an entry in one load, unless it says nothing else than the first."""
    first, second = (
        {key: value for key, value in document.items() if key not in _IDENTITY}
        for document in (working.document, merged.document)
    )
    found = differences(first, second) if merged.changed else ()
    if found:
        name = working.row.public_id
        raise refuse(
            found[0].path,
            f"this load has already brought entry {name} with another value here; tell sites apart by path and line",
        )


def _checked(document: Raw) -> EntryDocument:
    """Return a merged document, validated. Raises DocumentError where two sources together make none."""
    if len(dump_document(document).encode("utf-8")) > MAX_BYTES:
        raise refuse("$", "together with what is stored, this would be over 8 MiB")
    return validate_document(EntryDocument, document)


def _repositories(raw: Raw) -> list[str]:
    """Return the repositories that rows are needed for: the entry's own, and those of its pull requests."""
    links = raw.get("pull_requests") or []
    return [raw["repository"], *(link["repository"] for link in links if link.get("repository"))]
