"""Whether a version has an error: tables worked out by hand, and never a guess."""

import pytest

from errorkb.core.releases.answers import Answer, Claims, EntryReleases, Verdict, answer
from errorkb.core.releases.lineages import Lineage
from errorkb.core.releases.versions import Scheme
from tests.core.releases.release_tables import BRANCHED, release, states, straight

# Read: introduced in 1.2, removed in 2.0. Not read: 1.1 and 1.9 lie between others.
NEWEST = "is no version and no tag that we know; v2.2, the newest release that we have read, does not have it"
GONE = EntryReleases(
    straight("v1.0", "v1.2", "v1.3", "v2.0", "v2.2"),
    states(no="v1.0 v2.0 v2.2", yes="v1.2 v1.3"),
    Scheme.PEP440,
    "v{version}",
)
HERE = EntryReleases(straight("v1.2", "v1.4"), states(yes="v1.2 v1.4"), Scheme.PEP440)


def told(known: EntryReleases, text: str) -> tuple[str, str]:
    found = answer(known, text, ["acme"])
    return str(found.verdict), found.reason


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        ("1.2", "yes", "v1.2 has it"),
        ("v1.2", "yes", "v1.2 has it"),
        ("1.2.0", "yes", "v1.2 has it"),
        ("1.2+cu121", "yes", "v1.2 has it"),
        ("acme==1.3", "yes", "v1.3 has it"),
        ("1.0", "no", "v1.0 does not have it: introduced later, in v1.2"),
        ("2.0", "no", "removed in v2.0"),
        ("2.2", "no", "v2.2 does not have it: removed in v2.0"),
        ("1.2.5", "yes", "v1.2 and v1.3, before and after it, have it; we have not read 1.2.5"),
        ("1.3.dev0+gabc", "yes", "v1.2 and v1.3, before and after it, have it; we have not read 1.3.dev0+gabc"),
        ("2.1", "no", "removed in v2.0; we have not read 2.1"),
        ("0.9", "no", "introduced later, in v1.2"),
        ("1.0a1", "no", "introduced later, in v1.2"),
        ("3.0", "no", "removed in v2.0"),
        ("1!0.1", "no", "removed in v2.0"),
        ("1.1", "unknown", "we have not read 1.1: v1.0, before it, does not have it; v1.2, after it, has it"),
        ("1.2rc1", "unknown", "we have not read 1.2rc1: v1.0, before it, does not have it; v1.2, after it, has it"),
        ("1.3.post1", "unknown",
         "we have not read 1.3.post1: v1.3, before it, has it; v2.0, after it, does not have it"),
        ("main", "unknown", f"“main” {NEWEST}"),
        ("other==1.2", "unknown", f"“other==1.2” {NEWEST}"),
        ("", "unknown", f"“” {NEWEST}"),
    ],
)  # fmt: skip
def test_answers_for_versions_before_between_and_behind(text, verdict, reason):
    assert told(GONE, text) == (verdict, reason)


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        ("1.1", "unknown", "1.1 is older than v1.2, the oldest release that we have read, which has it"),
        ("1.5", "unknown", "1.5 is newer than v1.4, the newest release that we have read, which has it"),
        ("1.3", "yes", "v1.2 and v1.4, before and after it, have it; we have not read 1.3"),
    ],
)
def test_what_lies_outside_of_what_was_read_is_unknown(text, verdict, reason):
    assert told(HERE, text) == (verdict, reason)


def test_an_answer_says_which_release_shows_it():
    assert answer(HERE, "1.2") == Answer(Verdict.YES, "v1.2 has it", "v1.2", is_exact=True)
    assert answer(HERE, "1.3").release == "v1.2"
    assert not answer(HERE, "1.3").is_exact


def test_a_commit_is_found_by_its_first_digits():
    commit = HERE.lineage.releases[0].commit
    assert told(HERE, commit[:10]) == ("yes", "v1.2 has it")
    assert told(HERE, "f" * 40)[0] == "unknown"


def test_a_release_that_has_gone_and_come_back():
    known = EntryReleases(straight("1", "2", "3", "4"), states(yes="1 4", no="2 3"), Scheme.PEP440)
    assert told(known, "3") == ("no", "3 does not have it: removed in 2, and back in 4")
    assert told(known, "2.5") == ("no", "removed in 2, and back in 4; we have not read 2.5")


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        ("4.2.16", "no", "4.2.16 does not have it: introduced later, in 4.2.17"),
        ("4.2.18", "yes", "4.2.18 has it"),
        ("5.0", "no", "5.0 does not have it: introduced later, in 5.0.10"),
        ("5.0.9", "no", "5.0.9 does not have it: introduced later, in 5.0.10"),
        ("5.0.5", "no", "introduced later, in 5.0.10; we have not read 5.0.5"),
        ("5.1.4", "yes", "5.1 and 5.2, before and after it, have it; we have not read 5.1.4"),
        ("5.0.11", "yes", "5.0.10 and 5.1, before and after it, have it; we have not read 5.0.11"),
        ("4.2.19", "unknown", "we have not read 4.2.19: 4.2.18, before it, has it; 5.0, after it, does not have it"),
        ("6.0", "unknown", "6.0 is newer than 5.2, the newest release that we have read, which has it"),
    ],
)
def test_each_branch_has_its_own_history(text, verdict, reason):
    has = states(no="4.2 4.2.16 5.0 5.0.9", yes="4.2.17 4.2.18 5.0.10 5.1 5.2")
    assert told(EntryReleases(BRANCHED, has, Scheme.PEP440), text) == (verdict, reason)


