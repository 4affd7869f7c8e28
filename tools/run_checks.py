"""`make test`, `make lint`, `make format`, `make test-long`: each step runs, whatever became of the one before."""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from tools import environment, postgresql
from tools.processes import ROOT, SetupError, fail, own_terminal, run, say, stop_on_signals

RESULTS = ROOT / "bench" / "README.md"
RESULT_LINE = "Last `make test-long`: "


@dataclass(frozen=True)
class Step:
    """One program to run with the environment's Python, and the settings that it needs."""

    name: str
    arguments: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    on_postgresql: bool = False


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
QUICK = ("-m", "pytest", "-m", "not long", "-n", "2", "--dist", "loadgroup")
STEPS = {
    "format": (
        Step("ruff check --fix", ("-m", "ruff", "check", "--fix")),
        Step("ruff format", ("-m", "ruff", "format")),
    ),
    "lint": LINT,
    "test": (*LINT, *DJANGO, Step(PYTEST, QUICK), Step(f"{PYTEST} on PostgreSQL", QUICK, on_postgresql=True)),
    "long": (Step(PYTEST, ("-m", "pytest", "-m", "long")),),
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
    steps, left_out = _able(STEPS[which])
    with tempfile.TemporaryDirectory() as folder:
        reports = [Path(folder) / f"{n}.xml" for n in range(len(steps))]
        lines = [_run_step(step, python, report) for step, report in zip(steps, reports, strict=True)]
        left_out += sum(map(_left_out, reports), Counter())
    failed = any(not passed for passed, _ in lines) or bool(left_out and os.environ.get("COMPLETE"))
    say("\n" + "\n".join(line for _, line in lines))
    for reason, count in sorted(left_out.items()):
        say(f"left out: {count} × {reason}")
    if which == "test":
        say("The tests that take minutes are run by `make test-long`.")
    if left_out and os.environ.get("COMPLETE"):
        say("COMPLETE is set: what was left out counts as failed.")
    if which == "long":
        _note_result(passed=not failed, seconds=time.monotonic() - began)
    return int(failed)


def _able(steps: Sequence[Step]) -> tuple[list[Step], Counter[str]]:
    """Return the steps that this machine can run, and why the others are left out."""
    if postgresql.find_programs():
        return list(steps), Counter()
    able = [step for step in steps if not step.on_postgresql]
    return able, Counter(f"{step.name}: {postgresql.MISSING}" for step in steps if step.on_postgresql)


def _run_step(step: Step, python: Path, report: Path) -> tuple[bool, str]:
    """Run a step; return whether it passed, and the line that says so at the end."""
    say(f"\n── {step.name}")
    began = time.monotonic()
    reporting = [f"--junitxml={report}"] if step.name.startswith(PYTEST) else []
    try:
        with _database(step) as database:
            status = run([python, *step.arguments, *reporting], {**os.environ, **step.settings, **database})
    except SetupError as problem:
        status = fail(problem)
    outcome = "ok    " if status == 0 else "FAILED"
    return status == 0, f"{outcome} {step.name} ({time.monotonic() - began:.0f} s)"


@contextmanager
def _database(step: Step) -> Iterator[dict[str, str]]:
    """Yield the setting of a step's database: a server of its own, or the usual one."""
    if not step.on_postgresql:
        yield {}
        return
    with postgresql.server() as url:
        yield {"DATABASE_URL": url}


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
