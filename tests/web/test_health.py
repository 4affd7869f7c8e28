"""What machines ask about the site itself."""

from django.db import OperationalError, connection


def test_says_ok_while_the_database_answers(client, db):
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"


def test_says_so_when_the_database_does_not_answer(client, db, monkeypatch):
    def refuse() -> None:
        raise OperationalError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", refuse)
        response = client.get("/healthz")
    assert (response.status_code, response.content) == (503, b"the database does not answer")


def test_keeps_crawlers_from_curation_and_from_searches(client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert lines == ["User-agent: *", "Disallow: /admin/", "Disallow: /errors/?q=", "Disallow: /match/?"]
