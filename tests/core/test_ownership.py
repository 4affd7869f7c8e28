import pytest

from errorkb.core.ownership import Conflict, merge

FILE_A, FILE_B, ADA, BOB, SCAN = "file:/a", "file:/b", "person:ada", "person:bob", "scan:1"


@pytest.mark.parametrize(
    ("stored", "owners", "offered", "writer", "document", "new_owners", "conflicts"),
    [
        # the same source writes again
        ({"m": 1}, {"": FILE_A}, {"m": 1}, FILE_A, {"m": 1}, {"": FILE_A}, []),
        ({"m": 1}, {"": FILE_A}, {"m": 2}, FILE_A, {"m": 2}, {"": FILE_A}, []),
        ({"m": 1, "n": 1}, {"": FILE_A}, {"m": 1}, FILE_A, {"m": 1}, {"": FILE_A}, []),
        ({"m": 1, "n": 1}, {"": FILE_A, "n": FILE_B}, {"m": 1}, FILE_B, {"m": 1}, {"": FILE_A}, []),
        # another source: what nobody wrote is added, what differs is a conflict, what is missing stays
        ({"m": 1}, {"": FILE_A}, {"m": 1, "n": 2}, FILE_B, {"m": 1, "n": 2}, {"": FILE_A, "n": FILE_B}, []),
        ({"m": 1}, {"": FILE_A}, {"m": 2}, FILE_B, {"m": 1}, {"": FILE_A}, [("m", 1, 2, FILE_A)]),
        ({"m": 1, "n": 2}, {"": FILE_A}, {"m": 1}, FILE_B, {"m": 1, "n": 2}, {"": FILE_A}, []),
        ({"m": None}, {"": FILE_A}, {"m": 2}, FILE_B, {"m": None}, {"": FILE_A}, [("m", None, 2, FILE_A)]),
        # each source keeps what it added
        ({"m": 1, "n": 2}, {"": FILE_A, "n": FILE_B}, {"m": 1, "n": 3}, FILE_B, {"m": 1, "n": 3}, {"": FILE_A, "n": FILE_B}, []),
        ({"m": 1, "n": 2}, {"": FILE_A, "n": FILE_B}, {"m": 1, "n": 3}, FILE_A, {"m": 1, "n": 2}, {"": FILE_A, "n": FILE_B}, [("n", 2, 3, FILE_B)]),
        # a person may change anything, and from then on only a person
        ({"m": 1}, {"": FILE_A}, {"m": 2}, ADA, {"m": 2}, {"": FILE_A, "m": ADA}, []),
        ({"m": 2}, {"": FILE_A, "m": ADA}, {"m": 1}, FILE_A, {"m": 2}, {"": FILE_A, "m": ADA}, [("m", 2, 1, ADA)]),
        ({"m": 2}, {"": FILE_A, "m": ADA}, {"m": 2}, FILE_A, {"m": 2}, {"": FILE_A, "m": ADA}, []),
        ({"m": 2}, {"": FILE_A, "m": ADA}, {"m": 3}, BOB, {"m": 3}, {"": FILE_A, "m": BOB}, []),
        # what a person removed stays removed
        ({"m": 1, "n": 1}, {"": FILE_A}, {"m": 1}, ADA, {"m": 1}, {"": FILE_A, "n": ADA}, []),
        ({"m": 1}, {"": FILE_A, "n": ADA}, {"m": 1, "n": 1}, FILE_A, {"m": 1}, {"": FILE_A, "n": ADA}, [("n", "absent", 1, ADA)]),
        # what a scan made gives way as a whole; a scan changes its own
        ({"m": 1, "n": 1}, {"": SCAN}, {"m": 2}, FILE_A, {"m": 2}, {"": FILE_A}, []),
        ({"m": 1, "n": 1}, {"": SCAN}, {"m": 2, "n": 1}, ADA, {"m": 2, "n": 1}, {"": ADA}, []),
        ({"m": 1, "n": 1}, {"": SCAN}, {"m": 2}, SCAN, {"m": 2}, {"": SCAN}, []),
        ({"m": 1}, {"": FILE_A}, {"m": 2}, SCAN, {"m": 1}, {"": FILE_A}, [("m", 1, 2, FILE_A)]),
        # identity is never in conflict, and an id never goes away
        ({"id": "a"}, {"": FILE_A}, {"id": "b"}, FILE_B, {"id": "a"}, {"": FILE_A}, []),
        ({"id": "a"}, {"": FILE_A}, {}, FILE_A, {"id": "a"}, {"": FILE_A}, []),
        ({}, {"": FILE_A}, {"id": "b"}, FILE_B, {"id": "b"}, {"": FILE_A, "id": FILE_B}, []),
        # a schema version only rises
        ({"schema_version": "1.2"}, {"": FILE_A}, {"schema_version": "1.10"}, FILE_A, {"schema_version": "1.10"}, {"": FILE_A}, []),
        ({"schema_version": "1.0"}, {"": FILE_A}, {"schema_version": "1.1", "n": 1}, FILE_B, {"schema_version": "1.1", "n": 1}, {"": FILE_A, "schema_version": FILE_B, "n": FILE_B}, []),
        ({"schema_version": "1.1"}, {"": FILE_A}, {"schema_version": "1.0"}, FILE_B, {"schema_version": "1.1"}, {"": FILE_A}, []),
        ({"schema_version": "1.10"}, {"": FILE_A}, {"schema_version": "1.2"}, FILE_A, {"schema_version": "1.10"}, {"": FILE_A}, []),
    ],
)  # fmt: skip
def test_who_owns_a_field(stored, owners, offered, writer, document, new_owners, conflicts):
    merged = merge(stored, owners, offered, writer)
    assert merged.document == document
    assert merged.owners == new_owners
    found = [
        (c.field, "absent" if repr(c.stored) == "absent" else c.stored, c.offered, c.owner) for c in merged.conflicts
    ]
    assert found == conflicts
    assert merged.changed is (document != stored)


def test_force_changes_what_others_wrote_but_removes_nothing():
    merged = merge({"m": 1, "n": 2}, {"": FILE_A, "m": ADA}, {"m": 3}, FILE_B, force=True)
    assert merged.document == {"m": 3, "n": 2}
    assert merged.owners == {"": FILE_A, "m": FILE_B}
    assert merged.conflicts == ()


def test_a_conflict_carries_both_values():
    merged = merge({"m": 1}, {"": FILE_A}, {"m": 2}, FILE_B)
    assert merged.conflicts == (Conflict("m", 1, 2, FILE_A),)
