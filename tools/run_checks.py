"""`make test`, `make lint`, `make format`, `make test-long`: each step runs, whatever became of the one before."""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from tools import environment
from tools.processes import ROOT, SetupError, fail, own_terminal, run, say, stop_on_signals

RESULTS = ROOT / "bench" / "README.md"
RESULT_LINE = "Last `make test-long`: "


@dataclass(frozen=True)
class Step:
    """One program to run with the environment's Python, and the settings that it needs."""

    name: str
    arguments: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)


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
STEPS = {
    "format": (
        Step("ruff check --fix", ("-m", "ruff", "check", "--fix")),
        Step("ruff format", ("-m", "ruff", "format")),
    ),
    "lint": LINT,
    "test": (*LINT, *DJANGO, Step(PYTEST, ("-m", "pytest", "-m", "not long", "-n", "2"))),
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
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "pytest.xml"
        lines = [_run_step(step, python, report) for step in STEPS[which]]
        left_out = _left_out(report)
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


def _run_step(step: Step, python: Path, report: Path) -> tuple[bool, str]:
    """Run a step; return whether it passed, and the line that says so at the end."""
    say(f"\n── {step.name}")
    began = time.monotonic()
    arguments = [*step.arguments, f"--junitxml={report}"] if step.name == PYTEST else step.arguments
    status = run([python, *arguments], {**os.environ, **step.settings})
    outcome = "ok    " if status == 0 else "FAILED"
    return status == 0, f"{outcome} {step.name} ({time.monotonic() - began:.0f} s)"


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
