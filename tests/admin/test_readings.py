import pytest

from errorkb.admin.readings import changed_by_both, overlaid


@pytest.mark.parametrize(
    ("read", "mine", "stored", "result"),
    [
        ({"a": 1}, {"a": 1}, {"a": 2}, {"a": 2}),
        ({"a": 1}, {"a": 3}, {"a": 2}, {"a": 3}),
        ({"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}),
        ({"a": 1}, {}, {"a": 1, "b": 2}, {"b": 2}),
        ({"a": 1}, {"a": 1}, {}, {}),
        ({"a": 1}, {"a": 2}, {}, {"a": 2}),
        ({"a": None}, {}, {"a": None}, {}),
        ({"s": {"x": 1, "y": 1}}, {"s": {"x": 2, "y": 1}}, {"s": {"x": 1, "y": 2}}, {"s": {"x": 2, "y": 2}}),
        ({"l": [1, 2]}, {"l": [1, 3]}, {"l": [0, 2]}, {"l": [1, 3]}),
        ({}, {"s": {"x": 1}}, {"s": {"y": 2}}, {"s": {"x": 1}}),
    ],
)
def test_changes_of_one_person_are_put_onto_those_of_another(read, mine, stored, result):
    assert overlaid(read, mine, stored) == result


def test_what_both_changed_is_named_with_what_was_read_and_what_is_stored():
    (both,) = changed_by_both({"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 3, "b": 1})
    assert (both.path, both.old, both.new) == ("$.a", 1, 3)
