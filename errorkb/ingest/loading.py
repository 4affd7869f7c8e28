"""Ingest: load documents from files: read, prepare, and write in batches, each whole or not at all."""

import contextlib
import pickle
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import IO, BinaryIO

from errorkb.ingest.collecting import seldom_collected
from errorkb.ingest.entries import write_entries
from errorkb.ingest.outcomes import Outcome, Status, Tally
from errorkb.ingest.prepared import Prepared, Unchanged
from errorkb.ingest.preparing import nothing_stored, prepare_batch, prepare_batches
from errorkb.ingest.pull_requests import write_pull_requests
from errorkb.ingest.readers import STANDARD_INPUT, Found, find_documents, find_files
from errorkb.ingest.repository_documents import write_repository_documents
from errorkb.ingest.sources import open_source
from errorkb.ingest.states import WriteContext
from errorkb.ingest.transactions import writing, writing_much
from errorkb.ingest.unchanged import KnownEntries, settle_unchanged
from errorkb.models import Batch
from errorkb.search.vocabulary import refresh_if_grown

# What is looked up and written at once, the first time less of it: other processes have not started then.
BATCH_DOCUMENTS = 900
FIRST_DOCUMENTS = 300
BATCH_BYTES = 8 * 1024 * 1024
# So many batches are one transaction: the pages of indexes that each of them changes all over are written once for all,
# and other writers wait for a second or two. What comes through a pipe may be waited for: nobody else should be kept
# waiting meanwhile, and each batch is a transaction.
TRANSACTION_BATCHES = 4
# What is staged for an atomic load stays in memory up to this size, then goes to a temporary file.
STAGED_IN_MEMORY = 16 * 1024 * 1024


# Documents made ready or found unchanged, and refusals, in their order.
Items = Sequence[Prepared | Outcome | Unchanged]


@dataclass(frozen=True)
class DocumentKind:
    """How one kind of document is written, and whether it also comes as a Markdown report."""

    write: Callable[[Sequence[Prepared], WriteContext], list[Outcome]]
    reports: bool = False


KINDS = {
    "entries": DocumentKind(write_entries),
    "pull_requests": DocumentKind(write_pull_requests, reports=True),
    "repositories": DocumentKind(write_repository_documents),
}


@dataclass(frozen=True)
class LoadOptions:
    """How to load.

    `writer` is who brings the documents (the file itself where empty); `force` overrides owners; `atomic` loads all
    or nothing; `dry_run` changes nothing and shows differences; `source` is where snippets are read from:
    `installed`, `none`, or a path.
    """

    writer: str = ""
    reason: str = ""
    force: bool = False
    atomic: bool = False
    dry_run: bool = False
    source: str = "none"


class _NothingLoadedError(Exception):
    """Roll an atomic load or a dry run back."""


def load(
    kind: str,
    paths: Sequence[str],
    options: LoadOptions,
    *,
    clock: Callable[[], datetime],
    report: Callable[[Outcome], None],
    tell: Callable[[str], object] = str,
    standard_input: BinaryIO | None = None,
) -> Tally:
    """Load every document of `paths` (files, folders, `-`), and `report` what became of each, in order.

    Batches are committed whole, with their indexes; a load that is killed keeps whole ones, and the same load again
    finishes the work. With `atomic`, nothing is written until every document has been validated, and all of it
    in one transaction. `tell` is told in a sentence what somebody should know of the run itself. Raises
    UnreadableError for a path, SourceError for a source.
    """
    files = [file for path in paths for file in find_files(path, reports=KINDS[kind].reports)]
    most = 1 if any(map(_may_wait, paths)) else TRANSACTION_BATCHES
    run = _Run(KINDS[kind], kind, options, clock, report, most)
    documents = (
        found._replace(file=number)
        for number, file in enumerate(files)
        for found in find_documents(
            file, writer=options.writer, standard_input=standard_input, reports=run.kind.reports
        )
    )
    with contextlib.closing(run.prepared(documents, tell)) as batches, writing_much(), seldom_collected():
        run.load(batches)
    refresh_if_grown()
    return run.tally


