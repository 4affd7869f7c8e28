"""Ingest: write entries: find whom each document means, merge, mint ids, and store rows with all that hangs on them."""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from errorkb.core.differences import Difference, differences, json_equal
from errorkb.core.documents import EntryDocument, validate_document
from errorkb.core.identity import Site
from errorkb.core.json_documents import MAX_BYTES, content_hash, dump_document
from errorkb.core.ownership import Merge, merge
from errorkb.core.problems import DocumentError, refuse
from errorkb.core.stated_wordings import StatedWording, stated_wordings
from errorkb.ingest.bulk_rows import insert_rows, new_keys
from errorkb.ingest.identities import Identities, meant
from errorkb.ingest.links.report_links import sync_report_links
from errorkb.ingest.outcomes import Outcome, Status, refused, status_of
from errorkb.ingest.prepared import Prepared, Raw, entry_columns, entry_site
from errorkb.ingest.repositories import ensure_repositories, touch
from errorkb.ingest.sources import RepositoryFacts, examine
from errorkb.ingest.standings import sync_standings
from errorkb.ingest.states import WriteContext, begin_state, next_state, set_columns
from errorkb.ingest.word_checks import check_loaded, facts_of, words_at
from errorkb.ingest.wordings import sync_wordings
from errorkb.ingest.workings import Working
from errorkb.models import EntryIdentifier, EntryPullRequest, ErrorEntry, Repository, Revision, SearchRow, Wording
from errorkb.models.chunks import in_chunks
from errorkb.search.row_tokens import RowTokens, tokens_for_entry

_IDENTITY = ("id", "aliases", "schema_version")
# The columns of an entry, and the values of a new one before its document is looked at.
_COLUMNS = [field.attname for field in ErrorEntry._meta.concrete_fields]
_NEW = {field.attname: field.get_default() for field in ErrorEntry._meta.concrete_fields}
_values = attrgetter(*_COLUMNS)


def write_entries(prepared: Sequence[Prepared], context: WriteContext, *, with_wordings: bool = True) -> list[Outcome]:
    """Write a batch of entry documents; call within a transaction.

    Everything that hangs on an entry (identifiers, links, revisions, search tokens, wordings) is written with it. A
    document that is refused leaves nothing behind; the number of queries for finding entries does not grow with the
    batch. A caller that writes sightings next leaves out what follows from those, and syncs it itself.
    """
    batch = _EntryBatch(prepared, context)
    outcomes = batch.write()
    if with_wordings:
        batch.store_wordings()
        sync_wordings(batch.changed_keys)
        sync_standings(batch.changed_keys, batch.now)
        sync_report_links(batch.written, repositories=batch.homes)
        check_loaded(batch.worded, context.sources, batch.now)
    return outcomes


