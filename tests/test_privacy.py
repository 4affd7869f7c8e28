"""What people paste stays with them: the production server writes none of it to its log, its base or its folders."""

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.projects import ROOT, clean_environment, free_port

SECRET = b"hunter2-tr0ub4dor"
FORM = b'--b\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n' + SECRET + b"\r\n--b--\r\n"
MULTIPART = {"Content-Type": "multipart/form-data; boundary=b"}
PLAIN = {"Content-Type": "text/plain"}
JSON = {"Content-Type": "application/json"}
HUGE = SECRET * (5 * 2**20 // len(SECRET))

# (method, path, headers, body, status)
REQUESTS = [
    ("GET", f"/match/?q={SECRET.decode()}", {}, None, 200),
    ("GET", f"/api/match?q={SECRET.decode()}", {"Referer": SECRET.decode()}, None, 200),
    ("GET", f"/api/match?q={SECRET.decode()}&limit={SECRET.decode()}", {}, None, 422),
    ("POST", "/match/", MULTIPART, FORM % (b"text", b""), 200),
    ("POST", "/match/", MULTIPART, FORM % (b"file", b'; filename="app.log"'), 200),
    ("POST", "/match/", MULTIPART, (FORM % (b"file", b'; filename="app.log"')).replace(SECRET, HUGE), 413),
    ("POST", "/match/", MULTIPART, FORM[:-8], 200),
    ("POST", "/match/tell/", {"Content-Type": "application/x-www-form-urlencoded"}, b"error=" + SECRET, 302),
    ("POST", "/api/match", PLAIN, SECRET, 200),
    ("POST", "/api/match", PLAIN, HUGE, 413),
    ("POST", "/api/match", {"Content-Type": SECRET.decode()}, SECRET, 415),
    ("POST", "/api/match", JSON, b'{"text": "' + SECRET + b'"}', 200),
    ("POST", "/api/match", JSON, b'{"' + SECRET + b'": 1', 400),
    ("POST", "/api/match", PLAIN | {"Transfer-Encoding": "chunked"}, iter([SECRET, SECRET]), 200),
    ("POST", "/api/match", PLAIN | {"Transfer-Encoding": "chunked"}, iter([HUGE, HUGE]), 413),
    ("POST", "/api/match/batch", JSON, b'{"texts": ["' + SECRET + b'", 1]}', 200),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("private")


@pytest.fixture(scope="module")
def served(folder) -> Iterator[tuple[int, Callable[[], bytes]]]:
    """Serve an empty base; return the port, and a function that ends the server and returns all that it wrote."""
    port = free_port()
    temporary = folder / "tmp"
    temporary.mkdir()
    env = clean_environment(
        VAR_DIR=str(folder), GUNICORN_BIND=f"127.0.0.1:{port}", LOG_LEVEL="DEBUG", TMPDIR=str(temporary)
    )
    subprocess.run([sys.executable, "manage.py", "migrate"], cwd=ROOT, env=env, check=True, capture_output=True)
    subprocess.run([sys.executable, "manage.py", "collectstatic", "--no-input"], cwd=ROOT, env=env, check=True)
    log = folder / "log"
    with log.open("wb") as output:
        server = subprocess.Popen([sys.executable, "-m", "gunicorn"], cwd=ROOT, env=env, stdout=output, stderr=output)
    wait_for(port)

    def ended() -> bytes:
        server.terminate()
        server.wait(30)
        return log.read_bytes()

    yield port, ended
    server.terminate()
    server.wait(30)


def wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("nothing answers")


def ask(port: int, method: str, path: str, headers: dict, body: object) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, body, headers, encode_chunked="Transfer-Encoding" in headers)
        return connection.getresponse().status
    finally:
        connection.close()


def test_nothing_that_was_pasted_is_written_anywhere(served, folder):
    port, ended = served
    answered = [ask(port, *request[:4]) for request in REQUESTS]
    with socket.create_connection(("127.0.0.1", port)) as broken:
        broken.sendall(b"POST /api/match HTTP/1.1\r\nHost: x\r\n" + SECRET + b"\r\n\r\n")
        broken.recv(100)
    log = ended()
    assert answered == [request[4] for request in REQUESTS]
    assert b'"POST /api/match HTTP/1.1" 200' in log
    assert b"Traceback" not in log
    holding = [path for path in folder.rglob("*") if path.is_file() and SECRET in path.read_bytes()]
    assert holding == []
    assert list((folder / "tmp").iterdir()) == []
