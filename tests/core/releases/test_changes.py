"""What releases did to an error: tables worked out by hand."""

import pytest

from errorkb.core.releases.changes import Sight, release_changes
from tests.core.releases.release_tables import BRANCHED, states, straight

HERE, THERE, SAID = Sight("a.py", 1, "f", "bad"), Sight("b.py", 1, "f", "bad"), Sight("a.py", 9, "f", "bad {0}")


@pytest.mark.parametrize(
    ("has", "sights", "told"),
    [
        (states(yes="1 2 3 4"), {}, ["seen 1"]),
        (states(no="1", yes="2 3 4"), {}, ["introduced 2"]),
        (states(no="1 4", yes="2 3"), {}, ["introduced 2", "removed 4"]),
        (states(yes="1 3", no="2 4"), {}, ["seen 1", "removed 2", "returned 3", "removed 4"]),
        (states(yes="1 2 4"), {"1": HERE, "2": HERE, "4": THERE}, ["seen 1", "moved 4"]),
        (states(yes="1 2 4"), {"1": HERE, "2": SAID, "4": SAID}, ["seen 1", "reworded 2"]),
        (states(yes="1 2"), {"1": THERE, "2": SAID}, ["seen 1", "moved 2", "reworded 2"]),
        (states(yes="1 2"), {"1": HERE, "2": Sight("a.py", 7, "f", "bad")}, ["seen 1"]),
        (states(yes="1 4", no="2"), {"1": HERE, "4": SAID}, ["seen 1", "removed 2", "returned 4", "reworded 4"]),
        (states(no="1 2"), {}, []),
        ({}, {}, []),
    ],
)
def test_changes_of_a_straight_history(has, sights, told):
    changes = release_changes(straight("1", "2", "3", "4"), has, sights)
    assert [f"{change.kind} {change.release}" for change in changes] == told


def test_each_branch_changes_by_itself():
    has = states(no="4.2 4.2.16 5.0 5.0.9 4.2.18", yes="4.2.17 5.0.10 5.1 5.2")
    changes = release_changes(BRANCHED, has, {})
    assert [(str(change.kind), change.before, change.release) for change in changes] == [
        ("introduced", "4.2.16", "4.2.17"),
        ("removed", "4.2.17", "4.2.18"),
        ("introduced", "5.0.9", "5.0.10"),
        ("introduced", "5.0", "5.1"),
    ]


def test_a_branch_is_compared_with_what_it_began_with():
    has = states(yes="4.2 4.2.16 5.0")
    sights = {"4.2": HERE, "4.2.16": SAID, "5.0": HERE}
    changes = release_changes(BRANCHED, has, sights)
    assert [(str(change.kind), change.release) for change in changes] == [("seen", "4.2"), ("reworded", "4.2.16")]
    assert (changes[1].old, changes[1].new) == (HERE, SAID)
