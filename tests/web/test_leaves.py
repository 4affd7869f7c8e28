"""Every leaf of a document can be read on its page: of the samples, and of samples changed at random."""

import re
from typing import Any

import pytest

from errorkb.core.documents import EntryDocument, PullRequestDocument
from errorkb.models import ErrorEntry, PullRequest
from tests.web.conftest import sample
from tests.web.mutations import leaves, mutated
from tests.web.reading import Page

WORDS = {"None": "not given", "True": "yes", "False": "no", "''": "empty", "[]": "none", "{}": "none"}
# The first document is as it stands, each other one changed in its own way.
SEEDS = [*range(20), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(20, 60))]
HANDLER = re.compile(r"^on|^style$|^srcdoc$")


def folded(text: str) -> str:
    return " ".join(text.split())


def unreadable(document: dict, page: Page) -> list[tuple[str, Any]]:
    """Return the leaves that the page's text lacks; booleans, null and what is empty are there in words, by name."""
    facts = dict(zip((dt.text for dt in page.all("dt")), (dd.text for dd in page.all("dd")), strict=True))
    missing = []
    for name, value in leaves(document):
        word = WORDS.get(repr(value))
        listed = facts.get(name, facts.get(re.sub(r"\[\d+\]$", "", name), ""))
        shown = word in listed.split("\n") if word else folded(str(value)) in page.text
        missing += [] if shown else [(name, value)]
    return missing


def assert_harmless(page: Page) -> None:
    assert page.broken == []
    assert not [e for e in page.elements if e.tag in {"iframe", "object", "embed", "img", "style", "base", "math"}]
    assert not [name for e in page.elements for name in e.attributes if HANDLER.match(name)]
    assert not [e for e in page.all("script") if not e.attributes.get("src", "").startswith("/static/")]
    assert not [e for e in page.all("a") if not re.match(r"(/|#|\?|https?://|mailto:)", e.attributes["href"])]
    assert len(page.ids) == len(set(page.ids))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_leaf_of_an_entry_can_be_read(client, put, seed):
    document = sample("error-0a4a184d34e9a38f.json")
    if seed:
        document = mutated(document | {"schema_version": "1.9", "state": "published"}, EntryDocument, seed)
    put(document)
    entry = ErrorEntry.objects.get()
    if entry.state in ("draft", "in_review"):
        pytest.skip("not published")
    for _ in ("rendered", "kept"):
        page = Page(client.get(entry.get_absolute_url()).content.decode())
        assert_harmless(page)
        assert unreadable(document, page) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_every_leaf_of_a_pull_request_can_be_read(client, put, seed):
    document = sample("pull-request-33523.json")
    if seed:
        document = mutated(document | {"schema_version": "1.9"}, PullRequestDocument, seed)
    put(document, kind="pull_requests")
    page = Page(client.get(PullRequest.objects.get().get_absolute_url()).content.decode())
    assert_harmless(page)
    assert unreadable(document, page) == []
