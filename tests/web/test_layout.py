"""The frame of every page: nothing from another host, nothing inline, an answer where something broke."""

import re
from itertools import pairwise

import pytest
from django.test import RequestFactory
from django.views.defaults import server_error

from tests.web.reading import Page

PAGES = [
    "/",
    "/match/",
    "/match/?q=KeyError",
    "/errors/",
    "/errors/0a4a184d34e9a38f/",
    "/r/sgl-project/sglang/",
    "/r/sgl-project/sglang/pulls/33523/",
    "/r/sgl-project/sglang/compare/",
]
RESOURCES = {"link": "href", "script": "src", "img": "src", "use": "href", "form": "action"}


@pytest.mark.parametrize("address", PAGES)
def test_loads_nothing_from_another_host(read, seed, settings, address):
    page = read(address)
    for tag, attribute in RESOURCES.items():
        for element in page.all(tag):
            url = element.attributes.get(attribute, "/")
            assert url.startswith(("/", settings.SITE_URL)) and not url.startswith("//"), url


@pytest.mark.parametrize("address", PAGES)
def test_has_no_inline_script_style_or_handler(read, seed, address):
    page = read(address)
    assert not page.all("style")
    assert not [script for script in page.all("script") if script.text.strip()]
    names = {name for element in page.elements for name in element.attributes}
    assert not [name for name in names if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("address", PAGES)
def test_sends_a_strict_policy(client, seed, address):
    policy = client.get(address).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("address", PAGES)
def test_can_be_read_by_keyboard_and_by_ear(read, seed, address):
    page = read(address)
    assert page.links["Skip to the content"] == "#main"
    assert page.one("html").attributes["lang"] == "en"
    assert len(page.all("h1")) == 1
    labelled = {label.attributes["for"] for label in page.all("label")}
    assert {field.attributes["id"] for field in (*page.all("input"), *page.all("textarea"))} <= labelled
    levels = [int(element.tag[1]) for element in page.elements if re.fullmatch("h[1-6]", element.tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("address", PAGES)
def test_says_what_it_is_in_its_head(read, seed, address):
    page = read(address)
    assert page.one("title").text.strip()
    assert page.one("meta", name="description").attributes["content"]
    assert page.one("link", rel="icon").attributes["href"] == "/static/icons/errorkb.svg"


@pytest.mark.parametrize("method", ["post", "put", "delete"])
@pytest.mark.parametrize("address", [address for address in PAGES if not address.startswith("/match/")])
def test_takes_nothing_but_reading(client, seed, address, method):
    assert getattr(client, method)(address).status_code == 405


def test_answers_in_the_design_without_a_database_where_something_broke():
    response = server_error(RequestFactory().get("/"))
    page = Page(response.content.decode())
    assert response.status_code == 500
    assert "This page could not be made" in page.text
    assert page.broken == []
