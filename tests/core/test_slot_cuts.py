"""What stands in a slot looks like a value, or like the rest of another message."""

import pytest

from errorkb.core.slot_cuts import cut_gap, is_plausible

VALUES = [
    ("42", " ", True),
    ("", " ", True),
    ("connection reset by peer", " ", True),
    ("/home/ana/run-3/a b.txt", " ", True),
    ("[1, 2, 3, 4, 5, 6, 7, 8, 9]", " ", True),
    ("Parameter(a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8)", " ", True),
    ("'a' and 'b'", " ", True),
    ("a float in the range (0.0, inf]", ": ", True),
    ("https://a.example/x') (retry in 5s)", "url: ", True),
    ("https://a.example/x)", "url: ", False),
    ("the disk is full. Free some space and try it again, please", ": ", True),
    ("the disk is full. Free some space and try it again, please", " ", False),
    ("/srv/a. Please save the model first", " directory ", False),
    ("one token to score after the first that is asked for", " ", False),
    ("60 for CUDA Graph capture.", "mode=", False),
    ("60", "mode=", True),
    ("7)", "(", False),
    ("f(7)", "(", True),
    ("'float16' with shape 3", " of type ", False),
]


@pytest.mark.parametrize(("value", "before", "expected"), VALUES)
def test_tells_values_from_sentences(value, before, expected):
    assert is_plausible(value, before) is expected


def test_a_run_of_blanks_is_not_one_blank():
    signs = ["   ", "."]
    assert cut_gap("   3.", signs, closed_left=True, closed_right=False).is_exact
    assert not cut_gap(" 3.", signs, closed_left=True, closed_right=False).is_exact
    assert cut_gap("\n3.", signs, closed_left=True, closed_right=False).is_exact