class _EntryBatch:
    """One batch on its way into the database."""

    def __init__(self, prepared: Sequence[Prepared], context: WriteContext) -> None:
        self.prepared = prepared
        self.context = context
        self.now: datetime = context.clock()
        names = {name for item in prepared for name in (meant(item).repository, *meant(item).link_repositories)}
        self.repositories = ensure_repositories(names, self.now)
        self.identities = Identities(prepared, self.repositories, context.claimed)
        self.touched: dict[int, Working] = {}
        self.tokens: dict[int, RowTokens] = {}
        self.facts: dict[int, RepositoryFacts | None] = {}
        self.revisions: list[Revision] = []

    @property
    def worded(self) -> list[int]:
        """Return the keys of the entries whose words were looked up before, or can be now."""
        return [working.row.pk for working in self.touched.values() if working.row.checked or self._has_words(working)]

    @property
    def homes(self) -> set[int]:
        """Return the repositories (primary keys) of the entries that the batch was about."""
        return {working.row.repository_id for working in self.touched.values()}

    @property
    def written(self) -> list[int]:
        """Return the keys of the entries that the batch made or changed."""
        return [working.row.pk for working in [*self.created, *self.changed]]

    @property
    def changed_keys(self) -> list[int]:
        """Return the keys of the entries that the batch changed."""
        return [working.row.pk for working in self.changed]

    @property
    def created(self) -> list[Working]:
        return [working for working in self.touched.values() if working.created]

    @property
    def changed(self) -> list[Working]:
        return [working for working in self.touched.values() if working.changed and not working.created]

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
        repository, told = self.identities.repository(item), meant(item)
        values: Any = (_NEW | item.columns).values()
        row = ErrorEntry(*values)
        row.repository = repository
        begin_state(row, item.text, item.content_hash, item.writer, self.now)
        working = Working(row, item, created=True, writer=item.writer)
        minted = self.identities.mint_for(item)
        row.public_id, row.id_given = told.given or minted, bool(told.given)
        self.identities.register(working, item)
        self.identities.name(working, (row.public_id, *told.identifiers, minted))
        self._note(working, item.tokens)
        notes = self._examine(working)
        shown = self._differences({}, item)
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
        text, document = _checked(merged.document)
        before = row.site_key
        row.repository = self._repository(merged.document["repository"], working)
        if working.created and row.created_by == item.writer:
            begin_state(row, text, content_hash(text), item.writer, self.now)
        else:
            states = next_state(row, merged.document, merged.owners, item.writer, self.now, self.context)
            self.revisions += states[-1:] if working.revised else states
            working.revised = True
        working.change(merged.document)
        set_columns(row, entry_columns(document, newest=row.newest, gone_in=row.gone_in))
        row.filled = row.filled if json_equal(row.filled.get("of"), merged.document.get("source")) else {}
        if row.site_key != before:
            self._name_after_rewording(working, entry_site(document))
        self._note(working, tokens_for_entry(merged.document, row.newest))

    def _name_after_rewording(self, working: Working, site: Site) -> None:
        """Let the id that would be minted now lead here too, unless the function has twins."""
        if not self.identities.is_twin(working.site_key):
            self.identities.name(working, [self.identities.mint(working.row.repository, site, working.site_key)])

    def _join(self, working: Working, item: Prepared) -> bool:
        """Give the entry the document's id and aliases, a given id in place of a minted one; say if any was new."""
        row = working.row
        names = meant(item).identifiers
        known = {row.public_id, *working.identifiers}
        self.identities.name(working, [name for name in names if self.identities.owner(name) is None])
        given = meant(item).given
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
        if facts is None or tree.read(facts, row.path, commit=working.pin.commit, release=working.pin.release) is None:
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

    def _has_words(self, working: Working) -> bool:
        """Say whether the source at hand has the words of an entry's pin."""
        if self.context.sources is None or not working.row.explained:
            return False
        facts = self._facts(working.row.repository)
        return facts is not None and words_at(self.context.sources, facts, working.pin) is not None

    def _facts(self, repository: Repository) -> RepositoryFacts | None:
        """Return what finding a repository's files takes; None where none of them is at hand."""
        if repository.pk not in self.facts:
            facts, sources = facts_of(repository), self.context.sources
            self.facts[repository.pk] = facts if sources is not None and sources.may_have(facts) else None
        return self.facts[repository.pk]

    def _differences(self, old: Raw, new: Prepared | Raw) -> tuple[Difference, ...]:
        if not self.context.show_differences:
            return ()
        return differences(old, new.raw if isinstance(new, Prepared) else new)

    def _note(self, working: Working, tokens: RowTokens | None) -> None:
        self.touched[id(working)] = working
        if tokens is not None:
            self.tokens[id(working)] = tokens

    def _store(self) -> None:
        created, changed = self.created, self.changed
        for key, working in zip(new_keys(ErrorEntry, len(created)), created, strict=True):
            working.row.pk = key
        insert_rows(ErrorEntry, _COLUMNS, (_values(working.row) for working in created))
        for working in changed:
            working.row.modified_at = self.now
            working.row.save()
        self._store_identifiers()
        self._store_links(created, changed)
        self._store_tokens(created, changed)
        Revision.objects.bulk_create(self.revisions)
        touch((working.row.repository_id for working in [*created, *changed]), self.now)
        for working in self.touched.values():
            self.context.claimed.note(working.row.pk, working.writer)

    def _store_identifiers(self) -> None:
        for chunk in in_chunks(self.identities.freed):
            EntryIdentifier.objects.filter(value__in=chunk).delete()
        rows = (
            (value, working.row.pk)
            for working in self.touched.values()
            for value in sorted(working.identifiers, key=lambda value: value != working.row.public_id)
        )
        insert_rows(EntryIdentifier, ("value", "entry_id"), rows)

    def _store_links(self, created: list[Working], changed: list[Working]) -> None:
        for chunk in in_chunks(working.row.pk for working in changed):
            EntryPullRequest.objects.filter(entry__in=chunk).delete()
        EntryPullRequest.objects.bulk_create(
            EntryPullRequest(
                entry=working.row,
                repository=self._repository(link.get("repository") or working.document["repository"], working),
                number=link["number"],
                role=link.get("role") or "",
                position=position,
            )
            for working in [*filter(_has_links, created), *changed]
            for position, link in enumerate(working.document.get("pull_requests") or [])
        )

    def _store_tokens(self, created: list[Working], changed: list[Working]) -> None:
        made = ((working.row.pk, *self.tokens[id(working)]) for working in created)
        insert_rows(SearchRow, ("entry_id", *RowTokens._fields), made)
        for working in changed:
            if tokens := self.tokens.get(id(working)):
                SearchRow.objects.filter(entry=working.row).update(**tokens._asdict())

    def store_wordings(self) -> None:
        """Store the wordings of new entries, which follow from their documents alone."""
        rows = (
            (working.row.pk, *wording)
            for working in self.created
            for wording in (working.origin.wordings if working.origin else _wordings(working))
        )
        insert_rows(Wording, ("entry_id", *StatedWording._fields), rows)


def _has_links(working: Working) -> bool:
    return working.origin is None or meant(working.origin).has_links


def _wordings(working: Working) -> Sequence[StatedWording]:
    return stated_wordings(working.row.template, working.row.message, working.document)


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


def _checked(document: Raw) -> tuple[str, EntryDocument]:
    """Return a merged document as JSON, and validated. Raises DocumentError where two sources together make none."""
    text = dump_document(document)
    if len(text.encode("utf-8")) > MAX_BYTES:
        raise refuse("$", "together with what is stored, this would be over 8 MiB")
    return text, validate_document(EntryDocument, document)
