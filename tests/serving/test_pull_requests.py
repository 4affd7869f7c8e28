"""The pull requests of an entry: named ones with what was found of them, found ones beside them."""

import json

import pytest

from errorkb.ingest.exporting import export_documents, exported_rows
from errorkb.models import ErrorEntry, PullRequest
from errorkb.serving.computed import served_entry
from errorkb.serving.known_pull_requests import known_numbers, touched_entries
from errorkb.serving.pull_requests import linked_pull_requests
from tests.builders import entry

REPORT = {
    "schema_version": "1.0",
    "repository": "o/n",
    "number": 7,
    "fixes": [{"exception_type": "ValueError", "message": "bad value for the key"}],
}


@pytest.fixture
def put(loader):
    def put_named(*named: dict) -> ErrorEntry:
        loader.put("e.json", entry("bad value for the key", pull_requests=list(named)))
        loader.put("r.json", REPORT, kind="pull_requests")
        return ErrorEntry.objects.for_page().get()

    return put_named


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ([], [(7, "fixed", "product", 1)]),
        ([{"number": 7, "role": "fixed"}], [(7, "fixed", "document", 1)]),
        ([{"number": 7}], [(7, "fixed", "document", 1)]),
        ([{"number": 7, "role": "moved"}], [(7, "moved", "document", 0), (7, "fixed", "product", 1)]),
        ([{"number": 8, "role": "fixed"}], [(8, "fixed", "document", 0), (7, "fixed", "product", 1)]),
    ],
)
def test_tells_each_once_from_both_sides(put, named, expected):
    row = put(*named)
    links = linked_pull_requests(row)
    assert [(link.number, link.role, link.named_by, len(link.evidence)) for link in links] == expected
    touched = touched_entries(row.repository_id, 7)
    assert [(one.role, one.named_by, len(one.evidence)) for one in touched] == [
        (role, named_by, count) for number, role, named_by, count in expected if number == 7
    ]


def test_json_and_export_agree(put):
    row = put({"number": 8, "role": "moved"})
    ((_, exported),) = export_documents(exported_rows("entries"), with_computed=True)
    served = served_entry(row)["computed"]["pull_requests"]
    assert json.loads(json.dumps(exported["computed"]["pull_requests"])) == served
    assert [(link["number"], link["named_by"], link["has_report"]) for link in served] == [
        (8, "document", False),
        (7, "product", True),
    ]


def test_knows_the_numbers_that_have_no_report(put, loader):
    row = put({"number": 8, "role": "moved"}, {"number": 7})
    loader.put("r.json", REPORT | {"introduced_by": {"number": 5}}, kind="pull_requests", force=True)
    assert known_numbers(row.repository) == [8, 5]
    assert PullRequest.objects.count() == 1
