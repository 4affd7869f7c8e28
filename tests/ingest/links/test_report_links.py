"""Reports and entries find each other by text, whichever came first; the same file alone links nothing."""

import itertools
import json
from pathlib import Path

import pytest

from errorkb.models import ErrorEntry, FoundPullRequest, PullRequest, PullRequestMention, QuotedMessage
from tests.builders import entry, site
from tests.scans import store, throw

SAMPLES = Path(__file__).parents[2] / "samples" / "documents"
SEED_ENTRY = json.loads((SAMPLES / "error-0a4a184d34e9a38f.json").read_text("utf-8"))
SEED_REPORT = json.loads((SAMPLES / "pull-request-33523.json").read_text("utf-8"))
CONN = "python/sglang/srt/disaggregation/ascend/conn.py"
UNLINKED = {name: value for name, value in SEED_ENTRY.items() if name != "pull_requests"}
FUNCTION = 'def f(x):\n    if not x:\n        raise ValueError("no room "\n            "for the %s" % x)\n'
THROWN = {"path": "a.py", "language": "python", "code": FUNCTION}

PATCH = THROWN | {"language": "diff", "code": "@@\n def f(x):\n+    raise ValueError('no room for the %s' % x)"}


def report(number: int = 7, **fields) -> dict:
    return {"schema_version": "1.0", "repository": "o/n", "number": number} | fields


def decoy(number: int, n: int) -> dict:
    """Return a report on the seed's file, and mostly on its function, that brought another change."""
    seed = SEED_REPORT["report"]
    told = [
        {"summary": "重构 send_kvcache 的分组逻辑", "motivation": "提升性能。"},
        {"summary": "Speed up send_kvcache", "risk": "Adds a path; NotImplementedError is still raised."},
        {"summary": "Typo", "snippets": seed["snippets"], "implementation": ["仅调整注释，行为保持不变。"]},
        {"summary": "Adds a NotImplementedError for another layout", "key_files": seed["key_files"]},
        {"summary": "HiSparse destination device KV indices are now logged", "snippets": seed["snippets"]},
    ][n % 5]  # fmt: skip
    made = {"key_files": seed["key_files"], "key_symbols": ["send_kvcache"], **told}
    facts = {
        "number": number,
        "title": "Change conn.py",
        "url": f"https://github.com/sgl-project/sglang/pull/{number}",
        "merged_at": f"2026-0{1 + n % 9}-01T00:00",
    }
    return SEED_REPORT | facts | {"report": made, "related": []}


def links(**conditions) -> list[tuple[int, str]]:
    rows = FoundPullRequest.objects.filter(**conditions).order_by("entry", "number")
    return [(row.number, row.role) for row in rows]


@pytest.mark.parametrize("first", ["entry", "report"])
def test_links_the_seeds_without_their_explicit_link_whichever_comes_first(loader, first):
    kinds = {"entry": ("entries", UNLINKED), "report": ("pull_requests", SEED_REPORT)}
    for name in sorted(kinds, key=lambda name: name != first):
        kind, document = kinds[name]
        assert loader.put(f"{name}.json", document, kind=kind) == ["created"]
    assert links() == [(33523, "introduced")]
    texts = {piece["kind"]: piece["text"] for piece in FoundPullRequest.objects.get().evidence}
    assert (
        "NotImplementedError: Ascend PD transfer does not support HiSparse destination device KV indices"
        in texts["snippet"]
    )
    assert "抛出 NotImplementedError" in texts["text"]
    assert texts["file"] == f"{CONN} is among its key files"
    assert texts["symbol"] == "send_kvcache is among its key symbols"


def test_links_no_decoy_on_the_same_file_as_introducing(loader):
    decoys = [decoy(33000 + n, n) for n in range(50)]
    assert loader.put("d.json", *decoys, kind="pull_requests") == ["created"] * 50
    loader.put("e.json", UNLINKED)
    assert "introduced" not in {role for _, role in links()}
    loader.put("r.json", SEED_REPORT, kind="pull_requests")
    assert links(role="introduced") == [(33523, "introduced")]
    assert {number for number, _ in links()} <= {33523, *(33000 + n for n in range(50) if n % 5 in (2, 4))}


def test_is_the_same_in_every_order_and_when_loaded_again(loader):
    documents = [("entries", UNLINKED), ("pull_requests", SEED_REPORT), ("pull_requests", decoy(33001, 4))]
    found = []
    for order in itertools.permutations(documents):
        for n, (kind, document) in enumerate(order):
            loader.put(f"{n}.json", document, kind=kind, force=True)
        found.append(links())
        ErrorEntry.objects.all().delete()
        PullRequest.objects.all().delete()
    assert found == [[(33001, "mentioned"), (33523, "introduced")]] * 6


