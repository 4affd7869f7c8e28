"""Bench: scanning a tree against ast-grep's command line finding bare `raise` nodes in the same files.

    .venv/bin/python -m bench.scan --ast-grep PATH/TO/ast-grep --rounds 5 TREE...

Each tree's own Python files (no tests, no vendored or generated code) are copied into a folder of their own, so that
both read the same. Both work on two processes of the same two processors, turn by turn.
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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from errorkb.scanning.classifying import classify_path
from errorkb.scanning.files import is_hidden
from errorkb.scanning.languages import language_of
from errorkb.scanning.opening import open_tree
from errorkb.scanning.scan import ScanOptions, ScanResult, ScanSummary, scan

PROCESSES = 2
MEGABYTE = 1024 * 1024
SECONDS_BETWEEN_LOOKS = 0.1


@dataclass
class Peak:
    """The most memory that this process and its children have held together, shared pages counted once."""

    megabytes: int = 0

    def while_doing(self, work: Callable[[], ScanResult]) -> ScanResult:
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


@dataclass(frozen=True)
class Round:
    ours: float
    again: float
    theirs: float
    summary: ScanSummary


def family(pid: int) -> list[int]:
    """Return a process and all below it."""
    parents: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
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


def seconds_of(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def find_raises(ast_grep: str, folder: Path) -> int:
    """Return how many `raise` nodes ast-grep finds."""
    command = [ast_grep, "run", "--kind", "raise_statement", "--lang", "python", "--json=stream"]
    command += ["--threads", str(PROCESSES), str(folder)]
    return subprocess.run(command, check=True, capture_output=True).stdout.count(b"\n")


def measure(folder: Path, ast_grep: str, peak: Peak) -> Round:
    """Scan with an empty cache, again with a full one, and let ast-grep look for its nodes."""
    with tempfile.TemporaryDirectory() as cache:
        options = ScanOptions(workers=PROCESSES, cache_folder=Path(cache))
        first = peak.while_doing(lambda: scan(open_tree(str(folder), release="bench"), options))
        again = scan(open_tree(str(folder), release="bench"), options)
    theirs = seconds_of(lambda: find_raises(ast_grep, folder))
    return Round(first.summary.seconds, again.summary.seconds, theirs, first.summary)


def spread(values: list[float], form: str = ".2f") -> str:
    return f"{statistics.median(values):{form}} ({min(values):{form}} to {max(values):{form}})"


def report(name: str, rounds: list[Round], peak: Peak, raises: int) -> None:
    lines = rounds[0].summary.lines
    print(f"{name}: {rounds[0].summary.files} files, {lines:,} lines, load average {os.getloadavg()[0]:.1f}")
    print(f"  sites {dict(rounds[0].summary.kinds)}, texts {dict(rounds[0].summary.texts)}; ast-grep: {raises} raises")
    print(f"  scan, lines a second:      {spread([lines / one.ours for one in rounds], ',.0f')}")
    print(f"  ast-grep, lines a second:  {spread([lines / one.theirs for one in rounds], ',.0f')}")
    print(f"  ratio, scan to ast-grep:   {spread([one.theirs / one.ours for one in rounds])}")
    print(f"  second scan, of the first: {spread([one.again / one.ours for one in rounds], '.3f')}")
    print(f"  most memory, all processes: {peak.megabytes} MB", flush=True)


def bench(tree: Path, ast_grep: str, rounds: int) -> None:
    peak = Peak()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / tree.name
        folder.mkdir()
        copy_own_files(tree, folder)
        raises = find_raises(ast_grep, folder)
        done = [measure(folder, ast_grep, peak) for _ in range(rounds)]
    report(tree.name, done, peak, raises)


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
