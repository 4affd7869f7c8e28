"""Short texts made from longer ones, and how templates show texts."""

import pytest
from django.utils.safestring import mark_safe

from errorkb.templatetags.reading import plain
from errorkb.web.pages.texts import description, joined, language_tag, shortened


@pytest.mark.parametrize(
    ("text", "length", "short"),
    [
        ("one two", 10, "one two"),
        ("one\n two\tthree", 20, "one two three"),
        ("one two three", 10, "one two…"),
        ("one, two", 5, "one…"),
        ("abcdefghij", 5, "abcd…"),
        ("", 5, ""),
        ("word " * 1_000_000, 9, "word…"),
    ],
)
def test_cuts_at_the_end_of_a_word(text, length, short):
    assert shortened(text, length) == short


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("- `Meta` is **not**\n- a [list](https://example.org/)", "Meta is not a list"),
        ("word " * 1_000_000, "word " * 30 + "word…"),
        ("```\n```", "a title"),
        ("", "a title"),
        (None, "a title"),
    ],
)
def test_describes_a_page_in_plain_text(prose, expected):
    assert description(prose, "a title") == expected


def test_joins_what_is_not_empty():
    assert joined(("a", "", None, "b")) == "a · b"


@pytest.mark.parametrize(
    ("stated", "tag"),
    [("zh-hans", "zh-hans"), ("en", "en"), (None, ""), ("", ""), ("x" * 9, ""), ('en" onload="x', ""), ("en\n", "")],
)
def test_takes_nothing_but_language_tags(stated, tag):
    assert language_tag(stated) == tag


def test_shows_texts_as_text_and_html_as_html():
    assert plain("<b> & \u200f") == '&lt;b&gt; &amp; <bdi class="ctrl" title="U+200F RIGHT-TO-LEFT MARK">\u200f</bdi>'
    assert plain(mark_safe("<b>")) == "<b>"
