from typing import Literal

import pytest
from django.core.exceptions import ValidationError

from errorkb.admin.forms.boxes import LineBox, TextBox
from errorkb.admin.forms.fields import leaf_field
from errorkb.admin.forms.shapes import Leaf

ANNOTATIONS = {"text": str, "number": int, "truth": bool, "word": Literal["a", "b_c"], "lines": list[str]} | {
    "names": str | list[str]
}


def field(kind: str, value=None, name: str = "x"):
    return leaf_field(Leaf(name, name, ANNOTATIONS[kind]), value)


@pytest.mark.parametrize(
    ("kind", "stored", "sent"),
    [
        ("text", None, ""),
        ("text", "", ""),
        ("text", " a ", " a "),
        ("text", "a\nb", "a\r\nb"),
        ("text", "a\rb\r\nc", "a\r\nb\r\nc"),
        ("number", 0, "0"),
        ("number", 12, " 12 "),
        ("number", None, ""),
        ("truth", True, "true"),
        ("truth", False, "false"),
        ("truth", None, ""),
        ("word", "b_c", "b_c"),
        ("word", None, ""),
        ("lines", ["a", "b"], "a\r\nb"),
        ("lines", [], ""),
        ("names", "a", "a"),
        ("names", ["a"], "a"),
        ("text", "a", None),
        ("number", 1, None),
        ("truth", False, None),
        ("lines", ["a"], None),
    ],
)
def test_what_a_browser_sends_of_an_untouched_box_is_no_change(kind, stored, sent):
    assert not field(kind, stored).has_changed(stored, sent)


@pytest.mark.parametrize(
    ("kind", "stored", "sent", "value"),
    [
        ("text", "a", "b\r\nc", "b\nc"),
        ("text", "a", " a", " a"),
        ("text", "a", "", ""),
        ("number", 1, "2", 2),
        ("number", 0, "", None),
        ("truth", None, "false", False),
        ("truth", True, "", None),
        ("word", "a", "b_c", "b_c"),
        ("lines", ["a"], "a\r\n\r\n b ", ["a", "b"]),
        ("lines", ["a"], "", []),
        ("names", "a", "b", "b"),
        ("names", "a", "a\r\nb", ["a", "b"]),
    ],
)
def test_what_was_typed_becomes_the_value(kind, stored, sent, value):
    box = field(kind, stored)
    assert box.has_changed(stored, sent)
    assert box.clean(sent) == value


@pytest.mark.parametrize(("kind", "sent"), [("number", "many"), ("number", "1.5"), ("word", "c"), ("truth", "maybe")])
def test_what_is_no_value_is_refused(kind, sent):
    with pytest.raises(ValidationError):
        field(kind).clean(sent)


@pytest.mark.parametrize(
    ("kind", "stored", "holds"),
    [
        ("lines", ["a", "b"], True),
        ("lines", [], True),
        ("lines", None, True),
        ("lines", ["a\nb"], False),
        ("lines", ["a", ""], False),
        ("lines", [" a"], False),
        ("names", "in words", True),
        ("names", "two\nlines", False),
    ],
)
def test_lists_that_do_not_fit_into_lines_are_known(kind, stored, holds):
    assert field(kind, stored).holds(stored) is holds


@pytest.mark.parametrize(
    ("name", "stored", "box"),
    [
        ("exception_type", "ValueError", LineBox),
        ("exception_type", "a\nb", TextBox),
        ("exception_type", "a\rb", TextBox),
        ("message", "short", TextBox),
        ("meaning", None, TextBox),
    ],
)
def test_texts_that_have_line_breaks_get_a_box_that_keeps_them(name, stored, box):
    assert type(field("text", stored, name).widget) is box


def test_boxes_escape_what_is_in_them():
    hostile = "</textarea><script>\"'&amp;"
    for kind, name in (("text", "meaning"), ("text", "code"), ("word", "kind")):
        html = field(kind, hostile if kind == "text" else None, name).widget.render("x", hostile, {"id": 'a"b'})
        assert "<script>" not in html
        assert 'id="a&quot;b"' in html


def test_a_text_that_begins_with_a_line_break_keeps_it():
    assert field("text", "\na", "meaning").widget.render("x", "\na").endswith(">\n\na</textarea>")
