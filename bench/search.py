"""Bench: search on a base of DATABASE_URL: 400 known-item queries of eight kinds, against plain full text and tantivy.

    DATABASE_URL=sqlite:////tmp/million.sqlite3 .venv/bin/python -m bench.search --peers /tmp/peers-data
    .venv/bin/python -m bench.search --compare sqlite.json postgresql.json

The peers' indexes are made in the folder of `--peers` from the same tokens, once. `--half` says which of the queries
are asked: those that ranking was tuned on, or the others.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connection

import bench.started  # noqa: F401
from bench.search_peers import MOST, Peer, PlainFts5, PlainPostgreSQL, Tantivy
from bench.search_queries import KINDS, SEED, KnownItem, draw, halves
from errorkb.core.queries import parse_query
from errorkb.models import SearchRow
from errorkb.search.searching import search
from errorkb.search.terms import terms_of

# Each query is asked so many times; the quickest counts, for other programs disturb the others.
ROUNDS = 3


@dataclass
class Figures:
    """What one of those compared did: milliseconds of the processor and by the clock, the reciprocal rank, by query."""

    name: str
    processor: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)
    found: list[tuple[str, float]] = field(default_factory=list)
    answers: list[list[int]] = field(default_factory=list)

    def rank(self, kind: str | None = None) -> float:
        return statistics.mean(rank for of, rank in self.found if kind in (None, of))


def ours(text: str) -> list[int]:
    """Return the keys of the first ten results; all is made that a page shows of them."""
    results = search(parse_query(text), per_page=MOST)
    return list(results.keys[: len(results.results)])


def asked_of(peer: Peer) -> Callable[[str], list[int]]:
    return lambda text: peer.first_ten(terms_of(parse_query(text)).required)


def figures_of(name: str, ask: Callable[[str], list[int]], items: Sequence[KnownItem], rounds: int) -> Figures:
    """Ask every query once to warm up and to see what is found, then in rounds."""
    figures = Figures(name)
    figures.answers = [ask(item.text) for item in items]
    subjects = _subjects(figures.answers)
    for item, keys in zip(items, figures.answers, strict=True):
        places = (place for place, key in enumerate(keys, 1) if item.is_found(*subjects[key]))
        figures.found.append((item.kind, 1 / next(places, float("inf"))))
    times = [[_milliseconds(ask, item.text) for item in items] for _ in range(rounds)]
    figures.processor = [min(one for one, _ in of_one) for of_one in zip(*times, strict=True)]
    figures.clock = [min(one for _, one in of_one) for of_one in zip(*times, strict=True)]
    return figures


def _milliseconds(ask: Callable[[str], list[int]], text: str) -> tuple[float, float]:
    """Return how long a query takes: of the processor (this process and the database's), and by the clock."""
    began, used = time.perf_counter(), _processor()
    ask(text)
    return (_processor() - used) * 1_000, (time.perf_counter() - began) * 1_000


def _processor() -> float:
    """Return the seconds that this process and the database server's have used the processor.

    Linux alone tells the latter: https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat.
    """
    if connection.vendor != "postgresql":
        return time.process_time()
    pid = connection.connection.info.backend_pid
    return time.process_time() + int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def _subjects(answers: Sequence[Sequence[int]]) -> dict[int, tuple[int, str]]:
    keys = {key for keys in answers for key in keys}
    rows = SearchRow.objects.filter(pk__in=keys).values_list("pk", "entry", "entry__template")
    return {key: (entry or 0, template or "") for key, entry, template in rows}


def show(all_figures: Sequence[Figures], items: Sequence[KnownItem]) -> None:
    """Print a table of times (of the processor, by the clock) and ranks, and times by kind."""
    kinds = [kind for kind in KINDS if any(item.kind == kind for item in items)]
    print("| | p50 | p95 | most | MRR@10 | " + " | ".join(kinds) + " |")
    print("| --- " * (len(kinds) + 5) + "|")
    for figures in all_figures:
        times = " | ".join(
            f"{_quantile(figures.processor, share):.1f} ({_quantile(figures.clock, share):.1f})"
            for share in (0.5, 0.95, 1)
        )
        ranks = " | ".join(f"{figures.rank(kind):.3f}" for kind in kinds)
        print(f"| {figures.name} | {times} | {figures.rank():.3f} | {ranks} |")
    ours, *peers = all_figures
    for kind in kinds:
        times = [ms for item, ms in zip(items, ours.processor, strict=True) if item.kind == kind]
        print(f"{kind}: p50 {_quantile(times, 0.5):.1f}, p95 {_quantile(times, 0.95):.1f}")
    for peer in peers:
        ratio = _quantile(peer.processor, 0.5) / _quantile(ours.processor, 0.5)
        print(f"p50 of {peer.name} is {ratio:.2f} times ours")


def show_failures(figures: Figures, items: Sequence[KnownItem]) -> None:
    for item, (_, rank), ms in zip(items, figures.found, figures.processor, strict=True):
        if rank < 1:
            print(json.dumps([item.kind, round(rank, 2), round(ms, 1), item.text, item.template], ensure_ascii=False))


def compare(one: Path, other: Path) -> int:
    """Say for how many queries two files of answers are the same."""
    answers = [json.loads(path.read_text("utf-8")) for path in (one, other)]
    different = [text for text in answers[0] if answers[0][text] != answers[1].get(text)]
    print(f"the same first ten for {len(answers[0]) - len(different)} of {len(answers[0])} queries")
    for text in different:
        print(f"  {text}: {answers[0][text]} {answers[1].get(text)}")
    return bool(different)


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def _peers(folder: Path, *, with_plain: bool) -> list[Peer]:
    if not with_plain:
        return [Tantivy(folder)]
    return [PlainFts5(folder) if connection.vendor == "sqlite" else PlainPostgreSQL(), Tantivy(folder)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("tuning", "untouched", "both"), default="untouched")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--of-each-kind", type=int, default=50)
    parser.add_argument("--kind", choices=[*KINDS], help="this kind alone")
    parser.add_argument("--peers", type=Path, metavar="FOLDER", help="compare with the peers, whose indexes go here")
    parser.add_argument("--no-plain", action="store_true", help="leave the plain ranking out: it takes minutes")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="write what was found, to compare databases")
    parser.add_argument("--failures", action="store_true", help="print what was not found first")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="FILE")
    options = parser.parse_args()
    if options.compare:
        return compare(*options.compare)
    tuning, untouched = halves(draw(options.of_each_kind, options.seed))
    half = {"tuning": tuning, "untouched": untouched, "both": tuning + untouched}[options.half]
    items = [item for item in half if options.kind in (None, item.kind)]
    rows = SearchRow.objects.count()
    print(f"{rows:,} rows on {connection.vendor}, {len(items)} queries, load average {os.getloadavg()[0]:.1f}")
    all_figures = [figures_of("errorkb", ours, items, ROUNDS)]
    if options.answers:
        answers = dict(zip([item.text for item in items], all_figures[0].answers, strict=True))
        options.answers.write_text(json.dumps(answers, ensure_ascii=False), "utf-8")
    if options.failures:
        show_failures(all_figures[0], items)
    for peer in _peers(options.peers, with_plain=not options.no_plain) if options.peers else ():
        all_figures.append(figures_of(peer.name, asked_of(peer), items, ROUNDS))
    if not options.kind:
        show(all_figures, items)
    print(f"load average {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
