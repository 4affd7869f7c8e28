"""Ingest: documents made ready to be written, in their order, by several processes where there are many.

What a process does needs no database and no Django; it is given bytes and gives back what rows are made of. One that
dies takes nothing with it: this process does its work again, and what comes behind.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ensure_running
from multiprocessing.process import BaseProcess
from typing import NamedTuple, Protocol

from errorkb.core.problems import DocumentError
from errorkb.ingest.collecting import seldom_collected
from errorkb.ingest.outcomes import Outcome, refused
from errorkb.ingest.prepared import (
    Prepared,
    Raw,
    Unchanged,
    find_unchanged,
    prepare_entry,
    prepare_pull_request,
    prepare_repository,
)
from errorkb.ingest.readers import Found, read_document

# So many batches are prepared by the process that loads, while the one that others are forked from imports what they
# need; a first batch of so many documents is seldom the last.
ALONE = 1
MANY = 200
MOST_PROCESSES = 3
DIED = "a process that prepares documents has died; its documents are prepared by this one"

# Never plain forks: the process that loads has an open database.
_CONTEXT = multiprocessing.get_context("forkserver")


_NOTHING_STORED: Mapping[str, str] = {}


class Ready(NamedTuple):
    """A document made ready, found unchanged or refused, with the number of its file; `is_last` as Read has it."""

    item: Prepared | Outcome | Unchanged
    file: int
    is_last: bool = False


class Prepare(Protocol):
    """Make a raw document ready to be written, or raise DocumentError."""

    def __call__(self, raw: Raw, *, where: str, writer: str) -> Prepared: ...


Batch = Sequence[Found]
# The hashes of stored documents that documents of a batch may have, by id.
Hashes = Mapping[str, str]
_PREPARE: dict[str, Prepare] = {
    "entries": prepare_entry,
    "pull_requests": prepare_pull_request,
    "repositories": prepare_repository,
}


def nothing_stored(_: Batch) -> Hashes:
    """Answer for kinds of documents of which it is not asked what is stored."""
    return _NOTHING_STORED


def prepare_batch(kind: str, batch: Batch, hashes: Hashes = _NOTHING_STORED) -> list[Ready]:
    """Prepare the documents of a batch, each by itself. `kind` is entries, pull_requests or repositories."""
    return [_prepare(_PREPARE[kind], found, hashes) for found in batch]


def prepare_batches(
    kind: str,
    batches: Iterable[Batch],
    *,
    processes: int | None = None,
    ask: Callable[[Batch], Hashes] = nothing_stored,
    tell: Callable[[str], object] = str,
) -> Generator[list[Ready], None, None]:
    """Yield each batch prepared, in order; no more of them are in memory than there are processes, and one.

    `processes` are started behind the first ALONE batches, by default one for each processor, MOST_PROCESSES at most;
    none where that is less than two. `ask` is asked, in this process, for what is stored of entries in a batch. `tell`
    is told in a sentence where one has died.
    """
    waiting = ((batch, ask(batch)) for batch in batches)
    size = min(len(os.sched_getaffinity(0)), MOST_PROCESSES) if processes is None else processes
    pool = _Pool(kind, size if size > 1 else 0, tell)
    for task in islice(waiting, ALONE):
        if len(task[0]) > MANY:
            pool.get_ready()
        yield _done(kind, task)
    try:
        yield from pool.run(waiting)
    finally:
        pool.stop()


def _done(kind: str, task: "_Task") -> list[Ready]:
    return _with_bytes(prepare_batch(kind, *task), task)


def _with_bytes(answer: list[Ready], task: "_Task") -> list[Ready]:
    """Give documents that are unchanged the bytes that they were read from."""
    return [
        ready._replace(item=ready.item._replace(found=found)) if isinstance(ready.item, Unchanged) else ready
        for ready, found in zip(answer, task[0], strict=True)
    ]


def _prepare(prepare: Prepare, found: Found, hashes: Hashes) -> Ready:
    read = read_document(found)
    if read.raw is None:
        return Ready(refused(read.where, read.problems), found.file, read.is_last)
    if hashes and (unchanged := find_unchanged(read.raw, hashes, where=read.where, writer=read.writer)):
        return Ready(unchanged, found.file)
    try:
        return Ready(prepare(read.raw, where=read.where, writer=read.writer), found.file)
    except DocumentError as error:
        return Ready(refused(read.where, error.problems), found.file)


_Task = tuple[Batch, Hashes]


@dataclass(eq=False)
class _Worker:
    """A process, and what it is at, if anything."""

    process: BaseProcess
    connection: Connection
    task: _Task = ((), _NOTHING_STORED)


class _Pool:
    """Processes that are given batches in turn, each one at a time, and asked for them in the same order."""

    def __init__(self, kind: str, size: int, tell: Callable[[str], object]) -> None:
        self._kind = kind
        self._size = size
        self._tell = tell
        self._busy: deque[_Worker] = deque()

    def run(self, tasks: Iterator[_Task]) -> Iterator[list[Ready]]:
        """Yield each batch prepared; a process is given its next one before the answer to the last is looked at."""
        for task in tasks:
            if len(self._busy) < self._size:
                self._send(self._start(), task)
                continue
            if self._busy:
                worker = self._busy.popleft()
                answer = self._receive(worker)
                if self._size:
                    self._send(worker, task)
                yield answer
            if not self._size:
                yield from self._drained()
                yield _done(self._kind, task)
        yield from self._drained()

    def _drained(self) -> Iterator[list[Ready]]:
        while self._busy:
            worker = self._busy.popleft()
            yield self._receive(worker)
            _end(worker)

    def get_ready(self) -> None:
        """Start what other processes are forked from, without waiting for it."""
        if self._size:
            _CONTEXT.set_forkserver_preload([__name__])
            ensure_running()

    def stop(self) -> None:
        for worker in self._busy:
            _end(worker)

    def _start(self) -> _Worker:
        self.get_ready()
        ours, theirs = _CONTEXT.Pipe()
        process = _CONTEXT.Process(target=_serve, args=(theirs, self._kind), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _send(self, worker: _Worker, task: _Task) -> None:
        worker.task = task
        self._busy.append(worker)
        with suppress(OSError):
            # It died while it was idle; waiting for its answer finds that out.
            worker.connection.send(task)

    def _receive(self, worker: _Worker) -> list[Ready]:
        try:
            answer: list[Ready] = worker.connection.recv()
        except (EOFError, OSError):
            self._size = 0
            self._tell(DIED)
            _end(worker)
            return _done(self._kind, worker.task)
        return _with_bytes(answer, worker.task)


def _end(worker: _Worker) -> None:
    worker.connection.close()
    worker.process.kill()
    worker.process.join()


def _serve(connection: Connection, kind: str) -> None:
    """Answer batches until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError), seldom_collected():
        while True:
            connection.send(prepare_batch(kind, *connection.recv()))
