"""Tests of the shipped data: what one raised exception shows, read here or in a new Python process."""

import json
import os
import runpy
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType, TracebackType

import pytest


@dataclass(frozen=True)
class Frame:
    """One line of a traceback; `symbol` is the qualified name as entries have it, empty at module level."""

    file: str
    line: int
    symbol: str


@dataclass(frozen=True)
class Sighting:
    """One raised exception, its frames from the outermost to the innermost."""

    exception_type: str
    message: str
    frames: tuple[Frame, ...]

    def innermost(self, package: Path) -> Frame:
        """Return the last frame whose file lies in `package`."""
        return [frame for frame in self.frames if Path(frame.file).is_relative_to(package)][-1]


@dataclass(frozen=True)
class Stage:
    """What a provoker may use: an empty folder, and patches that end with the test."""

    folder: Path
    patch: pytest.MonkeyPatch


Provoker = Callable[[Stage], Sighting | None]


def observe(provoker: Provoker, stage: Stage) -> Sighting:
    """Return what the provoker raises, or the sighting that it brings from elsewhere."""
    try:
        seen = provoker(stage)
    except Exception as error:
        return sighting_of(error)
    assert seen is not None, f"{provoker.__name__} raised nothing"
    return seen


def sighting_of(error: BaseException) -> Sighting:
    """Read type, message and frames of an exception."""
    return Sighting(type(error).__name__, str(error), tuple(_frames(error.__traceback__)))


def frame_at(frame: FrameType, line: int) -> Frame:
    """Return a stack frame as traceback line `line`."""
    symbol = frame.f_code.co_qualname.replace(".<locals>", "")
    return Frame(frame.f_code.co_filename, line, symbol.removeprefix("<module>"))


def sighting_in_new_process(stage: Stage, program: str) -> Sighting:
    """Run `program` where no Django is set up yet; the stage's folder is the place of its modules."""
    script = stage.folder / "program.py"
    script.write_text(textwrap.dedent(program), "utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(
        [sys.executable, __file__, str(script)],
        env=environment | {"PYTHONPATH": str(stage.folder)},
        cwd=stage.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    seen = json.loads(done.stdout.splitlines()[-1])
    return Sighting(seen["exception_type"], seen["message"], tuple(Frame(**frame) for frame in seen["frames"]))


def _frames(traceback: TracebackType | None) -> list[Frame]:
    frames = []
    while traceback is not None:
        frames.append(frame_at(traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return frames


def _run(script: str) -> None:
    try:
        runpy.run_path(script, run_name="__main__")
    except Exception as error:
        sys.stdout.write("\n" + json.dumps(asdict(sighting_of(error))))


if __name__ == "__main__":
    _run(sys.argv[1])
