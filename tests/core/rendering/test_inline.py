import pytest

from errorkb.core.rendering import render_inline
from errorkb.core.rendering.markdown_text import MAX_TEXT
from tests.core.rendering.reading import faults_of, text_of

REL = ' rel="nofollow noopener noreferrer"'


@pytest.mark.parametrize(
    "text",
    [
        "__init__",
        "_private_",
        "__all__ and __name__",
        "*args",
        "**kwargs",
        "f(*args, **kwargs)",
        "f(*args, **kwargs) and g(*more)",
        "[*a, *b] + {**a, **b}",
        "List[int]",
        "Dict[str, List[int]]",
        "f[int](x)",
        "a_b_c",
        "_a_ __b__ ___c___",
        "[x]: y",
        "[a][b]",
        "[x]",
        "2 * 3 * 4",
        "2*3*4 and 2**3**4",
        "char *a, char *b",
        "SELECT a.*, b.*",
        "*.py and *.so",
        "lib*.so, lib*.a",
        "src/*, test/*",
        "/* a */ b /* c */",
        "sep='*', end='*'",
        "****",
        "* a *",
        "**",
        "` unclosed",
        "``a`",
        "a ~~b~~",
        "C:\\temp\\new",
        "\\d+\\.\\w",
        "\\\\server\\share",
        "http:// nothing",
        "ftp://a.b/c",
        "www.example.com",
        "a@b.c",
        "<a@b.c>",
        "/v1/models ${response.status}",
        "PD\u2011disaggregation",
        "dst_device_kv_indices=<non-None ndarray>",
        "<script>alert(1)</script>",
        "<b onclick=x>y</b>",
        "<!-- c --> <?php ?> <![CDATA[x]]> <!DOCTYPE html>",
        "&amp; &lt; &#60; &#x3c; &nbsp; &copy &#",
        "# a",
        "- a",
        "1. a",
        "> a",
        "```python",
        "| a | b |",
        "\x02klzzwxh:0000\x03",
        "\x02wzxhzdk:0\x03 wzxhzdk:0",
        "\x02amp\x03 \x0242\x03",
    ],
)
def test_shows_as_written(text: str) -> None:
    html = render_inline(text)
    assert text_of(html) == text
    assert {tag for tag in ("<em>", "<strong>", "<code>", "<a ") if tag in html} == set()


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("*a* b", "<em>a</em> b"),
        ("**a** b", "<strong>a</strong> b"),
        ("***a***", "<em><strong>a</strong></em>"),
        ("**a *b* c**", "<strong>a <em>b</em> c</strong>"),
        ("*a **b***", "<em>a <strong>b</strong></em>"),
        ("***a** b*", "<em><strong>a</strong> b</em>"),
        ("***a* b**", "<strong><em>a</em> b</strong>"),
        ("**Note:** b", "<strong>Note:</strong> b"),
        ('("*a*"), **"b"**.', '("<em>a</em>"), <strong>"b"</strong>.'),
        ("这是**重要**的。", "这是<strong>重要</strong>的。"),
        ("*a **b* c", "<em>a **b</em> c"),
        ("*a b** c*", "<em>a b** c</em>"),
        ("`a`", "<code>a</code>"),
        ("``a`b``", "<code>a`b</code>"),
        ("`` `a` ``", "<code>`a`</code>"),
        ("`a  b`", "<code>a  b</code>"),
        ("`*args` *b*", "<code>*args</code> <em>b</em>"),
        ("*a `b* c` d*", "<em>a <code>b* c</code> d</em>"),
        (r"`a\` b", r"<code>a\</code> b"),
        ("`<b>&amp;`", "<code>&lt;b&gt;&amp;amp;</code>"),
        ("`a\nb`", "<code>a b</code>"),
        ("a\nb", "a b"),
        (r"\*a\* \_b\_ \`c\` \[d\] \<e\>", "*a* _b_ `c` [d] &lt;e&gt;"),
        (r"\# a", "# a"),
        (r"1\. a", "1. a"),
    ],
)
def test_reads_code_emphasis_and_escapes(text: str, html: str) -> None:
    assert render_inline(text) == html


