"""What scans saw of an entry, in the admin: to be read, not to be changed."""

import pytest

from errorkb.models import ErrorEntry
from tests.admin.browsing import opened_form
from tests.admin.conftest import address
from tests.admin.test_lists import found
from tests.builders import entry
from tests.scans import store, throw


@pytest.fixture
def scanned(loader) -> ErrorEntry:
    source = {"path": "a.py", "line": 10, "symbol": "f", "release": "v1"}
    loader.put("a.json", entry("bad %s", placeholders="percent", meaning="m", source=source))
    store("v1", throw(line=12))
    store("v2", throw("worse %s <b>", line=30))
    return ErrorEntry.objects.get()


def shown(client, row: ErrorEntry) -> str:
    html = client.get(address(row)).content.decode()
    return html[html.find('id="sightings"') : html.find("<form method")]


def test_lists_sightings_newest_first(ada, scanned):
    html = shown(ada, scanned)
    assert html.find("a.py:30") < html.find("a.py:12")
    assert "worse {0} &lt;b&gt;" in html
    assert "same function and type, text reworded" in html
    assert "<input" not in html


def test_says_where_it_is_gone(ada, scanned):
    assert "No longer found" not in shown(ada, scanned)
    store("v3", remove=True)
    assert "No longer found in v3." in shown(ada, scanned)


def test_leads_to_what_has_changed_since_the_words_were_written(ada, loader, scanned):
    assert f'<a href="{scanned.get_absolute_url()}#changes">The code around it has changed</a>' in shown(ada, scanned)
    loader.put("b.json", entry("another"))
    assert found(ada, stale__exact="1") == ["bad %s"]
    assert found(ada, stale__exact="0") == ["another"]
    store("v3", throw(line=12))
    assert "has changed" not in shown(ada, scanned)


def test_has_no_table_where_nothing_was_scanned(ada, seed, report):
    for row in (seed, report):
        assert "Seen by scans" not in ada.get(address(row)).content.decode()
    assert "Seen by scans" not in ada.get("/admin/errorkb/errorentry/add/").content.decode()


def test_saving_the_form_leaves_sightings_alone(ada, scanned):
    opened_form(ada, address(scanned)).fill(doc__trigger="x", reason="r").send()
    row = ErrorEntry.objects.get()
    assert (row.as_document()["trigger"], row.newest_id, row.sightings.count()) == ("x", scanned.newest_id, 2)


def test_lists_can_be_filtered_by_removed(ada, loader, scanned):
    loader.put("b.json", entry("still there"))
    store("v3", remove=True)
    assert found(ada, removed__exact="1") == ["bad %s"]
    assert found(ada, removed__exact="0") == ["still there"]


def test_a_form_costs_the_same_however_many_scans_there_were(ada, scanned, django_assert_num_queries):
    with django_assert_num_queries(5):
        ada.get(address(scanned))
    for number in range(5):
        store(f"v3.{number}", throw("worse %s <b>", line=30 + number))
    with django_assert_num_queries(5):
        ada.get(address(scanned))
