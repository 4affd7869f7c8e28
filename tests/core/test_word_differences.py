"""Which words of two texts differ."""

import pytest

from errorkb.core.word_differences import MAX_WORDS, word_difference


def marked(pieces) -> str:
    return "".join(f"[{piece.text}]" if piece.is_changed else piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("old", "new", "shown_old", "shown_new"),
    [
        ("bad value", "bad values", "bad [value]", "bad [values]"),
        ("bad value", "bad new value", "bad value", "bad [new ]value"),
        ("bad %s", "bad %r", "bad %[s]", "bad %[r]"),
        ("a b c d e", "a x c y e", "a [b] c [d] e", "a [x] c [y] e"),
        ("x " * 200, "y " * 200, "[" + "x " * 199 + "x] ", "[" + "y " * 199 + "y] "),
        ("same", "same", "same", "same"),
        ("", "new", "", "[new]"),
        ("中文提示", "中文错误", "[中文提示]", "[中文错误]"),
        ("a " * MAX_WORDS + "b", "a " * MAX_WORDS + "c", "a " * MAX_WORDS + "[b]", "a " * MAX_WORDS + "[c]"),
    ],
)
def test_marks_what_the_other_text_lacks(old, new, shown_old, shown_new):
    found = word_difference(old, new)
    assert (marked(found.old), marked(found.new)) == (shown_old, shown_new)
