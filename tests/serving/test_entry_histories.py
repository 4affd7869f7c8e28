"""Which releases have an entry: the JSON, the export and the page say the same."""

import pytest

from errorkb.core.releases.answers import Verdict
from errorkb.ingest.exporting import export_documents, exported_rows
from errorkb.models import ErrorEntry, Release, Scan
from errorkb.serving.entry_histories import entry_histories, entry_history
from tests.builders import entry
from tests.scans import store, throw

pytestmark = pytest.mark.django_db

OTHER = throw("something else", 90, symbol="g")
COMMITS = {"v1.0": "a" * 40, "v1.1": "b" * 40, "v2.0": "c" * 40}


def scan_three() -> None:
    for release, sites in (("v1.0", (OTHER,)), ("v1.1", (throw(), OTHER)), ("v2.0", (OTHER,))):
        store(release, *sites, commit=COMMITS[release], remove=True)


def site() -> ErrorEntry:
    return ErrorEntry.objects.select_related("repository").get(symbol="f")


def test_json_export_and_page_say_the_same(client):
    scan_three()
    served = client.get(f"/api/errors/{site().public_id}").json()["computed"]
    assert served["releases"] == {
        "first": "v1.1",
        "last": "v1.1",
        "introduced": "v1.1",
        "removed": "v2.0",
        "returned": [],
        "branches": [],
        "read": 3,
    }
    assert served["ranges"] == [
        {"type": "ECOSYSTEM", "events": [{"introduced": "1.1"}, {"fixed": "2.0"}]},
        {
            "type": "GIT",
            "repo": "https://github.com/o/n",
            "events": [{"introduced": COMMITS["v1.1"]}, {"fixed": COMMITS["v2.0"]}],
        },
    ]
    assert served["versions"] == ["1.1"]
    assert served["removed_in"] == "v2.0"
    exported = dict(export_documents(exported_rows("entries"), with_computed=True))[site().public_id]["computed"]
    assert {name: exported[name] for name in ("releases", "ranges", "versions")} == {
        name: served[name] for name in ("releases", "ranges", "versions")
    }
    page = client.get(site().get_absolute_url()).content.decode()
    assert "1 of the 3 releases that we have read have it: introduced in v1.1, removed in v2.0." in page


def test_a_document_tells_where_no_scan_does(client, loader):
    loader.put("e.json", entry(id="a" * 16, releases={"first": "v0.5", "removed": "v0.9"}))
    served = client.get(f"/api/errors/{'a' * 16}").json()["computed"]
    assert (served["releases"]["first"], served["releases"]["removed"]) == ("v0.5", "v0.9")
    assert (served["ranges"], served["versions"], served["releases"]["read"]) == ([], [], 0)


def test_scans_say_nothing_of_what_no_scan_has_seen(loader):
    loader.put("e.json", entry("never found by a scan", id="a" * 16))
    store("v1", OTHER)
    told = entry_history(ErrorEntry.objects.select_related("repository").get(public_id="a" * 16)).answer("1")
    assert told.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, Verdict.NO),
        ({"path_prefix": "docs/"}, Verdict.UNKNOWN),
        ({"languages": ["rust"]}, Verdict.UNKNOWN),
        ({"package": "another"}, Verdict.UNKNOWN),
    ],
)
def test_a_scan_that_read_something_else_says_nothing(changed, verdict):
    scan_three()
    Scan.objects.filter(release="v2.0").update(**changed)
    assert entry_history(site()).answer("2.0").verdict is verdict


def test_branches_are_told_where_git_has_told_of_them():
    scan_three()
    store("v1.1.1", OTHER, remove=True)
    parents = {"v1.0": [], "v1.1": ["v1.0"], "v1.1.1": ["v1.1"], "v2.0": ["v1.1"]}
    for name, names in parents.items():
        Release.objects.filter(name=name).update(parents=names)
    found = entry_history(site()).range()
    assert [(one.branch, one.first, one.removed) for one in found.branches] == [("2.0", "v1.1", "v2.0")]
    assert entry_history(site()).answer("1.1.1").reason == "removed in v1.1.1"


def test_many_are_told_as_one_is():
    scan_three()
    rows = list(ErrorEntry.objects.select_related("repository"))
    histories = entry_histories(rows)
    for row in rows:
        for version in ("0.1", "1.0", "1.1", "1.5", "2.0", "3.0"):
            assert histories[row.pk].answer(version) == entry_history(row).answer(version)


def test_the_number_of_queries_is_the_same_for_one_and_many(django_assert_num_queries):
    scan_three()
    rows = list(ErrorEntry.objects.select_related("repository"))
    with django_assert_num_queries(3):
        entry_histories(rows)
    with django_assert_num_queries(3):
        entry_history(rows[0])
