"""Documents that mean harm open in the form, are saved from it, and lose nothing."""

import json
import time

import pytest

from errorkb.admin.forms import budgets
from errorkb.models import ErrorEntry, PullRequest
from tests.admin.browsing import opened_form
from tests.admin.conftest import address
from tests.builders import entry

# Forms and pages; what a base takes is tested where documents are loaded.
pytestmark = pytest.mark.once

SCRIPT = "</textarea></script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
MEBIBYTE = 1024 * 1024
SOLUTION = {"text": SCRIPT, "kind": "other", "evidence": [{"url": "javascript:alert(1)"}]}

HOSTILE = {
    "scripts everywhere": entry(
        SCRIPT,
        meaning=SCRIPT,
        exception_type=SCRIPT[:300],
        tags=[SCRIPT],
        solutions=[SCRIPT, SOLUTION],
        samples=[SCRIPT],
        references=[{"url": "javascript:alert(1)"}],
        slots=[{"name": SCRIPT}],
    ),
    "a text of eight mebibytes": entry(meaning="x" * (8 * MEBIBYTE - 500)),
    "a text of two-byte line breaks": entry(meaning="\r\n" * 90_000),
    "a message of two mebibytes": entry("%s " * 700_000, meaning="m"),
    "many long texts": entry(solutions=["x" * 150_000] * 50),
    "a thousand objects": entry(solutions=[SOLUTION] * 1000),
    "a hundred thousand lines": entry(tags=["t"] * 100_000, conditions=["c"] * 100_000),
    "many lists within a list": entry(solutions=[{"text": "t", "evidence": [{"url": "u"}] * 100}] * 100),
    "brackets": entry(meaning="[" * 100_000, trigger="*" * 100_000, common_situations="> " * 50_000),
    "overrides": entry("a\u202eb\u2066c\u200f", meaning="\u202eabc", source={"path": "\u202ea.py", "symbol": "\u2066"}),
    "controls": entry("a\x01\x1b\x7f", meaning="\x0b\x0c", tags=["a\x85b"], code="\u2028\u2029"),
    "texts of several lines in lists of lines": entry(tags=["a\nb", ""], aliases=[]),
    "line breaks in names": entry(exception_type="A\nB", code="\r", source={"symbol": "a\r\nb"}),
    "empty parts": entry(source={}, releases={}, analysis={}, withdrawn={}, solutions=[], wordings=[{}]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_open_and_keep_what_was_not_touched(ada, loader, name):
    assert loader.put("a.json", HOSTILE[name]) == ["created"]
    row = ErrorEntry.objects.get()
    started = time.process_time()
    form = opened_form(ada, address(row))
    assert "<script>alert" not in form.html
    assert "<img src=x" not in form.html
    assert len(form.html) < 8 * MEBIBYTE
    assert form.fill(reason="only looking").send().status_code == 302
    assert ErrorEntry.objects.get().document == row.document
    response = form.fill(doc__cause="bug", reason="said why").send()
    assert response.status_code == 302, "nothing wrong is found in it"
    assert json.dumps(ErrorEntry.objects.get().as_document()) == json.dumps(HOSTILE[name] | {"cause": "bug"})
    history = ada.get(address(row, "history")).content.decode()
    assert "<script>alert" not in history
    assert time.process_time() - started < 30


def test_what_the_form_does_not_take_is_shown_to_be_read(ada, loader):
    loader.put("a.json", entry(meaning="m" * 300_000, solutions=[f"way {n}" for n in range(3_000)]))
    html = opened_form(ada, address(ErrorEntry.objects.get())).html
    assert "Too long to be edited here; it stays as it is." in html
    assert "(280000 characters more)" in html
    assert "more, too many to be edited here. They stay as they are, behind the others." in html


def test_rows_that_the_form_does_not_take_stay_behind_the_others(ada, loader):
    ways = [f"way {n}" for n in range(3_000)]
    loader.put("a.json", entry(solutions=ways))
    row = ErrorEntry.objects.get()
    form = opened_form(ada, address(row)).fill(doc__solutions__0__ORDER="2", doc__solutions__1__ORDER="1", reason="r")
    form.tick("doc-solutions-2-DELETE").send()
    assert ErrorEntry.objects.get().as_document()["solutions"] == [ways[1], ways[0], *ways[3:]]


def test_a_hostile_report_opens(ada, loader):
    report = {
        "summary": SCRIPT,
        "implementation": [SCRIPT] * 2_000,
        "key_files": [{"path": SCRIPT, "symbols": ["s"] * 500}] * 100,
        "snippets": [{"code": "x" * 100_000}] * 30,
        "sections": [{"heading": SCRIPT, "body": "[" * 100_000}],
    }
    document = {"schema_version": "1.0", "repository": "o/n", "number": 1, "report": report}
    assert loader.put("p.json", document, kind="pull_requests") == ["created"]
    row = PullRequest.objects.get()
    form = opened_form(ada, address(row))
    assert "<script>alert" not in form.html
    assert form.fill(doc__title="t", reason="r").send().status_code == 302
    assert PullRequest.objects.get().as_document() == document | {"title": "t"}


def test_invisible_characters_are_named(ada, loader):
    loader.put("a.json", entry(meaning="a\u202eb"))
    assert "Holds invisible characters: U+202E." in opened_form(ada, address(ErrorEntry.objects.get())).html


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"doc-meaning": "x"},
        {"doc-solutions-TOTAL_FORMS": "99999999", "doc-solutions-INITIAL_FORMS": "5"},
        {"doc-solutions-TOTAL_FORMS": "-1", "doc-solutions-INITIAL_FORMS": "x"},
        {"doc-kind": "oops", "doc-source-line": "9" * 5_000},
        {"doc-meaning": "a\x00b"},
        {"read_hash": "x" * 10_000},
    ],
)
def test_what_no_form_sends_changes_nothing(ada, seed, sent, monkeypatch):
    monkeypatch.setattr(budgets, "MOST_ADDED", 100)
    response = ada.post(address(seed), {"reason": "r", "read_hash": seed.content_hash, "_save": ""} | sent)
    assert response.status_code == 200
    assert ErrorEntry.objects.get().document == seed.document


def test_more_fields_than_a_form_has_are_refused(ada, seed):
    sent = {f"x{n}": "" for n in range(20_000)}
    assert ada.post(address(seed), sent).status_code == 400