def test_joins_adjacent_literals_of_a_snippet_before_it_compares(loader):
    loader.put("e.json", entry("no room for the %s", placeholders="percent", source=site()))
    told = {"snippets": [THROWN], "implementation": ["Raises ValueError where there is no room for the thing."]}
    loader.put("r.json", report(report=told), kind="pull_requests")
    assert links() == [(7, "introduced")]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param({"snippets": [THROWN]}, [(7, "mentioned")], id="a throw of which it says nothing"),
        pytest.param({"key_files": [{"path": "a.py"}], "key_symbols": ["f"]}, [], id="the same file and function"),
        pytest.param({"snippets": [THROWN | {"path": "b.py"}]}, [], id="it in another file"),
        pytest.param(
            {"snippets": [THROWN | {"code": FUNCTION.replace("f(x)", "g(x)")}]}, [], id="it in another function"
        ),
        pytest.param(
            {"snippets": [THROWN | {"code": FUNCTION.replace("Value", "Type")}]}, [], id="the same text of another type"
        ),
        pytest.param(
            {"snippets": [THROWN], "implementation": ["ValueError: no room for the x is still raised, nothing new."]},
            [(7, "mentioned")],
            id="a throw that it says to keep",
        ),
        pytest.param({"motivation": "Users saw `ValueError: no room for the bed`."}, [(7, "mentioned")], id="a quote"),
        pytest.param({"summary": "Fix error: no room for the bed"}, [(7, "fixed")], id="a quote of what it fixes"),
        pytest.param(
            {"snippets": [PATCH]},
            [(7, "introduced")],
            id="a patch that adds it",
        ),
        pytest.param(
            {"snippets": [PATCH | {"code": PATCH["code"].replace("+", "-")}]},
            [(7, "removed")],
            id="a patch that takes it away",
        ),
    ],
)  # fmt: skip
def test_links_by_text_alone_with_the_role_that_it_shows(loader, told, expected):
    loader.put("e.json", entry("no room for the %s", placeholders="percent", source=site()))
    loader.put("r.json", report(report=told), kind="pull_requests")
    assert links() == expected


def test_links_a_stated_fix(loader):
    loader.put(
        "r.json",
        report(fixes=[{"exception_type": "ValueError", "message": "bad value for the key"}]),
        kind="pull_requests",
    )
    loader.put("e.json", entry("bad value for the key"), entry("another message altogether"))
    assert links() == [(7, "fixed")]


def test_takes_a_link_back_with_what_it_followed_from(loader):
    loader.put("e.json", entry("bad value for the key"))
    loader.put("r.json", report(fixes=[{"message": "bad value for the key"}]), kind="pull_requests")
    loader.put("r.json", report(fixes=[{"message": "quite another text"}]), kind="pull_requests")
    assert links() == []


def test_believes_the_document_that_names_another_introducer(loader):
    told = {"snippets": [THROWN], "implementation": ["Raises ValueError where there is no room for the thing."]}
    loader.put("r.json", report(report=told), kind="pull_requests")
    named = [{"number": 3, "role": "introduced"}]
    loader.put("e.json", entry("no room for the %s", placeholders="percent", source=site(), pull_requests=named))
    assert links() == [(7, "mentioned")]


def test_links_entries_that_scans_made_by_any_wording_that_they_had(loader):
    store("v1", throw("no room for the %s"))
    store("v2", throw("there is no room left for the %s"))
    loader.put("r.json", report(report={"snippets": [THROWN]}), kind="pull_requests")
    assert links() == [(7, "mentioned")]


def test_counts_an_entry_as_changed_when_it_gets_a_link(loader):
    loader.put("e.json", entry("bad value for the key"))
    before = ErrorEntry.objects.get().modified_at
    loader.put("r.json", report(fixes=[{"message": "bad value for the key"}]), kind="pull_requests")
    assert ErrorEntry.objects.get().modified_at > before


def test_keeps_bare_values_out_of_what_is_looked_for(loader):
    fixes = [{"exception_type": "KeyError", "message": "'dst_device_kv_indices'"}, {"message": "42"}]
    loader.put("r.json", report(fixes=fixes), kind="pull_requests")
    assert list(QuotedMessage.objects.values_list("key", flat=True)) == ["", ""]


def test_remembers_whom_a_report_names_as_introducing(loader):
    loader.put("r.json", SEED_REPORT, kind="pull_requests")
    mention = PullRequestMention.objects.get()
    assert (str(mention.repository), mention.number) == ("sgl-project/sglang", 31901)
    assert "引入" in mention.text


def test_holds_reports_against_entries_of_a_repository_that_turns_out_to_be_the_same(loader):
    loader.put("e.json", entry("bad value for the key", repository="old/n"))
    loader.put("r.json", report(fixes=[{"message": "bad value for the key"}]), kind="pull_requests")
    assert links() == []
    renamed = {"schema_version": "1.0", "name": "o/n", "aliases": ["old/n"]}
    assert loader.put("n.json", renamed, kind="repositories") == ["created"]
    assert links() == [(7, "fixed")]
