"""Programs that run side by side: at the same time, each line behind its name, and all stopped together."""

import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tools.lanes import go_side_by_side, run_in_lane

# Comes to its end once another one has come as far as this one.
MEETS = """
import pathlib, sys, time
own, other = map(pathlib.Path, sys.argv[1:])
own.touch()
while not other.exists():
    time.sleep(0.01)
"""
WAITS = "import os, pathlib, sys, time; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); time.sleep(600)"


def lane(*program: str | Path, name: str = "name", ended: list[int] | None = None) -> Generator[bool, None, None]:
    status = yield from run_in_lane([sys.executable, "-c", *program], os.environ, name)
    if ended is not None:
        ended.append(status)


def test_programs_run_at_the_same_time_to_the_end_of_each(tmp_path: Path) -> None:
    one, other, ended = tmp_path / "one", tmp_path / "other", []
    go_side_by_side([lane(MEETS, one, other, ended=ended), lane(MEETS, other, one, ended=ended)])
    assert ended == [0, 0]


def test_a_status_is_kept(tmp_path: Path) -> None:
    ended: list[int] = []
    go_side_by_side([lane("raise SystemExit(7)", ended=ended)])
    assert ended == [7]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("print('one'); print('two')", "name │ one\nname │ two\n"),
        ("print('never ended', end='')", "name │ never ended\n"),
        ("import sys; sys.stdout.buffer.write(b'caf\\xc3\\xa9 \\xff\\n')", "name │ café \ufffd\n"),
        ("import sys; sys.stderr.write('on standard error\\n')", "name │ on standard error\n"),
        ("pass", ""),
    ],
)
def test_each_line_stands_behind_the_name(program: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    go_side_by_side([lane(program)])
    assert capsys.readouterr().out == expected


def test_a_line_is_printed_as_soon_as_it_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    going = lane(f"print('whole\\npart', end='', flush=True)\n{WAITS}", tmp_path / "pid")
    printed = ""
    while not printed:
        assert next(going)
        printed = capsys.readouterr().out
    going.close()
    assert printed == "name │ whole\n"
    assert capsys.readouterr().out == "name │ part\n"


def test_an_interrupt_stops_every_program(tmp_path: Path) -> None:
    files = [tmp_path / "one", tmp_path / "other"]

    def interrupted() -> Generator[bool, None, None]:
        while not all(file.exists() and file.read_text() for file in files):
            yield True
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        go_side_by_side([lane(WAITS, files[0]), interrupted(), lane(WAITS, files[1])])
    for file in files:
        with pytest.raises(ProcessLookupError):
            os.kill(int(file.read_text()), 0)
