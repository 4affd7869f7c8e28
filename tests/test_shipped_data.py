"""What a stranger sees after the first start: every document of data/ loaded as `make run` does, and all its pages."""

import re
from collections import Counter
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from errorkb.models import ErrorEntry, PullRequest
from tests.loader import Loader

# Lists lead to themselves with each value of each filter, and from there with each of the others.
MOST_QUERIES = 20
DATA = Path(__file__).parent.parent / "data"


pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shipped(module_base, tmp_path_factory):
    loader = Loader(tmp_path_factory.mktemp("shipped"))
    with module_base():
        for kind in ("repositories", "pull_requests", "entries"):
            outcomes = loader.load(str(DATA / kind), kind=kind, source="installed")
            assert {outcome.status.value for outcome in outcomes} == {"created"}
            assert [note for outcome in outcomes for note in outcome.notes] == []


def test_every_link_from_the_home_page_leads_somewhere_and_to_no_other_host(shipped, client):
    waiting, seen, queries = ["/"], set(), Counter()
    while waiting:
        address = waiting.pop(0)
        path, query = urlsplit(address)[2:4]
        if address in seen or (query and queries[path] >= MOST_QUERIES):
            continue
        seen.add(address)
        queries[path] += bool(query)
        response = client.get(address, follow=True)
        assert response.status_code == 200, address
        if "html" not in response["Content-Type"]:
            continue
        body = response.content.decode()
        assert re.findall(r'<(?:script|img|link rel="stylesheet")[^>]*(?:src|href)="(?!/)', body) == [], address
        links = (unescape(link) for link in re.findall(r'<a [^>]*href="(/[^"#]*)', body))
        waiting += [link for link in links if not link.startswith(("/admin/", "/static/"))]
    assert len(seen) > 100


def test_every_entry_has_a_page_with_the_lines_around_its_throw(shipped, client):
    for entry in ErrorEntry.objects.all():
        body = client.get(entry.get_absolute_url()).content.decode()
        assert f'id="L{entry.line}"' in body, entry
    assert ErrorEntry.objects.count() >= 22


def test_the_pull_request_and_its_error_lead_to_each_other(shipped, client):
    row = PullRequest.objects.get()
    assert "/errors/0a4a184d34e9a38f/" in client.get(row.get_absolute_url()).content.decode()
    assert row.get_absolute_url() in client.get("/errors/0a4a184d34e9a38f/").content.decode()
