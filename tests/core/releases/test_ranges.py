"""Which releases have an error: tables worked out by hand."""

import pytest

from errorkb.core.releases.lineages import KnownRelease, Lineage
from errorkb.core.releases.ranges import BranchRange, entry_range, osv_ranges
from errorkb.core.releases.versions import Scheme
from tests.core.releases.release_tables import BRANCHED, release, states, straight

FIVE = straight("v1.0", "v1.1", "v1.2", "v1.10", "v2.0")


@pytest.mark.parametrize(
    ("has", "first", "last", "introduced", "removed", "returned"),
    [
        (states(yes="v1.0 v1.1 v1.2 v1.10 v2.0"), "v1.0", "v2.0", "", "", ()),
        (states(no="v1.0", yes="v1.1 v1.2 v1.10 v2.0"), "v1.1", "v2.0", "v1.1", "", ()),
        (states(yes="v1.0 v1.1 v1.2", no="v1.10 v2.0"), "v1.0", "v1.2", "", "v1.10", ()),
        (states(no="v1.0 v2.0", yes="v1.2"), "v1.2", "v1.2", "v1.2", "v2.0", ()),
        (states(yes="v1.0 v1.2", no="v1.1 v1.10 v2.0"), "v1.0", "v1.2", "", "v1.10", ("v1.2",)),
        (states(yes="v1.0 v2.0", no="v1.2"), "v1.0", "v2.0", "", "", ("v2.0",)),
        (states(no="v1.0 v1.1"), "", "", "", "", ()),
        ({}, "", "", "", "", ()),
    ],
)
def test_says_first_last_removed_and_returned_by_version(has, first, last, introduced, removed, returned):
    found = entry_range(FIVE, has)
    assert (found.first, found.last, found.introduced, found.removed) == (first, last, introduced, removed)
    assert found.returned == returned
    assert found.branches == ()


def test_order_of_versions_decides_and_not_that_of_telling():
    order = straight("2.0", "1.0rc1", "1.10", "1.0", "1.9")
    assert [one.label for one in order.releases] == ["1.0rc1", "1.0", "1.9", "1.10", "2.0"]


def test_branches_follow_ancestry():
    assert [(line.name, [one.label for one in line.own]) for line in BRANCHED.lines] == [
        ("5.2", ["4.2", "5.0", "5.1", "5.2"]),
        ("5.0", ["5.0.9", "5.0.10"]),
        ("4.2", ["4.2.16", "4.2.17", "4.2.18"]),
    ]
    assert [one.label for one in BRANCHED.lines[1].before] == ["4.2", "5.0"]


def test_a_backported_error_has_a_range_on_each_branch():
    """Brought by 5.1's development, and taken into 4.2.17 and 5.0.10."""
    has = states(no="4.2 4.2.16 5.0 5.0.9", yes="4.2.17 4.2.18 5.0.10 5.1 5.2")
    found = entry_range(BRANCHED, has)
    assert (found.first, found.last, found.introduced, found.removed) == ("4.2.17", "5.2", "4.2.17", "")
    assert found.returned == ()
    assert found.branches == (
        BranchRange("5.2", "5.1", "5.2", "5.1", ""),
        BranchRange("5.0", "5.0.10", "5.0.10", "5.0.10", ""),
        BranchRange("4.2", "4.2.17", "4.2.18", "4.2.17", ""),
    )


def test_an_error_that_main_has_lost_lives_on_beside_it():
    has = states(yes="4.2 4.2.16 4.2.17 4.2.18 5.0 5.0.9 5.0.10", no="5.1 5.2")
    found = entry_range(BRANCHED, has)
    assert (found.first, found.last, found.introduced, found.removed) == ("4.2", "5.0.10", "", "5.1")
    assert found.branches == (
        BranchRange("5.2", "4.2", "5.0", "", "5.1"),
        BranchRange("5.0", "5.0.9", "5.0.10", "", "", inherited=True),
        BranchRange("4.2", "4.2.16", "4.2.18", "", "", inherited=True),
    )