@pytest.mark.parametrize(
    ("text", "address", "shown"),
    [
        ("[a](https://e.x)", "https://e.x", "a"),
        ("[a](HTTP://e.x)", "HTTP://e.x", "a"),
        ("[a](<https://e.x/b>)", "https://e.x/b", "a"),
        ("[a](https://e.x/(b)/c)", "https://e.x/(b)/c", "a"),
        (r"[a](https://e.x/b\_c\))", "https://e.x/b_c)", "a"),
        ("[a](mailto:b@c.d)", "mailto:b@c.d", "a"),
        ("[a[b]](https://e.x)", "https://e.x", "a[b]"),
        ("[](https://e.x)", "https://e.x", "https://e.x"),
        ("[ ](https://e.x)", "https://e.x", "https://e.x"),
        ("![a](https://e.x/b.png)", "https://e.x/b.png", "a"),
        ("![](https://e.x/b.png)", "https://e.x/b.png", "https://e.x/b.png"),
        ("[https://f.x](https://e.x)", "https://e.x", "https://f.x"),
        ("https://e.x/b_c_d", "https://e.x/b_c_d", "https://e.x/b_c_d"),
        ("<https://e.x>", "https://e.x", "https://e.x"),
        ("<mailto:b@c.d>", "mailto:b@c.d", "mailto:b@c.d"),
        ("https://e.x/?a=1&b=2", "https://e.x/?a=1&b=2", "https://e.x/?a=1&b=2"),
        ("[a](https://e.x/?b=1&amp;c=2)", "https://e.x/?b=1&amp;c=2", "a"),
        ('[a](https://e.x/"onload=b)', 'https://e.x/"onload=b', "a"),
    ],
)
def test_links(text: str, address: str, shown: str) -> None:
    html = render_inline(text)
    escaped = address.replace("&", "&amp;").replace('"', "&quot;")
    assert html == f'<a href="{escaped}"{REL}>{shown.replace("&", "&amp;")}</a>'
    assert faults_of(html) == []


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("see https://e.x/a.", f'see <a href="https://e.x/a"{REL}>https://e.x/a</a>.'),
        ("(https://e.x/a_(b))", f'(<a href="https://e.x/a_(b)"{REL}>https://e.x/a_(b)</a>)'),
        ("**https://e.x**", f'<strong><a href="https://e.x"{REL}>https://e.x</a></strong>'),
        ("见https://e.x/a，后", f'见<a href="https://e.x/a"{REL}>https://e.x/a</a>，后'),
        ("[*a* `b`](https://e.x)", f'<a href="https://e.x"{REL}><em>a</em> <code>b</code></a>'),
        ("*[a](https://e.x) b*", f'<em><a href="https://e.x"{REL}>a</a> b</em>'),
        ("*a [b* c](https://e.x)", f'*a <a href="https://e.x"{REL}>b* c</a>'),
        (
            "[[a](https://e.x)](https://f.x)",
            f'[<a href="https://e.x"{REL}>a</a>](<a href="https://f.x"{REL}>https://f.x</a>)',
        ),
        ('[a](https://e.x "b <c>")', f'<a href="https://e.x" title="b &lt;c&gt;"{REL}>a</a>'),
        ("[a](https://e.x 'b')", f'<a href="https://e.x" title="b"{REL}>a</a>'),
        (r"\[a](https://e.x)", f'[a](<a href="https://e.x"{REL}>https://e.x</a>)'),
        (r"\![a](https://e.x)", f'!<a href="https://e.x"{REL}>a</a>'),
        ("`[a](https://e.x)`", "<code>[a](https://e.x)</code>"),
    ],
)
def test_links_among_other_markup(text: str, html: str) -> None:
    assert render_inline(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](&#106;avascript:alert(1))",
        "[a](javascript&colon;alert(1))",
        "[a](java\tscript:alert(1))",
        "[a](<java script:alert(1)>)",
        "[a](\x01javascript:alert(1))",
        "[a](vbscript:msgbox)",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "[a](file:///etc/passwd)",
        "[a](//e.x)",
        "[a](/b)",
        "[a](b.html)",
        "[a](#b)",
        "[a](http:e.x)",
        "[a](http:///b)",
        "[a](https://[b)",
        "[a](https://e.x:99999999)",
        "[a](https)",
        "[a]()",
        "[a] (https",
        "![a](javascript:b)",
        "<javascript:alert(1)>",
        "<a href=javascript:b>c</a>",
        "[a](mailto:)",
        "[a](https://" + "b" * 3_000 + ")",
    ],
)
def test_addresses_that_may_not_be_followed_stay_text(text: str) -> None:
    html = render_inline(text)
    assert text_of(html) == text
    assert "<a " not in html


def test_an_address_with_a_hidden_control_ends_before_it() -> None:
    html = render_inline("[a](https://e.x/\u202eb)")
    assert html.startswith(f'[a](<a href="https://e.x/"{REL}>https://e.x/</a><bdi ')
    assert text_of(html) == "[a](https://e.x/\u202eb)"


def test_a_line_that_is_too_long_is_plain() -> None:
    assert render_inline("*a* " * (MAX_TEXT // 4)).startswith("<em>a</em>")
    assert render_inline("*a* " * (MAX_TEXT // 4) + "b").startswith("*a* *a*")
