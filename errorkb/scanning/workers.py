"""Scanning: processes that look into files; one that dies takes nothing with it but the file that it died of."""

import gc
import multiprocessing
import resource
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from ctypes import c_int
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from errorkb.scanning.extraction import Job, extract

_FILES = 128
_BYTES = 512 * 1024
_SECONDS = 120
_ADDRESS_SPACE = 4 * 1024**3
_BATCHES_BETWEEN_COLLECTIONS = 20
# Never plain forks: the process that scans may have threads and an open database.
_CONTEXT = multiprocessing.get_context("forkserver")
DIED = "reading it ended the process that read it"

Batch = list[Job]
Extract = Callable[[Job], bytes]
Answers = list[tuple[Job, bytes | str]]


@dataclass
class _Worker:
    """A process, its files if it has some, and which of them it is at (in memory that both see)."""

    process: BaseProcess
    connection: Connection
    at: c_int
    batch: Batch = field(default_factory=list)
    started: float = 0.0


def extract_all(
    jobs: Iterable[Job], *, workers: int, extract: Extract = extract, seconds: float = _SECONDS
) -> Iterator[tuple[Job, bytes | str]]:
    """Yield each file with its packed Extracted, or with the reason why there is none, in the order of getting done.

    Jobs are taken as workers get free, so that a stream of files need not fit into memory. A worker that takes more
    than `seconds` for some files is ended.
    """
    pool = _Pool(_batches(iter(jobs)), workers, extract, seconds)
    answers: Answers = []
    try:
        # Workers get on before anybody looks at what they found.
        while pool.feed() or answers:
            yield from answers
            answers = pool.answers()
    finally:
        pool.stop()


class _Pool:
    def __init__(self, batches: Iterator[Batch], size: int, extract: Extract, seconds: float) -> None:
        self._batches = batches
        self._extract = extract
        self._seconds = seconds
        self._ready: deque[Batch] = deque()
        self._size = size
        self._workers: list[_Worker] = []

    def feed(self) -> bool:
        """Give every idle worker a batch, starting workers as they are needed; False if nothing is left to wait for."""
        while sum(bool(worker.batch) for worker in self._workers) < self._size:
            self._stock(1)
            if not self._ready:
                break
            self._send(self._ready.popleft())
        return any(worker.batch for worker in self._workers)

    def answers(self) -> Answers:
        """Read what is next, and wait for batches to get done or their workers to die of them."""
        self._stock(self._size)
        busy = {worker.connection: worker for worker in self._workers if worker.batch}
        if not busy:
            return []
        oldest = min(worker.started for worker in busy.values())
        ready = wait(list(busy), timeout=max(0.0, oldest + self._seconds - time.monotonic()))
        answers: Answers = []
        for connection, worker in busy.items():
            if connection in ready:
                answers += self._receive(worker)
            elif time.monotonic() - worker.started >= self._seconds:
                answers += self._bury(worker, f"reading it took more than {self._seconds:g} seconds")
        return answers

    def _stock(self, batches: int) -> None:
        while len(self._ready) < batches and (batch := next(self._batches, None)):
            self._ready.append(batch)

    def stop(self) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()

    def _send(self, batch: Batch) -> None:
        worker = next((worker for worker in self._workers if not worker.batch), None) or self._start()
        worker.batch, worker.started, worker.at.value = batch, time.monotonic(), 0
        try:
            worker.connection.send(batch)
        except OSError:
            # It died while it was idle; waiting for its answer finds that out.
            pass

    def _start(self) -> _Worker:
        _CONTEXT.set_forkserver_preload([__name__])
        ours, theirs = _CONTEXT.Pipe()
        at = _CONTEXT.RawValue(c_int, 0)
        process = _CONTEXT.Process(target=_serve, args=(theirs, at, self._extract), daemon=True)
        process.start()
        theirs.close()
        self._workers.append(_Worker(process, ours, at))
        return self._workers[-1]

    def _receive(self, worker: _Worker) -> Answers:
        try:
            answers: list[bytes] = worker.connection.recv()
        except (EOFError, OSError):
            return self._bury(worker, DIED)
        batch, worker.batch = worker.batch, []
        return list(zip(batch, answers, strict=True))

    def _bury(self, worker: _Worker, reason: str) -> Answers:
        """Give up a worker and the file that it was at; the others of its batch are tried again."""
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.kill()
        worker.process.join()
        culprit = worker.batch.pop(worker.at.value)
        if worker.batch:
            self._ready.append(worker.batch)
        return [(culprit, reason)]


def _batches(jobs: Iterator[Job]) -> Iterator[Batch]:
    """Group files, so that small ones are not sent one by one, and large ones not all to one worker."""
    for first in jobs:
        batch, size = [first], len(first.content)
        for job in islice(jobs, _FILES - 1) if size < _BYTES else ():
            batch.append(job)
            size += len(job.content)
            if size >= _BYTES:
                break
        yield batch


def _serve(connection: Connection, at: c_int, extract: Extract) -> None:
    """Answer batches until there are no more. Syntax trees have no circles: looking for them would take long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    _limit_memory()
    gc.disable()
    served = 0
    while True:
        try:
            answers = []
            for at.value, job in enumerate(connection.recv()):
                answers.append(extract(job))
            connection.send(answers)
        except (EOFError, OSError):
            return
        served += 1
        if served % _BATCHES_BETWEEN_COLLECTIONS == 0:
            gc.collect()


def _limit_memory() -> None:
    """Let a file that needs too much memory fail by itself, where the system can do that and does not already."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, hard))
