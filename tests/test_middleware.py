"""What a server gets of the site's answers, from the WSGI handler itself: Django's test client drops bodies too."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from errorkb.middleware import bodiless_head
from tests.builders import entry

ID = "0a4a184d34e9a38f"
ADDRESSES = [
    "/",
    "/errors/",
    f"/errors/{ID}/",
    f"/errors/{ID}",
    "/nowhere/",
    "/api/errors",
    f"/errors/{ID}.json",
    "/api/nothing",
    "/admin/login/",
    "/admin/",
]
THIS = Path(__file__)
# A new token and a new time of day each time.
CHANGING = ("Set-Cookie", "Content-Length", "Expires")


@pytest.fixture
def seed(loader, settings) -> None:
    """One entry, and static files by their own names: nothing is collected in tests."""
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    loader.put("a.json", entry("one", id=ID))


def ask(method: str, address: str) -> tuple[str, dict[str, str], bytes]:
    """Return status, headers and body as a server gets them."""
    answered: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> None:
        answered.append((status, headers))

    chunks: Iterable[bytes] = WSGIHandler()(RequestFactory().generic(method, address).environ, start_response)
    body = b"".join(chunks)
    ((status, headers),) = answered
    return status, dict(headers), body


@pytest.mark.parametrize("address", ADDRESSES)
def test_head_has_the_headers_of_get_and_no_body(seed, address):
    status, headers, body = ask("GET", address)
    assert ask("HEAD", address)[::2] == (status, b"")
    headed = ask("HEAD", address)[1]
    assert {name: headed[name] for name in headed if name not in CHANGING} == {
        name: headers[name] for name in headers if name not in CHANGING
    }
    assert int(headed.get("Content-Length", 0)) == int(headers.get("Content-Length", 0)) == len(body)


def piece_by_piece() -> Iterator[bytes]:
    yield b"one"
    yield b"two"


@pytest.mark.parametrize(
    ("made", "length"),
    [
        (lambda: HttpResponse(b"four"), "4"),
        (lambda: HttpResponse(b"four", headers={"Content-Length": "9"}), "9"),
        (lambda: HttpResponse(status=304), None),
        (lambda: StreamingHttpResponse(piece_by_piece()), None),
        (lambda: FileResponse(THIS.open("rb")), str(THIS.stat().st_size)),
    ],
)
def test_every_kind_of_answer_is_emptied_and_states_its_length_where_it_is_known(made, length):
    request = HttpRequest()
    request.method = "HEAD"
    response = bodiless_head(lambda _: made())(request)
    assert b"".join(response) == b""
    assert getattr(response, "file_to_stream", None) is None
    assert response.headers.get("Content-Length") == length
    for close in response._resource_closers:
        close()


def test_other_methods_keep_their_bodies():
    request = HttpRequest()
    request.method = "GET"
    assert b"".join(bodiless_head(lambda _: StreamingHttpResponse(piece_by_piece()))(request)) == b"onetwo"


@pytest.mark.parametrize("cookie", ['sessionid="aaaaaaaaaaaaaaaa\\000"', 'anything="\\000"'])
def test_a_nul_in_a_cookie_is_refused(client, db, cookie: str) -> None:
    assert client.get("/admin/", headers={"cookie": cookie}).status_code == 400


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("?q=%00", 400),
        ("?state__exact=%00", 400),
        ("?kind__exact=x%00", 400),
        ("?q=%01", 200),
    ],
)
def test_a_nul_in_the_address_of_an_admins_list_is_refused(admin_client, address: str, expected: int) -> None:
    assert admin_client.get(f"/admin/errorkb/errorentry/{address}").status_code == expected


@pytest.mark.parametrize(
    "address",
    [
        "/errors/?q=%00",
        "/errors/?q=repo:a%00b",
        "/errors/?q=path:%00*",
        "/match/?q=%00",
        "/r/o/n/?module=%00",
        "/?q=%00",
    ],
)
def test_a_nul_elsewhere_gets_a_page(client, loader, address: str) -> None:
    loader.put("a.json", entry("one", repository="o/n"))
    assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    "address",
    ["/api/errors?type=%00", "/api/errors?path=%00", "/api/errors?repository=a/%00", "/api/search?q=%00&page=9"],
)
def test_a_nul_in_a_question_of_a_tool_is_answered(client, db, address: str) -> None:
    assert client.get(address).status_code < 500