@pytest.mark.parametrize(
    ("has", "text", "verdict", "reason"),
    [
        (states(yes="4.2 5.0 5.1 5.2"), "4.2.18", "unknown",
         "4.2.18 is on another branch than what we have read; 4.2, before it, has it"),
        (states(no="4.2.16 5.0", yes="5.1 5.2"), "4.2.17", "unknown",
         "4.2.17 is on another branch than what we have read; 4.2.16, before it, does not have it"),
        (states(yes="4.2 5.2"), "5.1", "yes", "4.2 and 5.2, before and after it, have it; we have not read 5.1"),
        (states(no="4.2", yes="5.2"), "5.0", "unknown",
         "we have not read 5.0: 4.2, before it, does not have it; 5.2, after it, has it"),
        (states(no="4.2 5.0.9", yes="5.0.10"), "5.0", "no",
         "introduced later, in 5.0.10; 4.2 and 5.0.9, before and after it, do not have it"),
        (states(no="4.2", yes="4.2.17"), "5.0", "unknown",
         "5.0 is newer than 4.2.17, the newest release that we have read, which has it"),
        (states(yes="5.0"), "4.2", "unknown",
         "4.2 is older than 5.0, the oldest release that we have read, which has it"),
        (states(no="4.2 5.1 5.2", yes="4.2.17"), "5.2", "no",
         "5.2 does not have it: it is on another branch only, in 4.2.17"),
    ],
)  # fmt: skip
def test_a_known_release_is_told_by_what_it_descends_from(has, text, verdict, reason):
    assert told(EntryReleases(BRANCHED, has, Scheme.PEP440), text) == (verdict, reason)


CLAIMED = EntryReleases(
    straight("v0.5.18", "v0.5.23"),
    {"v0.5.23": True},
    Scheme.PEP440,
    claims=Claims(pin="v0.5.20", first="v0.5.18", removed="v0.7.0"),
)


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        ("0.5.23", "yes", "v0.5.23 has it"),
        ("0.5.18", "yes", "its document says that v0.5.18 has it; we have not read it"),
        ("0.5.20", "yes", "its document says that v0.5.20 has it; we have not read it"),
        ("0.5.19", "yes", "v0.5.18 and v0.5.20, before and after it, have it; we have not read 0.5.19"),
        ("0.5.17", "no", "introduced later, in v0.5.18"),
        ("0.7.0", "no", "its document says that v0.7.0 no longer has it; we have not read it"),
        ("0.8", "no", "removed in v0.7.0"),
        ("0.6", "unknown", "we have not read 0.6: v0.5.23, before it, has it; v0.7.0, after it, does not have it"),
    ],
)
def test_a_document_tells_where_no_scan_does(text, verdict, reason):
    assert told(CLAIMED, text) == (verdict, reason)


def test_what_scans_saw_outweighs_what_a_document_says():
    claims = Claims(first="v2", last="v1", removed="v1.5")
    known = EntryReleases(straight("v1", "v2"), states(yes="v1 v2"), Scheme.PEP440, claims=claims)
    assert told(known, "1.2") == ("yes", "v1 and v2, before and after it, have it; we have not read 1.2")
    assert told(known, "0.5") == ("unknown", "0.5 is older than v1, the oldest release that we have read, which has it")


def test_without_any_reading_nothing_is_known():
    known = EntryReleases(Lineage([]), {}, Scheme.PEP440)
    assert told(known, "1.0") == ("unknown", "we have read no release that tells")
    assert told(known, "x") == ("unknown", "“x” is no version and no tag that we know")


def test_builds_of_one_version_are_told_apart_where_they_were_read():
    order = straight("2.5.0+cpu", "2.5.0+cu121")
    known = EntryReleases(order, states(no="2.5.0+cpu", yes="2.5.0+cu121"), Scheme.PEP440)
    assert told(known, "2.5.0+cu121") == ("yes", "2.5.0+cu121 has it")
    assert told(known, "2.5.0+cpu")[0] == "no"
    assert told(known, "2.5.0") == ("yes", "2.5.0+cu121 has it")


def test_long_texts_are_shortened():
    assert len(told(HERE, "x" * 100_000)[1]) < 200


def test_semantic_versions_answer_too():
    order = Lineage(release(label, scheme=Scheme.SEMVER) for label in ("v1.0.0-rc.1", "v1.0.0", "v1.1.0"))
    known = EntryReleases(order, states(no="v1.0.0-rc.1", yes="v1.0.0 v1.1.0"), Scheme.SEMVER)
    assert told(known, "1.0.5")[0] == "yes"
    assert told(known, "1.0.0-rc.2")[0] == "unknown"
    assert told(known, "1.0.0-beta")[0] == "no"
