"""Programs that run side by side, watched in turn by one thread: so Ctrl-C ends them all, and lines stay whole."""

import tempfile
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO

from tools.processes import say, start, stop

SECONDS_BETWEEN_LOOKS = 0.1


def go_side_by_side(lanes: Iterable[Generator[bool, None, None]]) -> None:
    """Take a step in each lane in turn, until all have come to their ends; close them all, whatever happens.

    A lane yields True while it waits for something.
    """
    with ExitStack() as stack:
        going = [stack.enter_context(closing(lane)) for lane in lanes]
        while going := [lane for lane in going if next(lane, False)]:
            time.sleep(SECONDS_BETWEEN_LOOKS)


def run_in_lane(command: Sequence[str | Path], env: Mapping[str, str], name: str) -> Generator[bool, None, int]:
    """Run a program as a part of a lane; return its exit status. It is stopped when the lane is closed.

    Each line that it says is printed behind `name`; without a name, it has the terminal for itself.
    """
    with (
        tempfile.NamedTemporaryFile() as said,
        Path(said.name).open("w") as output,
        closing(Teller(name, said)) as teller,
    ):
        process = start(command, env, output if name else None)
        try:
            while (status := process.poll()) is None:
                teller.tell()
                yield True
            return status
        finally:
            if process.poll() is None:
                stop(process)


class Teller:
    """Prints what is written into a file: each line once it is whole, behind a name."""

    def __init__(self, name: str, file: IO[bytes]) -> None:
        self._name, self._file, self._rest = name, file, b""

    def tell(self) -> None:
        """Print the lines that were finished since the last time."""
        *lines, self._rest = (self._rest + self._file.read()).split(b"\n")
        for line in lines:
            self._say(line)

    def close(self) -> None:
        """Print the last lines, also one that was never finished."""
        self.tell()
        if self._rest:
            self._say(self._rest)

    def _say(self, line: bytes) -> None:
        say(f"{self._name} │ {line.decode('utf-8', 'replace')}")
