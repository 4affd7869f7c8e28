"""The leaves that no section shows, as dotted names with values in words."""

import pytest

from errorkb.web.pages.facts import SHOWN_ITEMS, Fact, facts_html, facts_of


@pytest.mark.parametrize(
    ("document", "facts"),
    [
        ({"a": "text"}, [Fact("a", "text")]),
        ({"a": 3, "b": 1.5}, [Fact("a", "3"), Fact("b", "1.5")]),
        ({"a": 0, "b": False}, [Fact("a", "0"), Fact("b", "no", True)]),
        ({"a": 1, "b": True}, [Fact("a", "1"), Fact("b", "yes", True)]),
        ({"a": None, "b": ""}, [Fact("a", "not given", True), Fact("b", "empty", True)]),
        ({"a": [], "b": {}}, [Fact("a", "none", True), Fact("b", "none", True)]),
        ({"a": {"b": {"c": "d"}}}, [Fact("a.b.c", "d")]),
        ({"a": ["x", None, 2]}, [Fact("a", "x\nnot given\n2")]),
        ({"a": [{"b": "c"}, "d", []]}, [Fact("a[0].b", "c"), Fact("a[1]", "d"), Fact("a[2]", "none", True)]),
        ({}, [Fact("", "none", True)]),
    ],
)
def test_names_every_leaf(document, facts):
    assert list(facts_of(document)) == facts


@pytest.mark.parametrize(
    ("document", "placed", "names"),
    [
        ({"a": "shown", "b": "not"}, ["a"], ["b"]),
        ({"a": None}, ["a"], ["a"]),
        ({"a": " "}, ["a"], ["a"]),
        ({"a": True}, ["a"], ["a"]),
        ({"a": [{"b": "x", "c": "y"}]}, ["a[].b"], ["a[0].c"]),
        ({"a": {"b": "x"}}, ["a[].b"], ["a.b"]),
        ({"a[].b": "x"}, ["a[].b"], ["a[].b"]),
        ({"a": ["x", ""]}, ["a[]"], ["a"]),
        ({"a": ["x", "y"]}, ["a[]"], []),
        ({"a": [{"b": "x"}] * (SHOWN_ITEMS + 1)}, ["a[].b"], [f"a[{SHOWN_ITEMS}].b"]),
    ],
)
def test_leaves_out_what_a_section_shows(document, placed, names):
    assert [fact.name for fact in facts_of(document, placed=placed)] == names


def test_lists_the_items_of_a_long_list_that_no_section_shows():
    facts = facts_of({"a": [str(n) for n in range(SHOWN_ITEMS + 2)]}, placed=["a[]"])
    assert facts == (Fact("a", f"{SHOWN_ITEMS}\n{SHOWN_ITEMS + 1}"),)


def test_escapes_names_and_values():
    html = facts_html([Fact("<b>", "a & \u202e"), Fact("on", "yes", is_word=True)])
    assert html == (
        "<dt>&lt;b&gt;</dt>\n"
        '<dd>a &amp; <bdi class="ctrl" title="U+202E RIGHT-TO-LEFT OVERRIDE">\u202e</bdi></dd>\n'
        '<dt>on</dt>\n<dd class="word">yes</dd>\n'
    )
