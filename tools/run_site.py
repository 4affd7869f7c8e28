"""`make run`: from a fresh clone to a served site, and a clean end on Ctrl-C."""

import errno
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tools import environment
from tools.processes import ROOT, SetupError, fail, own_terminal, run, say, start, stop, stop_on_signals

WILDCARDS = ("0.0.0.0", "::")
SECONDS_TO_START = 30
WHY_NOT = {
    errno.EADDRINUSE: "Port {port} on {host} is taken by another program. Choose another:  make run PORT={other}",
    errno.EACCES: "Port {port} is for root only. Choose one from 1024 up:  make run PORT={other}",
    errno.EADDRNOTAVAIL: "{host} is no address of this machine. Leave HOST out, or:  make run HOST=0.0.0.0",
}


def main() -> int:
    """Run the site until it is stopped; return 0 then, 2 where it could not run, 130 where it was stopped before."""
    stop_on_signals()
    with own_terminal():
        try:
            host, port = _address(os.environ.get("HOST", ""), os.environ.get("PORT", ""))
            python = environment.ensure("requirements.txt")
            settings = _settings(host, port)
            if run([python, "-m", "tools.prepare_site"], settings):
                raise SetupError("The site could not be prepared: the reason is above.")
            return _serve(python, host, port, settings)
        except SetupError as problem:
            return fail(problem)
        except KeyboardInterrupt:
            say("\nStopped before the site was up. `make run` goes on from here.")
            return 130


def _address(host: str, port: str) -> tuple[str, int]:
    """Return where to listen, having tried it: nothing is installed for a site that could not be served."""
    host = host.strip("[]") or "127.0.0.1"
    if not (port.isdecimal() and 0 < int(port) < 65536):
        raise SetupError(f"PORT={port} is no port: a number from 1 to 65535 is expected.")
    error = _error_at(host, int(port))
    if error is not None:
        why = WHY_NOT.get(error.errno or 0, f"Cannot listen on {{host}}, port {{port}}: {error.strerror}.")
        raise SetupError(why.format(host=host, port=port, other=_free_port(host, int(port))))
    return host, int(port)


def _error_at(host: str, port: int) -> OSError | None:
    """Return what keeps a program from listening at host and port, or None."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            probe.listen()
    except socket.gaierror as error:
        return OSError(errno.EADDRNOTAVAIL, error.strerror)
    except OSError as error:
        return error
    return None


def _free_port(host: str, port: int) -> int:
    """Return a port to propose in place of one that cannot be had."""
    above = range(max(port, 7999) + 1, 65536)
    return next((other for other in above[:100] if _error_at(host, other) is None), 8000)


def _settings(host: str, port: int) -> dict[str, str]:
    """Return the environment for the site: what is set, with SITE_URL and gunicorn's address added."""
    given = dict(os.environ)
    given["GUNICORN_BIND"] = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not given.get("SITE_URL") and not _in_env_file("SITE_URL"):
        given["SITE_URL"] = _url(host, port)
    return given


def _in_env_file(name: str) -> bool:
    path = ROOT / ".env"
    return path.exists() and re.search(rf"(?m)^\s*(export\s+)?{name}\s*=", path.read_text("utf-8")) is not None


def _url(host: str, port: int) -> str:
    name = "127.0.0.1" if host in WILDCARDS else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _serve(python: Path, host: str, port: int, settings: Mapping[str, str]) -> int:
    server = start([python, "-m", "gunicorn"], settings)
    try:
        _wait_until_up(server, host, port)
        _greet(host, port, settings)
        status = server.wait()
    except KeyboardInterrupt:
        stop(server)
        say("\nStopped.")
        return 0
    raise SetupError(f"The server ended by itself, with exit status {status}: the reason is above.")


def _wait_until_up(server: subprocess.Popen[str], host: str, port: int) -> None:
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    deadline = time.monotonic() + SECONDS_TO_START
    while server.poll() is None and time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((name, port), timeout=1):
            return
        time.sleep(0.05)


def _greet(host: str, port: int, settings: Mapping[str, str]) -> None:
    if ours := settings.get("SITE_URL", ""):
        ours = "" if ours == _url(host, port) else f"  (as {ours})"
    say(f"\nerrorkb is at {_url(host, port)}/{ours}")
    if host in WILDCARDS:
        say("It listens on every address of this machine; SITE_URL=http://NAME:PORT names the one for other machines.")
    say("Ctrl-C stops it.\n")


if __name__ == "__main__":
    sys.exit(main())
