"""A copy of this project and a terminal to type into, for the tests that run its commands as a stranger would."""

import codecs
import fcntl
import os
import pty
import select
import shutil
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_BEHIND = shutil.ignore_patterns(".git", ".venv", ".env", "var", "__pycache__", ".*_cache")
OF_THE_CALLER = (
    "MAKEFLAGS",
    "MAKELEVEL",
    "MFLAGS",
    "MAKEOVERRIDES",
    "HOST",
    "PORT",
    "VENV",
    "PYTHON",
    "SCAN",
    "COMPLETE",
)
OF_THE_SITE = ("VAR_DIR", "DATABASE_URL", "SITE_URL", "DJANGO_SETTINGS_MODULE", "GUNICORN_BIND")


def copy_project(folder: Path) -> Path:
    """Return a fresh clone's worth of this project: its files as they are now, without what running it has made."""
    return Path(shutil.copytree(ROOT, folder / "errorkb", ignore=LEFT_BEHIND, symlinks=True))


def clean_environment(**settings: str) -> dict[str, str]:
    """Return the environment of somebody who has set nothing, with `settings` set."""
    kept = {name: value for name, value in os.environ.items() if name not in (*OF_THE_CALLER, *OF_THE_SITE)}
    return kept | settings


def this_environment(**settings: str) -> dict[str, str]:
    """Return a clean environment in which make uses the environment that the tests run in, and scans nothing."""
    return clean_environment(**{"VENV": sys.prefix, "PYTHON": sys.executable, "SCAN": "no"} | settings)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _sit_down_at_terminal() -> None:
    """Take standard input as the terminal, and hear when it closes, whatever the tests were told to ignore."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A program in a terminal of its own: what it printed so far, and the keys that it is sent."""

    def __init__(self, command: list[str], folder: Path, env: Mapping[str, str]) -> None:
        self._end, other = pty.openpty()
        self._open = True
        self.printed = ""
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            preexec_fn=_sit_down_at_terminal,
        )
        os.close(other)
        self._reader = threading.Thread(target=self._read, daemon=True)  # a full terminal would stop the program
        self._reader.start()

    def wait_for(self, words: str, seconds: float = 60) -> None:
        """Wait until the program has printed `words`."""
        deadline = time.monotonic() + seconds
        while words not in self.printed:
            assert self._reader.is_alive(), f"ended without printing {words!r}:\n{self.printed}"
            assert time.monotonic() < deadline, f"{words!r} was not printed in time:\n{self.printed}"
            time.sleep(0.05)

    def press(self, key: bytes) -> None:
        os.write(self._end, key)

    def wait(self, seconds: float = 120) -> int:
        """Wait for the program's end and return its exit status."""
        status = self.process.wait(seconds)
        self._reader.join(seconds)
        return status

    def close(self) -> None:
        """End the program, if it still runs, as closing the window would."""
        self._open = False
        self._reader.join()
        os.close(self._end)
        self.process.wait(120)

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while self._open:
            if not select.select([self._end], [], [], 0.2)[0]:
                continue
            try:
                chunk = os.read(self._end, 65536)
            except OSError:  # how Linux says that nobody has the other end any more
                return
            self.printed += decoder.decode(chunk).replace("\r\n", "\n")
