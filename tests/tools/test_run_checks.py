"""`make test` runs every step, and says what failed and what was left out."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools import postgresql, run_checks
from tools.processes import SetupError
from tools.run_checks import PYTEST, Lane, Step

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite tests="4">
  <testcase name="a"><skipped type="pytest.skip" message="no Chromium here">conftest.py:1</skipped></testcase>
  <testcase name="b"><skipped type="pytest.skip" message="no Chromium here">conftest.py:1</skipped></testcase>
  <testcase name="c"><skipped type="pytest.xfail" message="known">known</skipped></testcase>
  <testcase name="d"/>
</testsuite></testsuites>
"""
WRITES_REPORT = "import sys; open(sys.argv[1].partition('=')[2], 'w').write(" + repr(REPORT) + ")"
FAILS = Step("fails", ("-c", "raise SystemExit(3)"))
PASSES = Step("passes", ("-c", "pass"))
SKIPS = Step(PYTEST, ("-c", WRITES_REPORT))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Return a function that runs lanes of steps as `make test` and returns exit status and words."""

    def _run(*lanes: Lane, complete: str = "") -> tuple[int, str]:
        monkeypatch.setitem(run_checks.LANES, "test", lanes)
        monkeypatch.setenv("COMPLETE", complete)
        status = run_checks._run_all("test", Path(sys.executable))
        return status, capsys.readouterr().out

    return _run


def test_all_steps_run_even_after_a_failure(run) -> None:
    status, words = run((FAILS, PASSES))
    assert status == 1
    assert "FAILED fails" in words
    assert "ok     passes" in words


def test_passes_when_every_step_does(run) -> None:
    status, words = run((PASSES,))
    assert status == 0
    assert "left out" not in words


def test_names_what_was_left_out_without_failing(run) -> None:
    status, words = run((SKIPS,))
    assert status == 0
    assert "left out: 2 × no Chromium here" in words
    assert "known" not in words


def test_what_was_left_out_fails_a_complete_run(run) -> None:
    status, words = run((SKIPS,), complete="1")
    assert status == 1
    assert "what was left out counts as failed" in words


def test_a_step_on_postgresql_has_a_server_of_its_own(run, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def server() -> Iterator[str]:
        yield "postgres://here/base"

    monkeypatch.setattr(postgresql, "server", server)
    monkeypatch.setattr(postgresql, "find_programs", lambda: Path("/here"))
    asks = ("-c", "import os; raise SystemExit(os.environ.get('DATABASE_URL') != 'postgres://here/base')")
    status, words = run((Step("usual", asks),), (Step("other", asks, on_postgresql=True),))
    assert status == 1
    assert "FAILED usual" in words
    assert "ok     other" in words


def test_without_postgresql_each_database_is_a_file_that_is_not_the_sites(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://the/site")
    asks = "import os; raise SystemExit(not os.environ['DATABASE_URL'].startswith('sqlite:///'))"
    assert run((Step("usual", ("-c", asks)),))[0] == 0


def test_lines_of_lanes_that_go_on_together_have_names(run) -> None:
    _, words = run((Step("one", ("-c", "print('first')")),), (Step("other", ("-c", "print('second')")),))
    assert "\none │ first\n" in words
    assert "\nother │ second\n" in words


def test_a_server_that_does_not_start_fails_its_step_alone(run, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def server() -> Iterator[str]:
        raise SetupError("no room")
        yield

    monkeypatch.setattr(postgresql, "server", server)
    monkeypatch.setattr(postgresql, "find_programs", lambda: Path("/here"))
    status, words = run((Step("other", PASSES.arguments, on_postgresql=True), PASSES))
    assert status == 1
    assert "FAILED other" in words
    assert "ok     passes" in words


@pytest.mark.parametrize(("complete", "expected"), [("", 0), ("1", 1)])
def test_without_postgresql_its_step_is_left_out_and_named(
    run, monkeypatch: pytest.MonkeyPatch, complete: str, expected: int
) -> None:
    monkeypatch.setattr(postgresql, "find_programs", lambda: None)
    status, words = run((PASSES,), (Step("tests there", FAILS.arguments, on_postgresql=True),), complete=complete)
    assert status == expected
    assert "left out: 1 × tests there: PostgreSQL 15 or later is missing (apt-get install postgresql)" in words


def test_result_of_the_long_tests_is_written_into_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = tmp_path / "README.md"
    results.write_text("# Bench\n\nLast `make test-long`: not run yet.\n\nMore.\n", "utf-8")
    monkeypatch.setattr(run_checks, "RESULTS", results)
    run_checks._note_result(passed=True, seconds=61.4)
    lines = results.read_text("utf-8").splitlines()
    assert lines[2].startswith("Last `make test-long`: passed in 61 s on 20")
    assert [lines[0], lines[1], *lines[3:]] == ["# Bench", "", "", "More."]
