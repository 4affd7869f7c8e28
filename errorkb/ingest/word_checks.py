"""Ingest: which names in an entry's words its source does not have, looked up wherever a tree is at hand.

Kept is what the newest release says: {"release", "missing", "scan"}; `scan` is the primary key of the scan whose tree
it was, and is not there where a document's own pin was looked up while loading.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from errorkb.core.documents import EntryDocument, validate_document
from errorkb.core.word_checks import Name, Vocabulary, missing_names, names_in_words
from errorkb.ingest.bulk_updates import update_rows
from errorkb.ingest.prepared import StatedPin, stated_pin
from errorkb.ingest.releases import is_before
from errorkb.ingest.repositories import touch
from errorkb.ingest.sources import RepositoryFacts, SourceTree
from errorkb.ingest.transactions import writing
from errorkb.models import ErrorEntry, Repository, Scan
from errorkb.models.chunks import in_chunks
from errorkb.scanning.trees import Tree
from errorkb.scanning.vocabularies import python_vocabulary, read_vocabulary

# Documents may have eight megabytes: so many are in memory at a time.
CHUNK = 200
# So many names are kept of an entry; nobody corrects more at once.
MOST_MISSING = 100

Check = dict[str, Any]


def check_loaded(entries: Iterable[int], sources: SourceTree | None, now: datetime) -> None:
    """Look up the words of entries, given by primary key, at the pins that their documents state.

    Call it in a transaction. Without a tree at hand, what is kept of an earlier check is only freed of names that the
    words no longer use. What a scan of a release that is not known to come before has found is kept.
    """
    for chunk in in_chunks(entries, CHUNK):
        wanted = Q(explained=True) if sources else Q(pk__in=[])
        rows = ErrorEntry.objects.filter(wanted | ~Q(checked={}), pk__in=chunk)
        _store(rows, lambda row, document, names: _loaded(row, document, names, sources), now)


def check_scanned(scan: Scan, tree: Tree, now: datetime) -> None:
    """Look up the words of the entries that this scan saw last in the tree that it read.

    The tree is read once for all of them, and not at all where no words name anything.
    """
    words = _LazyVocabulary(tree)
    keys = ErrorEntry.objects.filter(newest__scan=scan, explained=True).values_list("pk", flat=True)
    for chunk in in_chunks(list(keys), CHUNK):
        with writing():
            rows = ErrorEntry.objects.filter(pk__in=chunk)
            if _store(rows, lambda row, _, names: _scanned(row, names, scan, words), now):
                touch([scan.repository_id], now)


class _LazyVocabulary:
    """The words of a tree, read when they are first asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree: Tree | None = tree
        self._words: Vocabulary | None = None

    def get(self) -> Vocabulary | None:
        if self._tree is not None:
            self._words, self._tree = read_vocabulary(self._tree), None
        return self._words


def _store(
    rows: QuerySet[ErrorEntry, ErrorEntry],
    check: Callable[[ErrorEntry, EntryDocument, Sequence[Name]], Check],
    now: datetime,
) -> int:
    """Give each entry its check; return how many have another than before."""
    changed = []
    for row in rows.select_related("repository", "newest__scan"):
        document = validate_document(EntryDocument, row.as_document())
        found = check(row, document, names_in_words(document))
        if found != row.checked:
            row.checked, row.modified_at = found, now
            changed.append(row)
    update_rows(changed, ("checked", "modified_at"))
    return len(changed)


def _loaded(row: ErrorEntry, document: EntryDocument, names: Sequence[Name], sources: SourceTree | None) -> Check:
    source = document.source
    kept = _still_named(row.checked, names)
    if sources is None or source is None or not names or _is_of_later_scan(row, source.release or ""):
        return kept
    words = words_at(sources, facts_of(row.repository), stated_pin(row.as_document()))
    return _check(source.release or source.commit or "", names, words) if words else kept


def words_at(sources: SourceTree, facts: RepositoryFacts, pin: StatedPin) -> Vocabulary | None:
    """Return the words of a repository's files at a pin, None where they aren't at hand."""
    own = replace(facts, package=pin.package or facts.package)
    return sources.vocabulary(own, commit=pin.commit, release=pin.release)


def _is_of_later_scan(row: ErrorEntry, release: str) -> bool:
    """Say whether what is kept is of a scan whose release is not known to come before this one."""
    if "scan" not in row.checked:
        return False
    scan = row.newest.scan if row.newest and row.newest.scan_id == row.checked["scan"] else None
    scan = scan or Scan.objects.filter(pk=row.checked["scan"]).first()
    return scan is not None and not is_before(scan, release, row.repository.tag_format)


def _scanned(row: ErrorEntry, names: Sequence[Name], scan: Scan, words: _LazyVocabulary) -> Check:
    kept = _still_named(row.checked, names)
    is_later = "scan" not in kept and is_before(scan, kept.get("release") or "", row.repository.tag_format)
    if not names or is_later:
        return kept
    vocabulary = words.get()
    return _check(scan.label, names, vocabulary) | {"scan": scan.pk} if vocabulary else kept


def _check(release: str, names: Sequence[Name], words: Vocabulary) -> Check:
    missing = missing_names(names, words)
    if missing:
        missing = missing_names(missing, words, besides=python_vocabulary())
    return {"release": release, "missing": [name.text for name in missing[:MOST_MISSING]]}


def _still_named(check: Mapping[str, Any], names: Sequence[Name]) -> Check:
    """Return what is kept of a check without names that the words no longer use; nothing where they use none."""
    if not check or not names:
        return {}
    known = {name.text for name in names}
    return {**check, "missing": [name for name in check["missing"] if name in known]}


def facts_of(repository: Repository) -> RepositoryFacts:
    """Return what finding a repository's files takes."""
    document = repository.as_document()
    return RepositoryFacts(repository.name, *(document.get(name) or "" for name in _DETAILS))


_DETAILS = ("package", "path_prefix", "tag_format")