def test_an_error_of_one_branch_alone_is_removed_there():
    has = states(no="4.2 4.2.16 4.2.18 5.0 5.0.9 5.0.10 5.1 5.2", yes="4.2.17")
    found = entry_range(BRANCHED, has)
    assert (found.first, found.last, found.introduced, found.removed) == ("4.2.17", "4.2.17", "4.2.17", "4.2.18")


def test_a_release_without_a_version_stands_behind_what_it_descends_from():
    order = Lineage([release("1.0", known=True), release("nightly", "1.0"), release("2.0", "nightly")])
    assert [one.label for one in order.releases] == ["1.0", "nightly", "2.0"]
    found = entry_range(order, states(no="1.0", yes="nightly 2.0"))
    assert (found.first, found.introduced) == ("nightly", "nightly")


def test_ancestry_that_goes_in_a_circle_ends():
    order = Lineage([release("1.0", "2.0"), release("2.0", "1.0"), release("3.0", "3.0")])
    assert entry_range(order, states(yes="1.0 2.0 3.0")).first == "1.0"


@pytest.mark.parametrize(
    ("has", "events"),
    [
        (states(yes="v1.0 v1.1 v2.0"), [{"introduced": "1.0"}]),
        (states(no="v1.0", yes="v1.1 v1.2"), [{"introduced": "1.1"}]),
        (states(no="v1.0 v1.10", yes="v1.1 v1.2"), [{"introduced": "1.1"}, {"fixed": "1.10"}]),
        (
            states(yes="v1.0 v1.2", no="v1.1 v1.10"),
            [{"introduced": "1.0"}, {"fixed": "1.1"}, {"introduced": "1.2"}, {"fixed": "1.10"}],
        ),
    ],
)
def test_ranges_have_the_shape_of_osv(has, events):
    assert osv_ranges(FIVE, has, scheme=Scheme.PEP440) == [{"type": "ECOSYSTEM", "events": events}]


def test_no_release_with_it_is_no_range():
    assert osv_ranges(FIVE, states(no="v1.0"), scheme=Scheme.PEP440, repo="https://example.org/o/n") == []


def test_strict_semantic_versions_make_a_range_of_that_type():
    order = Lineage(release(label, scheme=Scheme.SEMVER) for label in ("v1.0.0", "v1.1.0"))
    (found,) = osv_ranges(order, states(no="v1.0.0", yes="v1.1.0"), scheme=Scheme.SEMVER)
    assert found == {"type": "SEMVER", "events": [{"introduced": "1.1.0"}]}


def test_commits_make_a_range_by_ancestry():
    has = states(no="4.2 4.2.16 5.0 5.0.9 5.2", yes="4.2.17 4.2.18 5.0.10 5.1")
    by_version, by_commit = osv_ranges(BRANCHED, has, scheme=Scheme.PEP440, repo="https://example.org/o/n")
    commits = {one.label: one.commit for one in BRANCHED.releases}
    assert by_version["events"] == [
        {"introduced": "4.2.17"},
        {"fixed": "5.0"},
        {"introduced": "5.0.10"},
        {"fixed": "5.2"},
    ]
    assert by_commit == {
        "type": "GIT",
        "repo": "https://example.org/o/n",
        "events": [
            {"introduced": commits["4.2.17"]},
            {"introduced": commits["5.0.10"]},
            {"introduced": commits["5.1"]},
            {"fixed": commits["5.2"]},
        ],
    }


def test_short_commits_make_no_range():
    order = Lineage([KnownRelease("v1", release("v1").version, "abcdef0")])
    (found,) = osv_ranges(order, {"v1": True}, scheme=Scheme.PEP440, repo="https://example.org/o/n")
    assert found["type"] == "ECOSYSTEM"
