import pytest

from errorkb.core.differences import ABSENT, Difference, differences, json_equal


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, {}, ()),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ()),
        ({"a": 1}, {"a": True}, (Difference("$.a", 1, True),)),
        ({"a": None}, {}, (Difference("$.a", None, ABSENT),)),
        ({}, {"a": None}, (Difference("$.a", ABSENT, None),)),
        ({"a": ["x", "y"]}, {"a": ["x"]}, (Difference("$.a[1]", "y", ABSENT),)),
        ({"a": {"b c": 1}}, {"a": {"b c": 2}}, (Difference('$.a["b c"]', 1, 2),)),
        ({"a": "s"}, {"a": {"text": "s"}}, (Difference("$.a", "s", {"text": "s"}),)),
    ],
)
def test_names_each_leaf_that_differs(old, new, expected):
    assert differences(old, new) == expected


@pytest.mark.parametrize(
    ("left", "right", "equal"), [(1, True, False), (0, False, False), ("1", 1, False), ([], [], True)]
)
def test_compares_as_json_not_as_python(left, right, equal):
    assert json_equal(left, right) is equal
