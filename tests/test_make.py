"""`make run` as a stranger meets it: on a good day, and with a taken port, an old Python, no package index."""

import http.client
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.projects import Terminal, clean_environment, copy_project, free_port, this_environment

NAMES_OF_PYTHON = ("python3", "python", "python3.11", "python3.12", "python3.13", "python3.14")
CTRL_C = b"\x03"

# Requests that say SECRET wherever a visitor can say something, well formed or not.
TELLTALE_REQUESTS = {
    "query": b"GET /errors/?q=SECRET HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "unescaped query": b"GET /errors/?q=SECRET of mine HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "whole address": b"GET http://127.0.0.1/?q=SECRET HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "long query": b"GET /errors/?q=SECRET" + b"a" * 9000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "referrer": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nReferer: http://127.0.0.1/?q=SECRET\r\n\r\n",
    "agent": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: SECRET\r\n\r\n",
    "bad header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nBad SECRET: x\r\n\r\n",
    "bad method": b"SECRET, x / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "body": b"POST /match/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 11\r\n\r\ntext=SECRET",
    "bad chunk": b"POST /match/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nSECRET\r\n",
}
LINE_BREAK_IN_PATH = b"GET /no%0Asuch%1B[31mpage HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copy_project(tmp_path)


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def served(project: Path, port: int) -> Iterator[Terminal]:
    """A project's `make run`, up and in the terminal."""
    terminal = Terminal(["make", "run", f"PORT={port}"], project, this_environment())
    try:
        terminal.wait_for("Ctrl-C stops it.")
        yield terminal
    finally:
        terminal.close()


def make(project: Path, *arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments], cwd=project, env=env, capture_output=True, text=True, timeout=120, check=False
    )


def fake_python(folder: Path, body: str) -> str:
    """Put a program in place of every Python on PATH; return that PATH."""
    folder.mkdir()
    for name in NAMES_OF_PYTHON:
        (folder / name).write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        (folder / name).chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


def send(port: int, request: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass


def status_of(url: str) -> int:
    try:
        return int(urllib.request.urlopen(url, timeout=10).status)
    except urllib.error.HTTPError as error:
        return error.code


def test_make_alone_lists_the_targets(project: Path) -> None:
    done = make(project, env=clean_environment())
    assert done.returncode == 0
    assert {line.split()[1] for line in done.stdout.splitlines()} >= {"run", "test", "test-long", "lint", "clean"}


def test_run_serves_the_site_and_ends_in_peace_on_ctrl_c(served: Terminal, project: Path, port: int) -> None:
    assert f"http://127.0.0.1:{port}/" in served.printed
    assert "manage.py createsuperuser" in served.printed
    assert "loading data/" in served.printed
    assert "was loaded: the reason is above" not in served.printed
    assert status_of(f"http://127.0.0.1:{port}/") == 200
    assert status_of(f"http://127.0.0.1:{port}/admin/login/") == 200

    served.press(CTRL_C)
    assert served.wait() == 0
    assert "make: " not in served.printed
    assert "Traceback" not in served.printed
    with pytest.raises(ConnectionRefusedError):
        http.client.HTTPConnection("127.0.0.1", port).connect()

    first = [sys.executable, "manage.py", "createsuperuser", "--noinput", "--username=first", "--email=a@example.org"]
    password = this_environment(DJANGO_SUPERUSER_PASSWORD="a long enough one")
    subprocess.run(first, cwd=project, env=password, check=True)

    again = Terminal(["make", "run", f"PORT={port}"], project, this_environment())
    again.wait_for("Ctrl-C stops it.")
    assert "Installing" not in again.printed
    assert "manage.py createsuperuser" not in again.printed
    again.press(CTRL_C)
    assert again.wait() == 0
    assert "loading data/" not in again.printed


def test_log_has_nothing_that_a_visitor_typed(served: Terminal, port: int) -> None:
    for request in TELLTALE_REQUESTS.values():
        send(port, request)
    send(port, LINE_BREAK_IN_PATH)
    served.wait_for('"GET /no%0Asuch%1B%5B31mpage HTTP/1.1" 404')
    assert '"GET /errors/ HTTP/1.1"' in served.printed
    assert "SECRET" not in served.printed


def test_base_with_an_entry_is_not_loaded_into(project: Path, tmp_path: Path) -> None:
    env = this_environment(VAR_DIR=str(tmp_path / "base"))
    prepare = [sys.executable, "-m", "tools.prepare_site"]
    subprocess.run(prepare, cwd=project, env=env, check=True)
    base = sqlite3.connect(tmp_path / "base" / "errorkb.sqlite3")
    assert base.execute("SELECT count(*) FROM errorkb_errorentry").fetchone()[0] > 20

    kept = "SELECT min(id) FROM errorkb_errorentry"
    with base:
        tables = base.execute(
            'SELECT m.name, f."from" FROM sqlite_master m, pragma_foreign_key_list(m.name) f '
            "WHERE m.type = 'table' AND f.\"table\" = 'errorkb_errorentry'"
        ).fetchall()
        for table, column in tables:
            base.execute(f"DELETE FROM {table} WHERE {column} <> ({kept})")
        base.execute(f"DELETE FROM errorkb_errorentry WHERE id <> ({kept})")
    subprocess.run(prepare, cwd=project, env=env, check=True)
    assert base.execute("SELECT count(*) FROM errorkb_errorentry").fetchone()[0] == 1
    base.close()


def test_taken_port_is_named_before_anything_is_made(project: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = make(project, "run", f"PORT={port}", env=clean_environment(PYTHON=sys.executable))
    assert done.returncode == 2
    assert f"Port {port} on 127.0.0.1 is taken by another program" in done.stderr
    assert "make run PORT=" in done.stderr
    assert not (project / ".venv").exists()
    assert not (project / "var").exists()


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        (["PORT=http"], "PORT=http is no port"),
        (["PORT=0"], "PORT=0 is no port"),
        (["PORT=65536"], "PORT=65536 is no port"),
        (["HOST=192.0.2.1"], "192.0.2.1 is no address of this machine"),
    ],
)
def test_address_that_cannot_be_served_is_named(project: Path, variables: list[str], words: str) -> None:
    done = make(project, "run", *variables, env=this_environment())
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.parametrize("version", ["2.7", "3.10", "Python 3.8.18"])
def test_old_python_is_named_with_what_to_do(project: Path, tmp_path: Path, version: str) -> None:
    path = fake_python(tmp_path / "bin", f"echo '{version}'")
    done = make(project, "run", env=clean_environment(PATH=path))
    assert done.returncode == 2
    assert "errorkb needs Python 3.11 or later" in done.stderr
    assert f"{tmp_path}/bin/python3 is Python {version.removeprefix('Python ')}" in done.stderr


