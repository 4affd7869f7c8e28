"""What every address below /api/ has in common."""

import json
import logging

import pytest
from django.test import Client

from errorkb.api import entries
from tests.api.conftest import problem

pytestmark = pytest.mark.django_db

ADDRESSES = [
    "/api/",
    "/api/errors",
    "/api/errors/0a4a184d34e9a38f",
    "/errors/0a4a184d34e9a38f.json",
    "/api/search",
    "/api/repositories",
    "/api/repositories/o/n",
    "/api/pull-requests/o/n/7",
    "/api/schemas/",
    "/api/schemas/entry.json",
    "/api/openapi.json",
    "/api/docs",
    "/api/nothing",
]


@pytest.mark.parametrize(
    "path", ["nothing", "nothing/", "errors/a/b", "v2/x", "%00", "%0A", "a%0Ab/%0D", "..", "x" * 9_999]
)
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_an_unknown_address_is_a_problem_whatever_the_method(client, path, method):
    problem(getattr(client, method)(f"/api/{path}"), 404, "unknown-address")


@pytest.mark.parametrize("address", [address for address in ADDRESSES if address != "/api/nothing"])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "trace"])
def test_another_method_is_a_problem_that_says_which_are_allowed(client, address, method):
    response = getattr(client, method)(address)
    problem(response, 405, "method-not-allowed")
    assert response["Allow"] == "GET, HEAD, OPTIONS"


def test_a_write_needs_no_token_to_be_told_that_there_is_none():
    problem(Client(enforce_csrf_checks=True).post("/api/errors", "{}", "application/json"), 405, "method-not-allowed")


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_browser_may_ask_beforehand(client, address):
    response = client.options(
        address, headers={"origin": "https://elsewhere.example", "access-control-request-method": "GET"}
    )
    assert (response.status_code, response.content) == (200, b"")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert response["Access-Control-Allow-Headers"] == "*"
    assert response["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("method", ["get", "head", "options", "post"])
def test_every_answer_is_open_safe_and_without_cookies(client, address, method):
    response = getattr(client, method)(address)
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in response["Access-Control-Expose-Headers"]
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "Content-Security-Policy" in response
    assert "Vary" not in response
    assert not response.cookies


def test_looking_around_leads_to_the_description(client):
    assert client.get("/api/", follow=True).redirect_chain == [("/api/docs", 302)]
    assert client.get("/api", follow=True).redirect_chain == [("/api/", 301), ("/api/docs", 302)]


def test_what_nobody_foresaw_is_a_problem_that_tells_nothing(client, monkeypatch, caplog):
    def fail(*arguments, **named):
        raise RuntimeError("a secret")

    monkeypatch.setattr(entries, "listing", fail)
    with caplog.at_level(logging.ERROR, "django.request"):
        response = client.get("/api/errors")
    body = problem(response, 500, "internal-error")
    assert "secret" not in json.dumps(body)
    assert response["Cache-Control"] == "no-store"
    assert "RuntimeError: a secret" in caplog.text
    assert len([record for record in caplog.records if record.levelno >= logging.ERROR]) == 1


def test_a_request_with_too_many_parameters_is_a_problem(client):
    problem(client.get("/api/errors?" + "a=1&" * 10_001), 400, "bad-request")
