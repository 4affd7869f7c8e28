"""Tests of match on provoked errors: requests, without a network."""

import socket

import requests
from requests.cookies import RequestsCookieJar
from requests.models import PreparedRequest, Response
from requests.sessions import Session

from tests.provoked.rows import Rows

ROWS = Rows()


def answer(content: bytes = b"", **facts: object) -> Response:
    """Return a response as a server would have sent it."""
    response = Response()
    response._content = content
    for name, value in facts.items():
        setattr(response, name, value)
    return response


def closed_port() -> int:
    """Return a port of this machine on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@ROWS.thrown_at("requests/models.py", "PreparedRequest.prepare_url")
def address_without_a_scheme() -> None:
    requests.get("shelves.example/3", timeout=1)


@ROWS.thrown_at("requests/models.py", "PreparedRequest.prepare_url")
def address_without_a_host() -> None:
    requests.get("http://", timeout=1)


@ROWS.thrown_at("requests/models.py", "PreparedRequest.prepare_url")
def address_with_a_wrong_label() -> None:
    requests.get("http://*shelves.example/", timeout=1)


@ROWS.thrown_at("requests/sessions.py", "Session.get_adapter")
def scheme_that_nobody_speaks() -> None:
    requests.get("shelf://3", timeout=1)


@ROWS.thrown_at("requests/sessions.py", "Session.send")
def request_that_is_not_prepared() -> None:
    Session().send(requests.Request("GET", "http://shelves.example/"))  # type: ignore[arg-type]


@ROWS.thrown_at("requests/utils.py", "_validate_header_part")
def header_with_a_line_break() -> None:
    requests.get("http://shelves.example/", headers={"X-Shelf": "a\nb"}, timeout=1)


@ROWS.thrown_at("requests/utils.py", "_validate_header_part")
def header_that_is_a_number() -> None:
    requests.get("http://shelves.example/", headers={"X-Shelf": 3}, timeout=1)  # type: ignore[dict-item]


@ROWS.thrown_at("requests/models.py", "PreparedRequest.prepare_body")
def json_that_is_not_a_number() -> None:
    requests.post("http://shelves.example/", json={"depth": float("nan")}, timeout=1)


@ROWS.thrown_at("requests/models.py", "RequestEncodingMixin._encode_files")
def text_beside_files() -> None:
    requests.post("http://shelves.example/", files={"a": b"a"}, data="text", timeout=1)


@ROWS.thrown_at("requests/models.py", "RequestHooksMixin.register_hook")
def hook_that_nobody_calls() -> None:
    PreparedRequest().register_hook("shelved", print)


@ROWS.thrown_at("requests/models.py", "Response.json")
def answer_that_is_no_json() -> None:
    answer(b"<html>").json()


@ROWS.thrown_at("requests/models.py", "Response.raise_for_status")
def answer_that_nothing_is_there() -> None:
    answer(status_code=404, reason="Not Found", url="http://shelves.example/3").raise_for_status()


@ROWS.thrown_at("requests/models.py", "Response.raise_for_status")
def answer_of_a_broken_server() -> None:
    answer(status_code=503, reason="Service Unavailable", url="http://shelves.example/3").raise_for_status()


@ROWS.thrown_at("requests/models.py", "Response.iter_content")
def stream_that_was_read() -> None:
    answer(_content=False, _content_consumed=True).iter_content(1)


@ROWS.thrown_at("requests/models.py", "Response.content")
def content_of_a_stream_that_was_read() -> None:
    _ = answer(_content=False, _content_consumed=True).content


@ROWS.thrown_at("requests/models.py", "Response.iter_content")
def chunks_of_a_strange_size() -> None:
    answer(b"abc").iter_content("3")  # type: ignore[arg-type]


@ROWS.thrown_at("requests/adapters.py", "HTTPAdapter.send")
def timeout_of_three() -> None:
    requests.get("http://127.0.0.1:9/", timeout=(1, 2, 3))  # type: ignore[arg-type]


@ROWS.thrown_at("requests/adapters.py", "HTTPAdapter.send")
def server_that_does_not_listen() -> None:
    requests.get(f"http://127.0.0.1:{closed_port()}/shelves", timeout=1)


@ROWS.thrown_at("requests/adapters.py", "HTTPAdapter.cert_verify")
def certificates_that_are_missing() -> None:
    requests.get("https://127.0.0.1:9/", verify="/no/such/bundle.pem", timeout=1)


@ROWS.thrown_at("requests/cookies.py", "RequestsCookieJar._find_no_duplicates")
def cookie_of_two_sites() -> None:
    jar = RequestsCookieJar()
    jar.set("colour", "red", domain="one.example")
    jar.set("colour", "green", domain="two.example")
    jar["colour"]


@ROWS.thrown_at("requests/cookies.py", "create_cookie")
def cookie_with_an_unknown_fact() -> None:
    RequestsCookieJar().set("colour", "red", shelf=3)


@ROWS.thrown_at("requests/sessions.py", "SessionRedirectMixin.resolve_redirects")
def redirects_without_end() -> None:
    session = Session()
    session.max_redirects = 0
    first = answer(status_code=302, url="http://127.0.0.1/", headers={"location": "/again"}, raw=None)
    request = requests.Request("GET", "http://127.0.0.1/").prepare()
    list(session.resolve_redirects(first, request))


@ROWS.thrown_at("requests/utils.py", "from_key_val_list")
def pairs_that_are_a_word() -> None:
    requests.utils.from_key_val_list("word")
