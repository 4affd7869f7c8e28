"""Bench: `load_entries` with all indexes kept, against `sqlite-utils insert` and `enable-fts` over the same text.

    pip install --target PEERS sqlite-utils==4.2.1
    .venv/bin/python -m bench.load SITES --count 20000 --rounds 3 --sqlite-utils PEERS

The documents are those of bench.generator. sqlite-utils is given two things to load: these documents, with an index of
the columns that their texts stand in; and of each the distinct tokens that our index has, which somebody has worked out
before. All are run turn by turn, as commands, from their start to their end. With DATABASE_URL set to an empty
PostgreSQL base, ours goes there; else each round makes a SQLite base of its own. Seconds are also counted by processor,
user and system of all processes together (PostgreSQL's server left out): what else the machine does disturbs them less.
Memory is that of all processes at one moment, shared pages counted once (PSS).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import truediv
from pathlib import Path
from typing import NamedTuple

from bench.generator import Generator
from bench.scan import MEGABYTE, Seconds, family, held, read_fields, spread
from bench.throw_sites import read_material
from errorkb.search.row_tokens import tokens_for_entry

ROOT = Path(__file__).resolve().parents[1]
SECONDS_BETWEEN_LOOKS = 0.25
# What sqlite-utils makes an index of: where documents have texts, and the tokens of our index.
_TEXTS = ("repository", "message", "exception_type", "source", "conditions", "meaning", "trigger", "solutions")
_TOKENS = ("title", "names", "parts", "prose")


@dataclass
class Watch:
    """What a program and all processes below it use, looked at again and again: processor time, and most memory."""

    megabytes: int = 0
    _ticks: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def run(self, command: list[str], environment: dict[str, str] | None = None) -> Seconds:
        """Run a program to its end; return how long it took."""
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        watcher = threading.Thread(target=self._look, args=(process,))
        watcher.start()
        if process.wait():
            raise SystemExit(f"{' '.join(command[:4])} failed")
        watcher.join()
        used = sum(self._ticks.values()) / os.sysconf("SC_CLK_TCK")
        self._ticks.clear()
        return Seconds(time.perf_counter() - started, used)

    def _look(self, process: "subprocess.Popen[bytes]") -> None:
        while process.poll() is None:
            pids = family(process.pid)
            for pid in pids:
                if fields := read_fields(f"/proc/{pid}/stat"):
                    self._ticks[pid] = int(fields[11]) + int(fields[12])
            self.megabytes = max(self.megabytes, sum(map(held, pids)) // MEGABYTE)
            time.sleep(SECONDS_BETWEEN_LOOKS)


class Round(NamedTuple):
    ours: Seconds
    again: Seconds
    documents: Seconds
    tokens: Seconds


def write_inputs(generator: Generator, documents: Path, rows: Path) -> None:
    """Write the documents, and of each the columns that our index has."""
    with documents.open("w", encoding="utf-8") as one, rows.open("w", encoding="utf-8") as other:
        for number, document in enumerate(generator, start=1):
            one.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n")
            row = {"id": number, **tokens_for_entry(document)._asdict()}
            other.write(json.dumps(row, ensure_ascii=False) + "\n")


def load_ours(documents: Path, folder: Path, watch: Watch) -> tuple[Seconds, Seconds]:
    """Load the documents into an empty base, and again; return how long each took."""
    base = os.environ.get("DATABASE_URL") or f"sqlite:///{folder}/ours.sqlite3"
    environment = os.environ | {"DATABASE_URL": base, "VAR_DIR": str(folder)}
    manage = [sys.executable, "manage.py"]
    watch.run([*manage, "migrate", "-v0"], environment)
    watch.run([*manage, "flush", "--no-input", "-v0"], environment)
    load = [*manage, "load_entries", str(documents)]
    return watch.run(load, environment), watch.run(load, environment)


def load_theirs(peers: Path, rows: Path, columns: Sequence[str], folder: Path, watch: Watch) -> Seconds:
    """Insert the rows with sqlite-utils and index these columns of them; return how long both took."""
    environment = os.environ | {"PYTHONPATH": str(peers)}
    program, base = [sys.executable, "-m", "sqlite_utils"], str(folder / f"{rows.stem}.sqlite3")
    inserted = watch.run([*program, "insert", base, "rows", str(rows), "--nl", "--pk", "id", "--alter"], environment)
    indexed = watch.run([*program, "enable-fts", base, "rows", *columns, "--create-triggers"], environment)
    return Seconds(*map(sum, zip(inserted, indexed, strict=True)))


def measure(documents: Path, rows: Path, peers: Path, ours: Watch, theirs: Watch) -> Round:
    with tempfile.TemporaryDirectory() as place:
        whole = load_theirs(peers, documents, _TEXTS, Path(place), theirs)
        tokens = load_theirs(peers, rows, _TOKENS, Path(place), theirs)
        return Round(*load_ours(documents, Path(place), ours), whole, tokens)


def report(count: int, rounds: list[Round]) -> None:
    for clock, one in enumerate(Seconds._fields):
        ours, again, *theirs = ([each[part][clock] for each in rounds] for part in range(len(Round._fields)))
        print(f"  by {one}:")
        print(f"    load_entries, rows a second: {spread((count / seconds for seconds in ours), ',.0f')}")
        print(f"    the same again:              {spread((count / seconds for seconds in again), ',.0f')}")
        for name, seconds in zip(Round._fields[2:], theirs, strict=True):
            print(f"    sqlite-utils, {name + ':':<15}{spread((count / each for each in seconds), ',.0f')}")
            print(f"    ratio, ours to theirs:       {spread(map(truediv, seconds, ours))}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", type=Path, metavar="SITES", help="a folder of what scan_source wrote as NDJSON")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sqlite-utils", type=Path, required=True, metavar="PEERS", help="where pip --target put it")
    options = parser.parse_args()
    ours, theirs = Watch(), Watch()
    with tempfile.TemporaryDirectory() as place:
        documents, rows = Path(place) / "documents.ndjson", Path(place) / "rows.ndjson"
        write_inputs(Generator(read_material(options.sites), options.count, options.seed), documents, rows)
        rounds = [measure(documents, rows, options.sqlite_utils, ours, theirs) for _ in range(options.rounds)]
    print(f"{options.count:,} entries, {options.rounds} rounds, load average {os.getloadavg()[0]:.1f}")
    report(options.count, rounds)
    print(f"  most memory, all processes: {ours.megabytes} MB; sqlite-utils: {theirs.megabytes} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
