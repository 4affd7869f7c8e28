"""Bench: a base of generated entries, written by the product's own functions, but in bulk and with indexes made last.

    DATABASE_URL=sqlite:////tmp/million.sqlite3 .venv/bin/python -m bench.bulk_loader SITES --count 1000000

The base must be migrated and without entries. Columns, tokens, documents, ids, wordings and keys are what
`load_entries` writes of the same documents (`check_integrity` finds no stray; tests/bench compares row by row), with
one difference: of twins, only the first gets the id that would be minted for it beside its own.
"""

import argparse
import multiprocessing
import os
import resource
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.color import no_style
from django.db import connection, transaction

import bench.started  # noqa: F401
from bench.generator import Generator
from bench.indexes import indexes_made_last
from bench.throw_sites import read_material
from errorkb.core.identity import mint_id
from errorkb.core.match_keys import template_keys
from errorkb.ingest.prepared import prepare_entry, site_of
from errorkb.ingest.repositories import ensure_repositories
from errorkb.ingest.states import begin_state, set_columns
from errorkb.models import EntryIdentifier, ErrorEntry, SearchRow, Wording

CHUNK = 2_000
WRITER = "file:generated.ndjson"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
_COLUMNS = [field.attname for field in ErrorEntry._meta.concrete_fields if field.attname not in ("id", "repository_id")]


@dataclass(frozen=True, slots=True)
class Ready:
    """An entry worked out: values of the columns in order, and what hangs on it."""

    key: int
    repository: str
    values: tuple[Any, ...]
    tokens: dict[str, str]
    minted: str
    keys: tuple[str, str]


def make_ready(key: int, document: dict[str, Any]) -> Ready:
    """Work an entry out from its document, as `ingest.entries` does."""
    item = prepare_entry(document, where="", writer=WRITER)
    row = ErrorEntry()
    set_columns(row, item.columns)
    begin_state(row, item.text, item.content_hash, WRITER, NOW)
    row.public_id, row.id_given = document["id"], True
    assert item.tokens
    return Ready(
        key=key,
        repository=document["repository"],
        values=tuple(getattr(row, column) for column in _COLUMNS),
        tokens=item.tokens._asdict(),
        minted=mint_id(document["repository"], site_of(item.columns), 0),
        keys=template_keys(row.template) if row.template else ("", ""),
    )


def write(chunk: Sequence[Ready]) -> None:
    """Write entries with all that hangs on them, in one transaction."""
    with transaction.atomic():
        names = {ready.repository for ready in chunk}
        repositories = {key: row.pk for key, row in ensure_repositories(names, NOW).items()}
        rows = [_row(ready, repositories[ready.repository.lower()]) for ready in chunk]
        ErrorEntry.objects.bulk_create(rows)
        EntryIdentifier.objects.bulk_create(EntryIdentifier(entry=row, value=row.public_id) for row in rows)
        minted = (EntryIdentifier(entry_id=ready.key, value=ready.minted) for ready in chunk)
        EntryIdentifier.objects.bulk_create(minted, ignore_conflicts=True)
        SearchRow.objects.bulk_create(SearchRow(entry_id=ready.key, **ready.tokens) for ready in chunk)
        Wording.objects.bulk_create(_wordings(rows, chunk))


def load(generator: Generator, *, processes: int = 2) -> Iterator[int]:
    """Write all documents of a generator, preparing them in other processes; yield how many are written so far."""
    starts = range(0, generator.count, CHUNK)
    done = 0
    with indexes_made_last(connection, (ErrorEntry, SearchRow, Wording)):
        for chunk in _prepared(generator, starts, processes):
            write(chunk)
            done += len(chunk)
            yield done
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [ErrorEntry]):
            cursor.execute(statement)
        cursor.execute("ANALYZE")


def _row(ready: Ready, repository: int) -> ErrorEntry:
    return ErrorEntry(id=ready.key, repository_id=repository, **dict(zip(_COLUMNS, ready.values, strict=True)))


def _wordings(rows: Iterable[ErrorEntry], chunk: Iterable[Ready]) -> Iterator[Wording]:
    for row, ready in zip(rows, chunk, strict=True):
        if row.template:
            key, check_key = ready.keys
            yield Wording(
                entry=row, position=0, template=row.template, message=row.message, key=key, check_key=check_key
            )


def _prepared(generator: Generator, starts: Iterable[int], processes: int) -> Iterator[list[Ready]]:
    if not processes:
        yield from (_chunk(generator, start) for start in starts)
        return
    connection.close()
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(processes, context, _Worker.begin, (generator,)) as pool:
        waiting: deque[Future[list[Ready]]] = deque()
        for start in starts:
            waiting.append(pool.submit(_Worker.chunk, start))
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        yield from (future.result() for future in waiting)


def _chunk(generator: Generator, start: int) -> list[Ready]:
    numbers = range(start, min(start + CHUNK, generator.count))
    return [make_ready(number + 1, generator.document(number)) for number in numbers]


class _Worker:
    """What a process that prepares documents keeps between chunks."""

    generator: Generator

    @classmethod
    def begin(cls, generator: Generator) -> None:
        cls.generator = generator

    @classmethod
    def chunk(cls, start: int) -> list[Ready]:
        return _chunk(cls.generator, start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", type=Path, metavar="SITES", help="a folder of what scan_source wrote as NDJSON")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if ErrorEntry.objects.exists():
        parser.error("the base has entries already; give an empty one by DATABASE_URL")
    generator = Generator(read_material(options.sites), options.count, options.seed)
    began, used = time.perf_counter(), time.process_time()
    for done in load(generator, processes=options.processes):
        if done % 50_000 == 0:
            print(
                f"{done:,} written, {done / (time.perf_counter() - began):,.0f} a second", file=sys.stderr, flush=True
            )
    seconds = time.perf_counter() - began
    print(f"{options.count:,} entries in {seconds:,.0f} s, {options.count / seconds:,.0f} a second, indexes included")
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor time: {time.process_time() - used:,.0f} s here, {children.ru_utime:,.0f} s preparing")
    print(f"most memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    print(f"load average {os.getloadavg()[0]:.1f}, {connection.vendor}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
