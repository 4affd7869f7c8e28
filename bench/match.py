"""Bench: match on a base of DATABASE_URL: tracebacks, a long log against ahocorasick_rs, memory.

    DATABASE_URL=sqlite:////tmp/million.sqlite3 .venv/bin/python -m bench.match --against-ahocorasick

For growth, and for PostgreSQL against SQLite, run it on several bases of bench.bulk_loader and compare; `--answers`
writes what was answered, a line for each text, for `diff` to tell whether two bases say the same.
"""

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from django.db import connection
from django.test import Client

import bench.started  # noqa: F401
from bench.pastes import long_traceback, mixed_log, sample_wordings
from errorkb.core.template_literals import literal_texts
from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions, MatchResult
from errorkb.models import Wording

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True)
class Texts:
    """What is pasted: tracebacks, each with the template that it tells of, and one log."""

    tracebacks: tuple[tuple[str, str], ...]
    log: str


@dataclass(frozen=True)
class Times:
    """Milliseconds of several runs, by the clock and of the processor; a PostgreSQL on this machine counts as well."""

    clock: list[float]
    processor: list[float]

    def quickest(self, works: int) -> "Times":
        """Return the best of several rounds of so many works, each by itself: what other programs disturb least."""
        clock, processor = ([min(of[n::works]) for n in range(works)] for of in (self.clock, self.processor))
        return Times(clock, processor)

    def told(self, share: float) -> str:
        return f"{_quantile(self.clock, share):.1f} ms ({_quantile(self.processor, share):.1f} ms of processor)"


def make_texts(seed: int, tracebacks: int, lines: int) -> Texts:
    random = Random(seed)
    wordings = sample_wordings(random, max(2 * tracebacks, 400))
    chosen = wordings[:tracebacks]
    made = tuple((long_traceback(one, wordings, random), one.template) for one in chosen)
    return Texts(made, mixed_log(wordings, random, lines))


def times_of(works: Sequence[Callable[[], object]]) -> Times:
    clock, processor = [], []
    server = _server()
    for work in works:
        began, used = time.perf_counter(), _used(server)
        work()
        clock.append((time.perf_counter() - began) * 1000)
        processor.append((_used(server) - used) * 1000)
    return Times(clock, processor)


def bench_tracebacks(texts: Texts, rounds: int) -> None:
    """Match all tracebacks once to warm up, then in rounds."""
    results = [match(text, MatchOptions()) for text, _ in texts.tracebacks]
    # As workers of gunicorn.conf.py do.
    gc.collect()
    gc.freeze()
    found = sum(_is_first(result, template) for result, (_, template) in zip(results, texts.tracebacks, strict=True))
    works = [lambda text=text: match(text, MatchOptions()) for text, _ in texts.tracebacks]
    times = times_of(works * rounds)
    print(f"60-line traceback, {len(works)} different: p50 {times.told(0.5)}, p95 {times.told(0.95)}")
    quickest = times.quickest(len(works))
    print(f"  the quickest of {rounds} rounds of each: p50 {quickest.told(0.5)}, p95 {quickest.told(0.95)}")
    print(f"  the planted template first: {found} of {len(works)}", flush=True)


def bench_log(texts: Texts, rounds: int, patterns: Sequence[str]) -> None:
    """Match the log in rounds, turn by turn with the automaton where there are patterns."""
    automaton = _automaton(patterns) if patterns else None
    ours, theirs = [], []
    match(texts.log, MatchOptions())
    for _ in range(rounds):
        ours.append(times_of([lambda: match(texts.log, MatchOptions())]))
        if automaton is not None:
            theirs.append(times_of([lambda: automaton.find_matches_as_indexes(texts.log)]))
    lines = texts.log.count("\n") + 1
    print(f"log of {lines:,} lines: {_spread([times.processor[0] for times in ours], '.0f')} ms of processor")
    if theirs:
        ratios = [one.processor[0] / other.processor[0] for one, other in zip(ours, theirs, strict=True)]
        print(f"  ahocorasick_rs: {_spread([times.processor[0] for times in theirs], '.0f')} ms of processor")
        print(f"  ratio: {_spread(ratios, '.1f')}", flush=True)


