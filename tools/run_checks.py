"""`make test`, `make lint`, `make format`, `make test-long`: each step runs, whatever becomes of the others."""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

from tools import environment, postgresql
from tools.lanes import go_side_by_side, run_in_lane
from tools.processes import ROOT, SetupError, fail, own_terminal, say, stop_on_signals

RESULTS = ROOT / "bench" / "README.md"
RESULT_LINE = "Last `make test-long`: "


@dataclass(frozen=True)
class Step:
    """One program to run with the environment's Python, and the settings that it needs."""

    name: str
    arguments: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    on_postgresql: bool = False


Lane = tuple[Step, ...]

LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
DEPLOYED = {"SITE_URL": "https://errorkb.example", "DEBUG": "0", "BEHIND_PROXY": "1"}

LINT = (
    Step("ruff check", ("-m", "ruff", "check")),
    Step("ruff format --check", ("-m", "ruff", "format", "--check")),
    Step("mypy", ("-m", "mypy")),
    Step("lint-imports", ("-c", LINT_IMPORTS)),
)
DJANGO = (
    Step("makemigrations --check", ("manage.py", "makemigrations", "--check", "--dry-run")),
    Step("check --deploy", ("manage.py", "check", "--deploy", "--fail-level", "WARNING"), DEPLOYED),
)
PYTEST = "pytest"
# Lines are told as they come (-u), for both runs go on beside each other.
QUICK = ("-u", "-m", "pytest", "-m", "not long", "-n", "2", "--dist", "loadgroup")
# Lanes go on side by side, the steps of a lane one after another.
LANES = {
    "format": (
        (
            Step("ruff check --fix", ("-m", "ruff", "check", "--fix")),
            Step("ruff format", ("-m", "ruff", "format")),
        ),
    ),
    "lint": (LINT,),
    "test": (
        (Step(f"{PYTEST} on SQLite", QUICK),),
        (Step(f"{PYTEST} on PostgreSQL", QUICK, on_postgresql=True),),
        (*LINT, *DJANGO),
    ),
    "long": ((Step(PYTEST, ("-m", "pytest", "-m", "long")),),),
}


def main(which: str) -> int:
    """Run the named steps; return 0 where all went well, 1 where one failed, 2 where they could not run."""
    stop_on_signals()
    with own_terminal():
        try:
            python = environment.ensure("requirements-dev.txt")
            return _run_all(which, python)
        except SetupError as problem:
            return fail(problem)
        except KeyboardInterrupt:
            say("\nStopped.")
            return 130


def _run_all(which: str, python: Path) -> int:
    began = time.monotonic()
    lanes, left_out = _able(LANES[which])
    with tempfile.TemporaryDirectory() as folder:
        run = Run(python, Path(folder), alone=len(lanes) == 1)
        go_side_by_side(map(run.lane, lanes))
        left_out += sum(map(_left_out, Path(folder).glob("*.xml")), Counter())
    failed = not run.passed or bool(left_out and os.environ.get("COMPLETE"))
    say("\n" + "\n".join(run.lines))
    for reason, count in sorted(left_out.items()):
        say(f"left out: {count} × {reason}")
    if which == "test":
        say("The tests that take minutes are run by `make test-long`.")
    if left_out and os.environ.get("COMPLETE"):
        say("COMPLETE is set: what was left out counts as failed.")
    if which == "long":
        _note_result(passed=not failed, seconds=time.monotonic() - began)
    return int(failed)


def _able(lanes: Sequence[Lane]) -> tuple[list[Lane], Counter[str]]:
    """Return the lanes that this machine can run, and why steps are left out."""
    if postgresql.find_programs():
        return list(lanes), Counter()
    able = [tuple(step for step in lane if not step.on_postgresql) for lane in lanes]
    missing = [f"{step.name}: {postgresql.MISSING}" for lane in lanes for step in lane if step.on_postgresql]
    return list(filter(None, able)), Counter(missing)


@dataclass
class Run:
    """Steps that run with a Python, alone or beside others, their reports in a folder; and what became of them."""

    python: Path
    folder: Path
    alone: bool
    lines: list[str] = field(default_factory=list)
    passed: bool = True

    def lane(self, steps: Lane) -> Generator[bool, None, None]:
        """Run steps one after another, whatever becomes of the one before."""
        for step in steps:
            say(f"── {step.name}")
            began = time.monotonic()
            try:
                status = yield from self._run(step)
            except SetupError as problem:
                status = fail(problem)
            line = f"{'FAILED' if status else 'ok    '} {step.name} ({time.monotonic() - began:.0f} s)"
            self.lines.append(line)
            self.passed &= status == 0
            say(f"── {line}")

    def _run(self, step: Step) -> Generator[bool, None, int]:
        report = [f"--junitxml={self.folder / step.name}.xml"] if step.name.startswith(PYTEST) else []
        with _database(step, self.folder) as url:
            env = {**os.environ, **step.settings, "DATABASE_URL": url}
            command: list[str | Path] = [self.python, *step.arguments, *report]
            return (yield from run_in_lane(command, env, "" if self.alone else step.name))


@contextmanager
def _database(step: Step, folder: Path) -> Iterator[str]:
    """Yield the address of a step's database, never the site's own: on a server of its own, or a file."""
    if not step.on_postgresql:
        yield f"sqlite:///{quote(str(folder))}/errorkb.sqlite3"
        return
    with postgresql.server() as url:
        yield url


def _left_out(report: Path) -> Counter[str]:
    """Return why tests were skipped, as pytest's JUnit report has it, with their number."""
    if not report.exists():
        return Counter()
    skipped = ElementTree.parse(report).iter("skipped")
    return Counter(tag.get("message", "") for tag in skipped if tag.get("type") == "pytest.skip")


def _note_result(*, passed: bool, seconds: float) -> None:
    """Put result, date and commit into the line of bench/README.md that is kept for them."""
    git = ["git", "rev-parse", "--short=10", "HEAD"]
    commit = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip() or "no commit"
    words = "passed" if passed else "failed"
    line = f"{RESULT_LINE}{words} in {seconds:.0f} s on {datetime.now(UTC):%Y-%m-%d}, commit {commit}."
    lines = RESULTS.read_text("utf-8").splitlines()
    RESULTS.write_text("\n".join(line if old.startswith(RESULT_LINE) else old for old in lines) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
