"""`/api/docs`: the description for people."""

import json
import re
import shlex

import pytest

from errorkb.api.problems import PROBLEM_TYPES
from tests.scans import store, throw
from tests.web.reading import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client) -> Page:
    response = client.get("/api/docs")
    assert response.status_code == 200
    page = Page(response.content.decode())
    assert page.broken == []
    return page


def test_shows_every_operation_of_the_openapi(client, page):
    described = json.loads(client.get("/api/openapi.json").content)
    for path, methods in described["paths"].items():
        assert path in page.text
        for method in {"get", "post"} & set(methods):
            assert page.by_id(methods[method]["operationId"])
            for parameter in methods[method]["parameters"]:
                if "$ref" not in parameter:
                    assert parameter["name"] in page.text


def test_every_kind_of_problem_is_at_the_address_that_its_type_states(page):
    assert set(PROBLEM_TYPES) <= set(page.ids)


def test_every_link_within_the_page_leads_to_a_place_on_it(page):
    anchors = {address[1:] for address in page.links.values() if address.startswith("#")}
    assert anchors <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


def test_links_to_this_site_lead_somewhere(client, page):
    for address in page.links.values():
        if address.startswith("/"):
            assert client.get(address).status_code == 200, address


def test_commands_can_be_typed_as_they_are(client, page, seed, report):
    for release in ("v0.5.6", "v0.5.23"):
        store(release, throw(), repository="sgl-project/sglang")
    commands = re.findall(r"curl (?:-\S+ (?:[\w.]+ )?)*'?(https://errors\.example[^\s']+)", page.text)
    assert len(commands) >= 8
    for address in commands:
        assert client.get(address.removeprefix("https://errors.example")).status_code == 200, address


def test_commands_that_send_something_can_be_typed_as_they_are(client, page):
    commands = [shlex.split(command) for command in re.findall(r"curl -H '[^\n]+", page.text_as_shown)]
    assert len(commands) == 3
    for _, _, header, _, body, address in commands:
        content_type = header.removeprefix("Content-Type: ")
        path = address.removeprefix("https://errors.example")
        assert client.post(path, body, content_type=content_type).status_code == 200, address


def test_needs_no_script_no_style_and_no_other_host(page):
    assert "style=" not in page.html
    assert not re.search(r"<(script|style)(?![^>]*\bsrc=)[^>]*>", page.html)
    assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//(?!errors\.example)""", page.html)


def test_is_found_without_its_last_slash_only(client):
    response = client.get("/api/docs/")
    assert (response.status_code, response["Location"]) == (301, "/api/docs")
