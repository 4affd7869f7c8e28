"""Ingest: load documents from files: read, prepare, and write in batches, each whole or not at all."""

import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import IO, BinaryIO, Protocol

from errorkb.core.problems import DocumentError
from errorkb.ingest.entries import write_entries
from errorkb.ingest.outcomes import Outcome, Status, Tally, refused
from errorkb.ingest.prepared import Prepared, Raw, prepare_entry, prepare_pull_request, prepare_repository
from errorkb.ingest.pull_requests import write_pull_requests
from errorkb.ingest.readers import Read, find_files, read_documents
from errorkb.ingest.repositories import write_repositories
from errorkb.ingest.sources import open_source
from errorkb.ingest.states import WriteContext
from errorkb.ingest.transactions import writing
from errorkb.models import Batch
from errorkb.search.vocabulary import refresh_if_grown

# A batch is one transaction: large enough to be quick, small enough that other writers hardly wait.
BATCH_DOCUMENTS = 200
BATCH_BYTES = 8 * 1024 * 1024
# What is staged for an atomic load stays in memory up to this size, then goes to a temporary file.
STAGED_IN_MEMORY = 16 * 1024 * 1024


class Prepare(Protocol):
    """Make a raw document ready to be written, or raise DocumentError."""

    def __call__(self, raw: Raw, *, where: str, writer: str) -> Prepared: ...


@dataclass(frozen=True)
class DocumentKind:
    """How one kind of document is prepared and written, and whether it also comes as a Markdown report."""

    prepare: Prepare
    write: Callable[[Sequence[Prepared], WriteContext], list[Outcome]]
    reports: bool = False


KINDS = {
    "entries": DocumentKind(prepare_entry, write_entries),
    "pull_requests": DocumentKind(prepare_pull_request, write_pull_requests, reports=True),
    "repositories": DocumentKind(prepare_repository, write_repositories),
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
    standard_input: BinaryIO | None = None,
) -> Tally:
    """Load every document of `paths` (files, folders, `-`), and `report` what became of each, in order.

    Each batch is committed whole, with its indexes; a load that is killed keeps whole batches, and the same load
    again finishes the work. With `atomic`, nothing is written until every document has been validated, and all of it
    in one transaction. Raises UnreadableError for a path, SourceError for a source.
    """
    run = _Run(KINDS[kind], kind, options, clock, report)
    files = [file for path in paths for file in find_files(path, reports=run.kind.reports)]
    reads = (
        read
        for file in files
        for read in read_documents(file, writer=options.writer, standard_input=standard_input, reports=run.kind.reports)
    )
    run.load(reads)
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
    ) -> None:
        self.kind = kind
        self.name = name
        self.options = options
        self.tally = Tally()
        self._report = report
        self.context = WriteContext(
            clock=clock,
            reason=options.reason,
            force=options.force,
            show_differences=options.dry_run,
            sources=open_source(options.source) if name == "entries" else None,
        )

    def load(self, reads: Iterable[Read]) -> None:
        if self.options.atomic:
            self._load_staged(reads)
        elif self.options.dry_run:
            self._rolled_back(self._prepared(reads))
        else:
            self._begin()
            for batch in batches(self._prepared(reads)):
                self._write(batch)
            self._finish()

    def _prepared(self, reads: Iterable[Read]) -> Iterator[tuple[Prepared | Outcome, int]]:
        """Yield each document made ready, or its refusal, with its size in bytes."""
        for read in reads:
            yield self._prepare(read), read.size

    def _prepare(self, read: Read) -> Prepared | Outcome:
        if read.raw is None:
            return refused(read.where, read.problems)
        try:
            return self.kind.prepare(read.raw, where=read.where, writer=read.writer)
        except DocumentError as error:
            return refused(read.where, error.problems)

    def _write(self, batch: Sequence[Prepared | Outcome]) -> bool:
        """Write one batch in a transaction and report it; say whether nothing was refused."""
        with writing():
            written = iter(self.kind.write([item for item in batch if isinstance(item, Prepared)], self.context))
        outcomes = [next(written) if isinstance(item, Prepared) else item for item in batch]
        for outcome in outcomes:
            self._settle(outcome)
        return all(outcome.status is not Status.REFUSED for outcome in outcomes)

    def _settle(self, outcome: Outcome) -> None:
        self.tally.add(outcome)
        self._report(outcome)

    def _rolled_back(self, items: Iterable[tuple[Prepared | Outcome, int]]) -> None:
        try:
            with writing():
                for batch in batches(items):
                    self._write(batch)
                raise _NothingLoadedError
        except _NothingLoadedError:
            pass

    def _load_staged(self, reads: Iterable[Read]) -> None:
        """Validate everything first, then write it in one transaction, or none of it."""
        with tempfile.SpooledTemporaryFile(STAGED_IN_MEMORY) as staged:
            clean = True
            for item, size in self._prepared(reads):
                if isinstance(item, Outcome):
                    clean = False
                    self._settle(item)
                else:
                    pickle.dump((item, size), staged)
            if clean:
                staged.seek(0)
                self._write_staged(staged)

    def _write_staged(self, staged: IO[bytes]) -> None:
        outcomes: list[Outcome] = []
        report, self._report = self._report, outcomes.append
        tally, self.tally = self.tally, Tally()
        try:
            with writing():
                self._begin()
                clean = [self._write(batch) for batch in batches(_unpickled(staged))]
                self._finish()
                if not all(clean) or self.options.dry_run:
                    raise _NothingLoadedError
        except _NothingLoadedError:
            if not self.options.dry_run:
                outcomes = [outcome for outcome in outcomes if outcome.status is Status.REFUSED]
        self._report, self.tally = report, tally
        for outcome in outcomes:
            self._settle(outcome)

    def _begin(self) -> None:
        self.context.batch = Batch.objects.create(
            started_at=self.context.clock(),
            writer=self.options.writer or "file",
            command=f"load_{self.name}",
            reason=self.options.reason,
        )

    def _finish(self) -> None:
        batch = self.context.batch
        if batch is not None:
            batch.finished_at, batch.counts = self.context.clock(), self.tally.as_dict()
            batch.save()


def batches(items: Iterable[tuple[Prepared | Outcome, int]]) -> Iterator[list[Prepared | Outcome]]:
    """Group documents into batches, each bounded in number and in bytes."""
    batch: list[Prepared | Outcome] = []
    size = 0
    for item, item_size in items:
        if batch and (len(batch) >= BATCH_DOCUMENTS or size + item_size > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += item_size
    if batch:
        yield batch


def _unpickled(staged: IO[bytes]) -> Iterator[tuple[Prepared, int]]:
    while True:
        try:
            yield pickle.load(staged)
        except EOFError:
            return
