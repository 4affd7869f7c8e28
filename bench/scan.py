"""Bench: scanning a tree against ast-grep's command line finding bare `raise` nodes in the same files.

    .venv/bin/python -m bench.scan --ast-grep PATH/TO/ast-grep --rounds 5 TREE...

Each tree's own Python files (no tests, no vendored or generated code) are copied into a folder of their own, so that
both read the same. Both work on two processes of the same two processors, turn by turn. Seconds are also counted by
processor, user and system of all processes together: what else the machine does disturbs them less.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import truediv
from pathlib import Path
from typing import NamedTuple, TypeVar

from errorkb.scanning.classifying import classify_path
from errorkb.scanning.files import is_hidden
from errorkb.scanning.languages import language_of
from errorkb.scanning.opening import open_tree
from errorkb.scanning.scan import ScanOptions, ScanSummary, scan

PROCESSES = 2
MEGABYTE = 1024 * 1024
SECONDS_BETWEEN_LOOKS = 0.1

T = TypeVar("T")


@dataclass
class Peak:
    """The most memory that this process and its children have held together, shared pages counted once."""

    megabytes: int = 0

    def while_doing(self, work: Callable[[], T]) -> T:
        """Do some work, and look at the memory all the while."""
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(done,))
        watcher.start()
        try:
            return work()
        finally:
            done.set()
            watcher.join()

    def _watch(self, done: threading.Event) -> None:
        while not done.wait(SECONDS_BETWEEN_LOOKS):
            self.megabytes = max(self.megabytes, sum(map(held, family(os.getpid()))) // MEGABYTE)


class Seconds(NamedTuple):
    """How long something took, by the clock and by what all processes used of the processors."""

    wall: float
    processor: float


class Round(NamedTuple):
    ours: Seconds
    again: Seconds
    theirs: Seconds


def family(pid: int) -> list[int]:
    """Return a process and all below it."""
    parents: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        fields = read_fields(place)
        if fields:
            parents.setdefault(int(fields[1]), []).append(int(place.parent.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def held(pid: int) -> int:
    """Return a process's part of memory in bytes, by https://docs.kernel.org/filesystems/proc.html (PSS)."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def copy_own_files(tree: Path, folder: Path) -> None:
    """Copy what a scan reads of a tree by its path."""
    for place in tree.rglob("*"):
        path = place.relative_to(tree).as_posix()
        if is_hidden(path) or place.is_symlink() or not place.is_file() or language_of(path) is None:
            continue
        if classify_path(path) == "own":
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place, folder / path)


def seconds_of(work: Callable[[], object]) -> Seconds:
    """Return how long work takes. Processes that it starts are children that stay, or that somebody has waited for."""
    started, used = time.perf_counter(), processor_seconds()
    work()
    return Seconds(time.perf_counter() - started, processor_seconds() - used)


def processor_seconds() -> float:
    """Return what this process, those below it and those that have ended below them have used (proc_pid_stat(5))."""
    fields = [read_fields(f"/proc/{pid}/stat") for pid in family(os.getpid())]
    return sum(int(ticks) for each in fields for ticks in each[11:15]) / os.sysconf("SC_CLK_TCK")


def read_fields(place: Path | str) -> list[str]:
    """Return what stands behind a process's name in its `stat`, from its state on; nothing if it has ended."""
    try:
        return Path(place).read_text().rpartition(")")[2].split()
    except OSError:
        return []


def find_raises(ast_grep: str, folder: Path) -> int:
    """Return how many `raise` nodes ast-grep finds."""
    command = [ast_grep, "run", "--kind", "raise_statement", "--lang", "python", "--json=stream"]
    command += ["--threads", str(PROCESSES), str(folder)]
    return subprocess.run(command, check=True, capture_output=True).stdout.count(b"\n")


def scan_with(folder: Path, cache: str) -> ScanSummary:
    """Scan a folder, with a cache in another."""
    options = ScanOptions(workers=PROCESSES, cache_folder=Path(cache))
    return scan(open_tree(str(folder), release="bench"), options).summary


def measure(folder: Path, ast_grep: str) -> Round:
    """Scan with an empty cache, again with a full one, and let ast-grep look for its nodes."""
    with tempfile.TemporaryDirectory() as cache:
        first = seconds_of(lambda: scan_with(folder, cache))
        again = seconds_of(lambda: scan_with(folder, cache))
    return Round(first, again, seconds_of(lambda: find_raises(ast_grep, folder)))


def peak_of(folder: Path) -> tuple[ScanSummary, int]:
    """Scan once more than is measured, looking at memory in megabytes, which takes time itself."""
    peak = Peak()
    with tempfile.TemporaryDirectory() as cache:
        return peak.while_doing(lambda: scan_with(folder, cache)), peak.megabytes


def spread(values: Iterable[float], form: str = ".2f") -> str:
    several = sorted(values)
    return f"{statistics.median(several):{form}} ({several[0]:{form}} to {several[-1]:{form}})"


def report(name: str, rounds: list[Round], summary: ScanSummary, raises: int) -> None:
    lines = summary.lines
    print(f"{name}: {summary.files} files, {lines:,} lines, load average {os.getloadavg()[0]:.1f}")
    print(f"  sites {dict(summary.kinds)}, texts {dict(summary.texts)}; ast-grep: {raises} raises")
    for clock, one in enumerate(Seconds._fields):
        ours, again, theirs = ([each[part][clock] for each in rounds] for part in range(3))
        print(f"  by {one}:")
        print(f"    scan, lines a second:      {spread((lines / seconds for seconds in ours), ',.0f')}")
        print(f"    ast-grep, lines a second:  {spread((lines / seconds for seconds in theirs), ',.0f')}")
        print(f"    ratio, scan to ast-grep:   {spread(map(truediv, theirs, ours))}")
        print(f"    second scan, of the first: {spread(map(truediv, again, ours), '.3f')}")


def bench(tree: Path, ast_grep: str, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / tree.name
        folder.mkdir()
        copy_own_files(tree, folder)
        raises = find_raises(ast_grep, folder)
        summary, megabytes = peak_of(folder)
        report(tree.name, [measure(folder, ast_grep) for _ in range(rounds)], summary, raises)
    print(f"  most memory, all processes: {megabytes} MB", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE", help="a folder with Python source")
    parser.add_argument("--ast-grep", default=shutil.which("ast-grep"), help="its program (pip install ast-grep-cli)")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if not options.ast_grep:
        parser.error("ast-grep is not here: pip install ast-grep-cli into an environment of its own, give --ast-grep")
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:PROCESSES]))
    for tree in options.trees:
        bench(tree, options.ast_grep, options.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
