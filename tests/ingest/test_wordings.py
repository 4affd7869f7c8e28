"""Wordings follow documents and sightings, in the transaction that writes those."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from errorkb.ingest.integrity import find_strays, rebuild_rows
from errorkb.ingest.wordings import are_missing, sync_wordings
from errorkb.models import ErrorEntry, Wording
from errorkb.scanning.sites import Wording as SiteWording
from tests.builders import entry, site
from tests.scans import store, throw

pytestmark = pytest.mark.django_db


def wordings(**filters) -> list[tuple[str, str, str, bool]]:
    rows = Wording.objects.filter(**filters).order_by("entry", "position")
    return list(rows.values_list("template", "first", "last", "is_current"))


def reworded(*texts: str) -> tuple[SiteWording, ...]:
    return tuple(SiteWording(text, "percent", text.replace("%s", "{0}")) for text in texts)


def test_a_document_has_its_message_and_its_wordings(loader):
    old = {"message": "old text %s", "template": "old text {0}", "from": "v1", "until": "v2"}
    also = {"message": "also said of %s"}
    loader.put("a.json", entry("new text %s", placeholders="percent", wordings=[old, also]))
    assert wordings() == [
        ("new text {0}", "", "", True),
        ("also said of {0}", "", "", True),
        ("old text {0}", "v1", "v2", False),
    ]
    assert list(Wording.objects.values_list("message", flat=True)) == ["new text %s", "also said of %s", "old text %s"]


def test_a_wording_that_does_not_follow_its_style_is_literal(loader):
    loader.put("a.json", entry("good {x}", placeholders="fstring", wordings=[{"message": "open {brace"}]))
    assert [row[0] for row in wordings()] == ["good {x}", "open {{brace"]


def test_an_entry_without_a_message_has_none(loader):
    loader.put("a.json", entry(""))
    assert wordings() == []


def test_an_edit_changes_them(loader):
    loader.put("a.json", entry("first message here", wordings=[{"message": "second message here"}]))
    loader.put("a.json", entry("first message here"), writer="a.json")
    loader.put("a.json", entry("first message here", wordings=[{"message": "third message here"}]))
    assert [row[0] for row in wordings()] == ["first message here", "third message here"]


def test_sightings_say_which_releases_have_a_wording():
    store("v1.0", throw("old text %s"), version="1.0")
    store("v2.0", throw(wordings=reworded("new text %s")), version="2.0")
    store("v3.0", throw(wordings=reworded("new text %s")), version="3.0")
    assert wordings() == [("new text {0}", "v2.0", "v3.0", True), ("old text {0}", "v1.0", "v1.0", False)]


def test_releases_are_ordered_by_version_and_not_by_scanning():
    store("v3.0", throw("a text %s"), version="3.0")
    store("v1.0", throw("a text %s"), version="1.0")
    assert wordings() == [("a text {0}", "v1.0", "v3.0", True)]


def test_all_wordings_of_a_conditional_message_are_there():
    store("v1", throw(wordings=reworded("no file %s", "no folder %s")))
    assert [row[0] for row in wordings()] == ["no file {0}", "no folder {0}"]


def test_a_document_of_an_old_release_and_the_newest_sighting_are_both_current(loader):
    loader.put("a.json", entry("old text here", source=site(10)))
    store("v2", throw(wordings=(SiteWording("new text here", None, "new text here"),)))
    assert [(row[0], row[3]) for row in wordings()] == [("old text here", True), ("new text here", True)]


def test_keys_come_with_them(loader):
    loader.put("a.json", entry("quantization unsupported"))
    assert list(Wording.objects.values_list("key", "check_key")) == [("quantization", "unsuppor")]


def test_place_and_type_have_keys(loader):
    loader.put("a.json", entry("bad", exception_type="pkg.MyError", source=site(3, "src/pkg/a_b.py", "C.do_it")))
    row = ErrorEntry.objects.get()
    assert (row.frame_key, row.type_key) == ("pkg/ab.py:doit", "MyError")


def test_a_moved_site_has_the_frame_key_of_its_newest_place():
    store("v1", throw("a text %s", path="p/a.py"))
    store("v2", throw("a text %s", path="p/b.py"))
    assert list(ErrorEntry.objects.values_list("frame_key", flat=True)) == ["p/b.py:f"]


def test_repositories_that_become_one_have_the_wordings_of_both(loader):
    store("v1", throw("same text %s"), repository="p/old")
    store("v2", throw("same text %s"), repository="o/n")
    loader.put("r.json", {"schema_version": "1.0", "name": "o/n", "aliases": ["p/old"]}, kind="repositories")
    assert [(row[0], row[1], row[2]) for row in wordings()] == [("same text {0}", "v1", "v2")]
    assert list(find_strays()) == []


def test_an_entry_that_goes_takes_them_along(loader):
    loader.put("a.json", entry("some message here"))
    ErrorEntry.objects.all().delete()
    assert not Wording.objects.exists()


@pytest.mark.parametrize(
    "change",
    [{"key": "elsewhere"}, {"template": "another"}, {"last": "v9"}, {"is_current": False}, {"position": 7}],
)
def test_strays_are_found_and_mended(loader, change):
    loader.put("a.json", entry("quantization unsupported"))
    before = list(Wording.objects.values())
    Wording.objects.update(**change)
    assert [stray.text for stray in find_strays()] == ["its wordings and their keys do not follow"]
    rebuild_rows()
    assert list(find_strays()) == []
    assert [row | {"id": 0} for row in Wording.objects.values()] == [row | {"id": 0} for row in before]


def test_lost_wordings_are_made_anew(loader):
    loader.put("a.json", entry("quantization unsupported"), entry("another message"))
    Wording.objects.all().delete()
    assert len(list(find_strays())) == 2
    rebuild_rows()
    assert list(find_strays()) == []


def test_queries_do_not_grow_with_the_batch(loader):
    loader.put("a.json", *(entry(f"message number {n} here") for n in range(60)))
    keys = list(ErrorEntry.objects.values_list("pk", flat=True))

    def queries(some: list[int]) -> int:
        Wording.objects.all().delete()
        with CaptureQueriesContext(
            connection,
        ) as found:
            sync_wordings(some)
        return len(found)

    assert queries(keys[:2]) == queries(keys)


def test_a_base_from_before_there_were_wordings_is_known(loader):
    assert not are_missing()
    loader.put("a.json", entry("quantization unsupported"), entry(""))
    assert not are_missing()
    Wording.objects.all().delete()
    assert are_missing()
    call_command("rebuild_index", "--if-needed")
    assert (are_missing(), Wording.objects.count()) == (False, 1)
