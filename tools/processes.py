"""Programs started by the tools, and who gets Ctrl-C.

make dies of an interrupt however well its recipe ends, with an error line. So the tool takes the terminal for itself
while it runs: Ctrl-C then reaches the tool alone, which stops what it started and lets make end in peace.
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_STOP = 15
PR_SET_PDEATHSIG = 1  # prctl(2)


class SetupError(Exception):
    """What keeps the tool from going on, and what to do about it, in words for the person at the terminal."""


def say(text: str) -> None:
    """Print a line at once, also into a pipe."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _end_with_parent() -> None:
    """Ask Linux for SIGTERM when our parent is gone, however it went: nobody is left who could stop us."""
    with suppress(OSError, AttributeError):  # no such call on other systems
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def stop_on_signals() -> None:
    """Treat every polite wish to stop as Ctrl-C; a hang-up that was to be ignored (nohup) still is."""
    _end_with_parent()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        signal.signal(number, _interrupt)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _interrupt)


@contextmanager
def own_terminal() -> Iterator[None]:
    """Be the terminal's foreground group for a while, if make's is; without a terminal, do nothing."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        yield
        return
    before = os.getpgrp()
    ours = os.tcgetpgrp(terminal) == before and os.getpid() != before
    if ours:
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # the shell would not learn that we were stopped
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpgrp())
        _stop_when_gone(terminal)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if ours:
            with suppress(OSError):
                os.tcsetpgrp(terminal, before)
        os.close(terminal)


def _stop_when_gone(terminal: int) -> None:
    """Look now and then whether the terminal was closed: the kernel tells that to make, which only waits for us."""

    def look(_number: int, _frame: FrameType | None) -> None:
        hang_up = select.poll()
        hang_up.register(terminal, 0)
        if hang_up.poll(0):
            signal.setitimer(signal.ITIMER_REAL, 0)
            os.kill(os.getpid(), signal.SIGHUP)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)


def start(
    command: Sequence[str | Path],
    env: Mapping[str, str] | None = None,
    output: IO[str] | None = None,
    **account: Any,
) -> subprocess.Popen[str]:
    """Start a program in the project's folder, in a group of its own: signals reach it through us only.

    With output, everything that it says goes there. `account` says as whom it runs, in the words of Popen.
    """
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output else None,
        text=True,
        process_group=0,
        preexec_fn=_end_with_parent,
        **account,
    )


def stop(process: subprocess.Popen[str], *, how: signal.Signals = signal.SIGTERM) -> None:
    """Ask a program and what it started to end; end them by force if they don't."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, how)
    try:
        process.wait(SECONDS_TO_STOP)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def run(
    command: Sequence[str | Path],
    env: Mapping[str, str] | None = None,
    output: IO[str] | None = None,
    **account: Any,
) -> int:
    """Run a program to its end and return its exit status; an interrupt stops it first."""
    process = start(command, env, output, **account)
    try:
        return process.wait()
    except KeyboardInterrupt:
        stop(process)
        raise


def fail(problem: SetupError) -> int:
    """Print what keeps us from going on, on standard error and return the exit status for it."""
    sys.stderr.write(f"\n{problem}\n\n")
    return 2
