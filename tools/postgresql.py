"""A private PostgreSQL server for tests: made in a temporary folder, reached by a socket there, gone at the end.

`python -m tools.postgresql PROGRAM …` runs a program with DATABASE_URL leading to a new, empty server.
"""

import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from tools.processes import SetupError, fail, run, start, stop, stop_on_signals

LEAST_VERSION = 15
# Where Debian and Ubuntu keep the programs, for they are on nobody's PATH.
_HOMES = Path("/usr/lib/postgresql")
# Of Debian's package; initdb refuses to run as root.
_ACCOUNT = "postgres"
_SECONDS_TO_START = 60
# A socket's path has 107 bytes at most, and a URL's host no capitals.
_SHORT = "/tmp"
MISSING = f"PostgreSQL {LEAST_VERSION} or later is missing (apt-get install postgresql)"

# As docs/postgresql.md has it; what is lost in a crash of the machine is lost anyway.
_INITDB = ("--locale=C", "--encoding=UTF8", "--auth=trust", "--no-sync", "--username=errorkb")
_SERVER = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "128MB",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "4GB",
}


def find_programs() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs, None where there is none that is new enough."""
    folders = [*_HOMES.glob("*/bin")]
    if on_path := shutil.which("initdb"):
        folders.append(Path(on_path).resolve().parent)
    found = [(_version(folder), folder) for folder in folders if os.access(folder / "initdb", os.X_OK)]
    return max((pair for pair in found if pair[0] >= LEAST_VERSION), default=(0, None))[1]


@contextmanager
def server() -> Iterator[str]:
    """Start a server and yield its DATABASE_URL; stop it and remove its folder at the end.

    It runs as the present user, root's as Debian's `postgres`. Raises SetupError where it cannot be made or started.
    """
    programs = find_programs()
    if programs is None:
        raise SetupError(f"{MISSING}.")
    folder = Path(tempfile.mkdtemp(prefix="errorkb-postgresql-", dir=_SHORT))
    try:
        with (folder / "log").open("w") as log, _running(programs, folder, log):
            yield f"postgres://errorkb@{quote(str(folder), safe='')}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _running(programs: Path, folder: Path, log: IO[str]) -> Iterator[None]:
    """Make a cluster in a folder and keep its server running for a while."""
    account = _account(folder)
    if run([f"{programs}/initdb", *_INITDB, f"--pgdata={folder}/data"], output=log, **account):
        raise SetupError(f"initdb failed:\n{_words(log)}")
    settings = [f"--{name}={value}" for name, value in _SERVER.items()]
    places = ["-D", f"{folder}/data", f"--unix_socket_directories={folder}"]
    process = start([f"{programs}/postgres", *places, *settings], output=log, **account)
    try:
        if not _is_ready(process, [f"{programs}/pg_isready", "--quiet", f"--host={folder}"]):
            raise SetupError(f"PostgreSQL did not start:\n{_words(log)}")
        yield
    finally:
        stop(process, how=signal.SIGQUIT)


def _version(folder: Path) -> int:
    with suppress(OSError):
        said = subprocess.run([folder / "initdb", "--version"], capture_output=True, text=True, check=False).stdout
        if match := re.search(r"\) (\d+)", said):
            return int(match[1])
    return 0


def _account(folder: Path) -> dict[str, Any]:
    """Return as whom the server is to run, as arguments of Popen; the folder is theirs."""
    if os.geteuid():
        return {}
    try:
        found = pwd.getpwnam(_ACCOUNT)
    except KeyError:
        raise SetupError(f"There is no user {_ACCOUNT}, and PostgreSQL refuses to run as root.") from None
    os.chown(folder, found.pw_uid, found.pw_gid)
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


def _is_ready(process: "subprocess.Popen[str]", asking: Sequence[str]) -> bool:
    """Wait until a server answers; say whether it does."""
    until = time.monotonic() + _SECONDS_TO_START
    while subprocess.run(asking, check=False).returncode:
        if process.poll() is not None or time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def _words(log: IO[str]) -> str:
    return Path(log.name).read_text("utf-8", "replace")


def main(command: Sequence[str]) -> int:
    """Run a program beside a server; return its exit status, 2 where there is no server."""
    stop_on_signals()
    try:
        with server() as url:
            return run(command, {**os.environ, "DATABASE_URL": url})
    except SetupError as problem:
        return fail(problem)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