class _Run:
    """One load from its first document to its last."""

    def __init__(
        self,
        kind: DocumentKind,
        name: str,
        options: LoadOptions,
        clock: Callable[[], datetime],
        report: Callable[[Outcome], None],
        most: int,
    ) -> None:
        self.kind = kind
        self.name = name
        self.options = options
        self.tally = Tally()
        self._report = report
        self._most = most
        self.context = WriteContext(
            clock=clock,
            reason=options.reason,
            force=options.force,
            show_differences=options.dry_run,
            sources=open_source(options.source) if name == "entries" else None,
        )
        self._ask = KnownEntries(self.context.sources).hashes if name == "entries" else nothing_stored

    def prepared(self, documents: Iterable[Found], tell: Callable[[str], object]) -> Generator[Items, None, None]:
        """Yield batches made ready, in order, without what is behind a broken document that ends its file."""
        ended = -1
        made = prepare_batches(self.name, _batches(documents), ask=self._ask, tell=tell)
        with contextlib.closing(made) as batches:
            for batch in batches:
                items: list[Prepared | Outcome | Unchanged] = []
                for ready in batch:
                    if ready.file != ended:
                        items.append(ready.item)
                        ended = ready.file if ready.is_last else ended
                yield items

    def load(self, batches: Iterable[Items]) -> None:
        """Write batches, each of documents made ready and refusals, as the options say."""
        if self.options.atomic or self.options.dry_run:
            self._load_staged(batches)
            return
        self._begin()
        waiting = iter(batches)
        for batch in waiting:
            self._settle_all(self._write_several(chain([batch], waiting)))
        self._finish(self.tally)

    def _write_several(self, batches: Iterable[Items]) -> list[Outcome]:
        """Write as many batches in one transaction as one may have."""
        outcomes: list[Outcome] = []
        with writing():
            for batch in islice(batches, self._most):
                outcomes += self._write(batch)
        return outcomes

    def _write(self, batch: Items) -> list[Outcome]:
        """Write one batch; call within a transaction."""
        items = settle_unchanged(batch, self.context, self._prepare)
        written = iter(self.kind.write([item for item in items if isinstance(item, Prepared)], self.context))
        return [next(written) if isinstance(item, Prepared) else item for item in items]

    def _prepare(self, found: Found) -> Prepared | Outcome:
        (ready,) = prepare_batch(self.name, [found])
        assert not isinstance(ready.item, Unchanged)
        return ready.item

    def _settle(self, outcome: Outcome) -> None:
        self.tally.add(outcome)
        self._report(outcome)

    def _load_staged(self, batches: Iterable[Items]) -> None:
        """Validate everything first, then write it in one transaction, or none of it.

        Other writers wait while it is written, not while it is prepared.
        """
        with tempfile.SpooledTemporaryFile(STAGED_IN_MEMORY) as staged:
            clean = True
            for batch in batches:
                clean = clean and not any(isinstance(item, Outcome) for item in batch)
                if clean or self.options.dry_run:
                    pickle.dump(batch, staged)
                if self.options.atomic:
                    self._settle_all(item for item in batch if isinstance(item, Outcome))
            staged.seek(0)
            if self.options.atomic and clean:
                self._write_staged(staged)
            elif not self.options.atomic:
                self._try_staged(staged)

    def _try_staged(self, staged: IO[bytes]) -> None:
        """Write everything, report it, and roll it back."""
        with contextlib.suppress(_NothingLoadedError), writing():
            for batch in _unpickled(staged):
                self._settle_all(self._write(batch))
            raise _NothingLoadedError

    def _write_staged(self, staged: IO[bytes]) -> None:
        """Write everything, or nothing where something of it is refused; report it, or what was refused."""
        outcomes: list[Outcome] = []
        refused: list[Outcome] = []
        with contextlib.suppress(_NothingLoadedError), writing():
            self._begin()
            for batch in _unpickled(staged):
                outcomes += self._write(batch)
            refused = [outcome for outcome in outcomes if outcome.status is Status.REFUSED]
            if refused or self.options.dry_run:
                raise _NothingLoadedError
            self._finish(Tally(Counter(outcome.status.value for outcome in outcomes)))
        self._settle_all(refused if refused and not self.options.dry_run else outcomes)

    def _settle_all(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            self._settle(outcome)

    def _begin(self) -> None:
        self.context.batch = Batch.objects.create(
            started_at=self.context.clock(),
            writer=self.options.writer or "file",
            command=f"load_{self.name}",
            reason=self.options.reason,
        )

    def _finish(self, tally: Tally) -> None:
        batch = self.context.batch
        if batch is not None:
            batch.finished_at, batch.counts = self.context.clock(), tally.as_dict()
            batch.save()


def _may_wait(path: str) -> bool:
    """Say whether documents may come slowly: through a pipe, as from all that is neither a file nor a folder."""
    place = Path(path)
    return path == STANDARD_INPUT or not (place.is_file() or place.is_dir())


def _batches(documents: Iterable[Found]) -> Iterator[list[Found]]:
    """Group documents into batches, each bounded in number and in bytes."""
    batch: list[Found] = []
    size, most = 0, min(FIRST_DOCUMENTS, BATCH_DOCUMENTS)
    for found in documents:
        if batch and (len(batch) >= most or size + len(found.data) > BATCH_BYTES):
            yield batch
            batch, size, most = [], 0, BATCH_DOCUMENTS
        batch.append(found)
        size += len(found.data)
    if batch:
        yield batch


def _unpickled(staged: IO[bytes]) -> Iterator[Items]:
    while True:
        try:
            yield pickle.load(staged)
        except EOFError:
            return