def write_answers(texts: Texts, path: Path) -> None:
    """Write a line for each text: what came of it, and which entries were told, the sure ones first."""
    with path.open("w", encoding="utf-8") as file:
        for text in (*(text for text, _ in texts.tracebacks), texts.log):
            result = match(text, MatchOptions())
            told = sorted((not one.confident, -one.score, one.entry.public_id) for one in result.matches)
            print(json.dumps([result.outcome, *told]), file=file)


def bench_memory(texts: Texts) -> None:
    """Let a fresh worker process match everything, and say what it needs above an idle one."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump([text for text, _ in texts.tracebacks] + [texts.log], file)
        file.flush()
        subprocess.run([sys.executable, "-m", "bench.match", "--memory-for", file.name], check=True)


def measure_memory(path: Path) -> None:
    """Serve one page, as an idle worker has, then match the texts of a file."""
    for address in ("/healthz", "/api/repositories"):
        Client(headers={"host": "localhost"}).get(address)
    idle = _resident("VmRSS")
    for text in json.loads(path.read_text("utf-8")):
        match(text, MatchOptions())
    after, most = _resident("VmRSS"), _resident("VmHWM")
    print(
        f"memory: idle worker {idle:.0f} MiB, after all texts {after - idle:+.0f} MiB, at most {most - idle:+.0f} MiB"
    )


def longest_literals() -> list[str]:
    """Return the longest literal of each template of the base, each once."""
    found = {}
    for template in Wording.objects.values_list("template", flat=True).iterator(chunk_size=5_000):
        texts = literal_texts(template)
        if texts:
            found[max(texts, key=len).strip()] = None
    return list(found)


def _automaton(patterns: Sequence[str]):
    import ahocorasick_rs  # noqa: PLC0415  the peer is installed for this comparison only

    before, began = _resident("VmRSS"), time.process_time()
    automaton = ahocorasick_rs.AhoCorasick(patterns)
    seconds, grown = time.process_time() - began, _resident("VmRSS") - before
    print(f"ahocorasick_rs of {len(patterns):,} literals: built in {seconds:.0f} s of processor, {grown:,.0f} MiB")
    return automaton


def _is_first(result: MatchResult, template: str) -> bool:
    return bool(result.matches) and result.matches[0].template == template


def _server() -> Path | None:
    """Return where this machine tells of the processor time of the database's process, if it has one of its own."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        path = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    return path if path.is_file() else None


def _used(server: Path | None) -> float:
    """Return seconds of the processor: https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat."""
    served = int(server.read_text().split()[0]) / 1e9 if server else 0.0
    return time.process_time() + served


def _resident(field: str) -> float:
    """Return a figure of this process's memory in MiB: https://docs.kernel.org/filesystems/proc.html."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:"))


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def _spread(values: Sequence[float], form: str) -> str:
    return f"{statistics.median(values):{form}} ({min(values):{form}} to {max(values):{form}})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tracebacks", type=int, default=200)
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against-ahocorasick", action="store_true", help="needs bench/requirements.txt")
    parser.add_argument("--answers", type=Path, help="a file to write what was answered into")
    parser.add_argument("--memory-for", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory_for:
        measure_memory(options.memory_for)
        return 0
    print(f"{Wording.objects.count():,} templates on {connection.vendor}, load average {os.getloadavg()[0]:.1f}")
    texts = make_texts(options.seed, options.tracebacks, options.lines)
    if options.answers:
        write_answers(texts, options.answers)
    bench_tracebacks(texts, options.rounds)
    bench_memory(texts)
    bench_log(texts, options.rounds, longest_literals() if options.against_ahocorasick else ())
    return 0


if __name__ == "__main__":
    sys.exit(main())
