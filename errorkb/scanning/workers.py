"""Scanning: processes that look into files; one that dies takes nothing with it but the file that it died of."""

import gc
import multiprocessing
import resource
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from errorkb.scanning.extraction import Job, extract

_FILES = 32
_BYTES = 256 * 1024
_SECONDS = 120
_ADDRESS_SPACE = 4 * 1024**3
_BATCHES_BETWEEN_COLLECTIONS = 20
# Never plain forks: the process that scans may have threads and an open database.
_CONTEXT = multiprocessing.get_context("forkserver")
DIED = "reading it ended the process that read it"

Batch = list[Job]
Extract = Callable[[Job], bytes]


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
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
    try:
        while pool.feed():
            yield from pool.answers()
    finally:
        pool.stop()


class _Pool:
    def __init__(self, batches: Iterator[Batch], size: int, extract: Extract, seconds: float) -> None:
        self._batches = batches
        self._extract = extract
        self._seconds = seconds
        self._again: deque[Batch] = deque()
        self._size = size
        self._workers: list[_Worker] = []

    def feed(self) -> bool:
        """Give every idle worker a batch, starting workers as they are needed; False if nothing is left to wait for."""
        while sum(bool(worker.batch) for worker in self._workers) < self._size:
            batch = self._again.popleft() if self._again else next(self._batches, None)
            if batch is None:
                break
            self._send(batch)
        return any(worker.batch for worker in self._workers)

    def answers(self) -> Iterator[tuple[Job, bytes | str]]:
        """Wait for the next batches to get done, or their workers to die of them."""
        busy: dict[object, _Worker] = {worker.connection: worker for worker in self._workers if worker.batch}
        oldest = min(worker.started for worker in busy.values())
        ready = wait(
            [worker.connection for worker in busy.values()], timeout=max(0.0, oldest + self._seconds - time.monotonic())
        )
        for connection in ready:
            yield from self._receive(busy[connection])
        for worker in busy.values():
            if worker.batch and worker.connection not in ready and time.monotonic() - worker.started >= self._seconds:
                yield from self._bury(worker, f"reading it took more than {self._seconds:g} seconds")

    def stop(self) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()

    def _send(self, batch: Batch) -> None:
        worker = next((worker for worker in self._workers if not worker.batch), None) or self._start()
        worker.batch, worker.started = batch, time.monotonic()
        try:
            worker.connection.send(batch)
        except OSError:
            # It died while it was idle; waiting for its answer finds that out.
            pass

    def _start(self) -> _Worker:
        _CONTEXT.set_forkserver_preload([__name__])
        ours, theirs = _CONTEXT.Pipe()
        process = _CONTEXT.Process(target=_serve, args=(theirs, self._extract), daemon=True)
        process.start()
        theirs.close()
        self._workers.append(_Worker(process, ours))
        return self._workers[-1]

    def _receive(self, worker: _Worker) -> Iterator[tuple[Job, bytes | str]]:
        try:
            answers: list[bytes] = worker.connection.recv()
        except (EOFError, OSError):
            yield from self._bury(worker, DIED)
            return
        batch, worker.batch = worker.batch, []
        yield from zip(batch, answers, strict=True)

    def _bury(self, worker: _Worker, reason: str) -> Iterator[tuple[Job, bytes | str]]:
        """Give up a worker and the file that it died of; where that may be one of several, they are tried by halves."""
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.kill()
        worker.process.join()
        half = len(worker.batch) // 2
        if half:
            self._again += [worker.batch[:half], worker.batch[half:]]
        else:
            yield worker.batch[0], reason


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


def _serve(connection: Connection, extract: Extract) -> None:
    """Answer batches until there are no more. Syntax trees have no circles: looking for them would take long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, hard))
    gc.disable()
    served = 0
    while True:
        try:
            connection.send([extract(job) for job in connection.recv()])
        except (EOFError, OSError):
            return
        served += 1
        if served % _BATCHES_BETWEEN_COLLECTIONS == 0:
            gc.collect()