def test_newer_python_is_found_behind_an_old_one(project: Path, tmp_path: Path) -> None:
    path = fake_python(tmp_path / "bin", "echo 3.9")
    newer = tmp_path / "bin" / "python3.12"
    newer.write_text("#!/bin/sh\necho 3.12\n", "utf-8")
    found = subprocess.run(
        ["tools/find_python"], cwd=project, env=clean_environment(PATH=path), capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == str(newer)


def test_python_without_venv_is_told_which_package_has_it(project: Path, tmp_path: Path) -> None:
    path = fake_python(tmp_path / "bin", 'case "$2" in *ensurepip*) exit 1 ;; *) echo 3.11 ;; esac')
    done = make(project, "run", env=clean_environment(PATH=path))
    assert done.returncode == 2
    assert "apt-get install python3-venv" in done.stderr


def test_folder_that_is_no_environment_is_left_alone(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "precious"
    folder.mkdir()
    (folder / "thesis.txt").write_text("forty years", "utf-8")
    done = make(project, "run", f"VENV={folder}", f"PORT={free_port()}", env=clean_environment(PYTHON=sys.executable))
    assert done.returncode == 2
    assert "is not a virtual environment" in done.stderr
    assert (folder / "thesis.txt").read_text("utf-8") == "forty years"


def test_unreachable_package_index_is_named_with_what_to_do(project: Path, port: int) -> None:
    nowhere = {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_INDEX_URL": f"http://127.0.0.1:{port}/simple",
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "0",
        "PYTHON": sys.executable,
    }
    done = make(project, "run", f"PORT={free_port()}", env=clean_environment(**nowhere))
    assert done.returncode == 2
    assert "pip could not install requirements.txt" in done.stderr
    assert "PIP_INDEX_URL" in done.stderr


@pytest.mark.long
def test_fresh_clone_killed_while_installing_is_mended_by_the_next_run(project: Path, port: int) -> None:
    env = clean_environment(PYTHON=sys.executable)
    first = Terminal(["make", "run", f"PORT={port}"], project, env)
    first.wait_for("Installing requirements.txt")
    time.sleep(4)
    first.process.kill()
    first.close()

    second = Terminal(["make", "run", f"PORT={port}"], project, env)
    second.wait_for("Ctrl-C stops it.", seconds=300)
    assert "is unfinished or its Python is gone" in second.printed
    assert status_of(f"http://127.0.0.1:{port}/") == 200
    second.press(CTRL_C)
    assert second.wait() == 0


@pytest.mark.long
def test_environment_whose_python_is_gone_is_made_anew(project: Path, port: int) -> None:
    env = clean_environment(PYTHON=sys.executable)
    shutil.copytree(sys.prefix, project / ".venv", symlinks=True)
    for path in (project / ".venv" / "bin").glob("python*"):
        path.unlink()
    (project / ".venv" / "bin" / "python").symlink_to("/no/such/python3.9")
    terminal = Terminal(["make", "run", f"PORT={port}"], project, env)
    terminal.wait_for("Ctrl-C stops it.", seconds=300)
    assert "is unfinished or its Python is gone" in terminal.printed
    terminal.press(CTRL_C)
    assert terminal.wait() == 0
