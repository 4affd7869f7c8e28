import pytest

from errorkb.core.rendering import expose_controls, render_plain
from tests.core.rendering.reading import faults_of, text_of


@pytest.mark.parametrize(
    ("character", "title"),
    [
        ("\u202e", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("\u202a", "U+202A LEFT-TO-RIGHT EMBEDDING"),
        ("\u2066", "U+2066 LEFT-TO-RIGHT ISOLATE"),
        ("\u2069", "U+2069 POP DIRECTIONAL ISOLATE"),
        ("\u200e", "U+200E LEFT-TO-RIGHT MARK"),
        ("\u200f", "U+200F RIGHT-TO-LEFT MARK"),
        ("\u061c", "U+061C ARABIC LETTER MARK"),
        ("\x02", "U+0002 START OF TEXT"),
        ("\x03", "U+0003 END OF TEXT"),
        ("\x07", "U+0007 ALERT"),
        ("\x0b", "U+000B LINE TABULATION"),
        ("\x0c", "U+000C FORM FEED"),
        ("\x1b", "U+001B ESCAPE"),
        ("\x1f", "U+001F INFORMATION SEPARATOR ONE"),
        ("\x7f", "U+007F DELETE"),
        ("\x9b", "U+009B CONTROL CHARACTER"),
        ("\U000e0041", "U+E0041 TAG LATIN CAPITAL LETTER A"),
    ],
)
def test_marks_each_control_by_its_name(character: str, title: str) -> None:
    assert expose_controls(f"a{character}b") == f'a<bdi class="ctrl" title="{title}">{character}</bdi>b'


@pytest.mark.parametrize(
    "text", ["a\tb\nc\rd", "\u200b\u200c\u200d\ufeff", "PD\u2011disaggregation", "e\u0301", "中文", "a\u00a0b", "👩‍💻"]
)
def test_leaves_what_is_seen_or_zero_width_alone(text: str) -> None:
    assert expose_controls(text) == text


def test_marks_each_of_several_controls() -> None:
    mark = '<bdi class="ctrl" title="U+0001 START OF HEADING">\x01</bdi>'
    assert expose_controls("\x01\x01b\x01") == f"{mark}{mark}b{mark}"


def test_leaves_tags_alone() -> None:
    html = '<a href="x\u202ey" title="a>b\x02">\u202e</a>'
    assert expose_controls(html) == (
        '<a href="x\u202ey" title="a>b\x02"><bdi class="ctrl" title="U+202E RIGHT-TO-LEFT OVERRIDE">\u202e</bdi></a>'
    )


def test_many_controls_cost_no_titles() -> None:
    html = expose_controls("a\u202e" * 20_000)
    assert html == 'a<bdi class="ctrl">\u202e</bdi>' * 20_000


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<script>alert('1')</script>", "&lt;script&gt;alert('1')&lt;/script&gt;"),
        ("&amp; *a* `b`", "&amp;amp; *a* `b`"),
        ("nul\x00 and half \ud83d", "nul\ufffd and half \ufffd"),
        ("", ""),
    ],
)
def test_plain_text_is_shown_as_written(text: str, html: str) -> None:
    assert render_plain(text) == html


def test_plain_text_keeps_its_controls_in_the_text() -> None:
    html = render_plain("<\u202e>\x1b[31m")
    assert text_of(html) == "<\u202e>\x1b[31m"
    assert faults_of(html) == []
