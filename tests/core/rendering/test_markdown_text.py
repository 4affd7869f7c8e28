import re
import threading

import pytest

from errorkb.core.rendering import render_markdown
from errorkb.core.rendering.layout import GUARD, MARK
from errorkb.core.rendering.markdown_text import MAX_TEXT
from tests.core.rendering.reading import faults_of, text_of

REL = ' rel="nofollow noopener noreferrer"'


def tight(html: str) -> str:
    """Return the HTML without the newlines beside tags of blocks, which no reader sees."""
    return re.sub(r"\n*(</?(?:p|h\d|hr|ul|ol|li|blockquote|pre|table|thead|tbody|tr|th|td)\b[^>]*>)\n*", r"\1", html)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        (" \n\t\n", ""),
        ("a", "<p>a</p>"),
        ("a\nb", "<p>a\nb</p>"),
        ("a\n\nb", "<p>a</p><p>b</p>"),
        ("a\r\n\r\nb\rc", "<p>a</p><p>b\nc</p>"),
        ("a  \nb", "<p>a  <br>\nb</p>"),
        ("  a\n   b", "<p>a\nb</p>"),
        ("a\n    b", "<p>a\nb</p>"),
    ],
)
def test_paragraphs(text: str, html: str) -> None:
    assert tight(render_markdown(text)) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# a", "<h3>a</h3>"),
        ("### a", "<h3>a</h3>"),
        ("# a\n## b\n###### c", "<h3>a</h3><h4>b</h4><h6>c</h6>"),
        ("### a\n# b", "<h5>a</h5><h3>b</h3>"),
        ("## a ##", "<h3>a</h3>"),
        ("## C#", "<h3>C#</h3>"),
        ("a\n# b\nc", "<p>a</p><h3>b</h3><p>c</p>"),
        ("# `a` *b*", "<h3><code>a</code> <em>b</em></h3>"),
        ("a\n===", "<h3>a</h3>"),
        ("a\n---\nb", "<h3>a</h3><p>b</p>"),
        ("a\nb\n---", "<p>a\nb</p><hr>"),
        ("a\n--", "<p>a\n--</p>"),
        ("#31901 is", "<p>#31901 is</p>"),
        ("#", "<p>#</p>"),
        ("####### a", "<p>####### a</p>"),
        (r"\# a", "<p># a</p>"),
        ("a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"),
        ("* * *", "<hr>"),
        ("___", "<p>___</p>"),
        ("---|---", "<p>---|---</p>"),
    ],
)
def test_headings_and_rules(text: str, html: str) -> None:
    assert tight(render_markdown(text)) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("* a\n+ b", "<ul><li>a</li><li>b</li></ul>"),
        ("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"),
        ("1) a\n2) b", "<ol><li>a</li><li>b</li></ol>"),
        ("3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        ("a:\n- b\n- c", "<p>a:</p><ul><li>b</li><li>c</li></ul>"),
        ("a\n1. b", "<p>a</p><ol><li>b</li></ol>"),
        ("in\n2026. b", "<p>in\n2026. b</p>"),
        ("- a\nb", "<ul><li>a\nb</li></ul>"),
        ("- a\n\nb", "<ul><li>a</li></ul><p>b</p>"),
        ("- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"),
        ("- a\n  - b\n    - c\n- d", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"),
        ("- a\n    - b\n        - c", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li></ul>"),
        ("1. a\n   - b\n2. c", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"),
        ("10. a\n  - b", '<ol start="10"><li>a<ul><li>b</li></ul></li></ol>'),
        ("- a\n1. b", "<ul><li>a</li></ul><ol><li>b</li></ol>"),
        ("1. a\n\n   b\n2. c", "<ol><li><p>a</p><p>b</p></li><li><p>c</p></li></ol>"),
        ("- a\n\n  > b", "<ul><li><p>a</p><blockquote><p>b</p></blockquote></li></ul>"),
        ("- # a", "<ul><li># a</li></ul>"),
        ("- - a", "<ul><li>- a</li></ul>"),
        ("- 1. a", "<ul><li>1. a</li></ul>"),
        ("- > a", "<ul><li>&gt; a</li></ul>"),
        ("- [x] a", "<ul><li>[x] a</li></ul>"),
        ("-", "<p>-</p>"),
        ("1.", "<p>1.</p>"),
        ("-a", "<p>-a</p>"),
        (r"\- a", "<p>- a</p>"),
        (r"1\. a", "<p>1. a</p>"),
        ("**a** b", "<p><strong>a</strong> b</p>"),
        ("*a* b", "<p><em>a</em> b</p>"),
    ],
)
def test_lists(text: str, html: str) -> None:
    assert tight(render_markdown(text)) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("> a\n> b", "<blockquote><p>a\nb</p></blockquote>"),
        ("> a\n\nb", "<blockquote><p>a</p></blockquote><p>b</p>"),
        ("a\n> b", "<p>a</p><blockquote><p>b</p></blockquote>"),
        ("> > a", "<blockquote><blockquote><p>a</p></blockquote></blockquote>"),
        (">> a", "<blockquote><blockquote><p>a</p></blockquote></blockquote>"),
        ("> - a\n>   - b\n>\n> # c", "<blockquote><ul><li>a<ul><li>b</li></ul></li></ul><h3>c</h3></blockquote>"),
        (">= 3.8", "<p>&gt;= 3.8</p>"),
        (">a", "<p>&gt;a</p>"),
        ("a > b", "<p>a &gt; b</p>"),
    ],
)
def test_quotes(text: str, html: str) -> None:
    assert tight(render_markdown(text)) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("```\na\n\n  <b> *c*\n```", "<pre><code>a\n\n  &lt;b&gt; *c*</code></pre>"),
        ("```python\nraise\n```", '<pre><code><span class="k">raise</span></code></pre>'),
        ("~~~ json\n1\n~~~", '<pre><code><span class="m">1</span></code></pre>'),
        ("a\n```text\nb\n```\nc", "<p>a</p><pre><code>b</code></pre><p>c</p>"),
        ("```\na", "<pre><code>a</code></pre>"),
        ("````\n```\n````", "<pre><code>```</code></pre>"),
        ("```mermaid\na\n```", "<p>mermaid</p><pre><code>a</code></pre>"),
        ("```text title=b\na\n```", "<p>title=b</p><pre><code>a</code></pre>"),
        ("```a``` b", "<p><code>a</code> b</p>"),
        (
            "- a\n  ```\n  b\n    c\n  ```\n- d",
            "<ul><li><p>a</p><pre><code>b\n  c</code></pre></li><li><p>d</p></li></ul>",
        ),
        ("1. ```\n   a\n   ```\n2. b", "<ol><li><pre><code>a</code></pre></li><li><p>b</p></li></ol>"),
        ("> ```\n> a\n>\n> b\n> ```", "<blockquote><pre><code>a\n\nb</code></pre></blockquote>"),
        ("a\n\n    b\n\n      c\n\nd", "<p>a</p><pre><code>b\n\n  c</code></pre><p>d</p>"),
        ("\ta", "<pre><code>a</code></pre>"),
        (
            ">>> a\nb\n\nc",
            '<pre><code><span class="gp">&gt;&gt;&gt; </span>a\n<span class="go">b</span></code></pre><p>c</p>',
        ),
        ("```\n" + r"a\nb" + "\n```", r"<pre><code>a\nb</code></pre>"),
        (
            "```\n&amp; </code></pre><script>\n```",
            "<pre><code>&amp;amp; &lt;/code&gt;&lt;/pre&gt;&lt;script&gt;</code></pre>",
        ),
    ],
)
def test_code_blocks(text: str, html: str) -> None:
    assert tight(render_markdown(text)).replace('<pre class="highlight">', "<pre>") == html


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("| a | b |\n|---|:-:|\n| c | d |", [["a", "b"], ["c", "d"]]),
        ("a | b\n--- | ---\nc | d\n\ne", [["a", "b"], ["c", "d"]]),
        ("x\n| a |\n|---|\n| b |", [["a"], ["b"]]),
        ("| a | b |\n|---|---|\n| c | d | e |\n| f |", [["a", "b"], ["c", "d | e"], ["f", ""]]),
        ("| a | b |\n|---|---|\n| `c|d` | e \\| f |", [["a", "b"], ["c|d", "e | f"]]),
        ("| a | b |\n|---|---|", [["a", "b"], ["", ""]]),
    ],
)
def test_tables(text: str, rows: list[list[str]]) -> None:
    html = render_markdown(text)
    found = [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)]
    assert [[text_of(cell) for cell in row] for row in found] == rows
    assert faults_of(html) == []


@pytest.mark.parametrize("text", ["| a | b |", "a | b\nc | d", "| a | b |\n|---|", "|-|-|"])
def test_rows_without_a_head_are_text(text: str) -> None:
    assert render_markdown(text) == f"<p>{text}</p>"


@pytest.mark.parametrize(
    "text",
    [
        "Calling send_kvcache(..., dst_device_kv_indices=<non-None ndarray>) — i.e.",
        "<script>alert(1)</script>",
        "<div>\n<p>a</p>\n</div>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><a xlink:href='javascript:b'>",
        "</p></div></body></html>",
        "<!-- a",
        "<![CDATA[ a ]]>",
        "<?php a ?>",
        "&amp; &lt; &#x3c; &#60;script&#62;",
        "__init__ _private_ *args **kwargs f(*args, **kwargs) List[int] a_b_c 2 * 3 * 4",
        "[x]: y",
        "[x]: https",
        "[x]\n[y][z]",
        "*[HTML]: Hyper Text",
        "[^1]: note",
        "a {: #id .class onclick=x }",
        "!!! note\na",
        "\x02klzzwxh:0000\x03",
        "\x02wzxhzdk:0\x03",
        "wzxhzdk:0",
        "\x02amp\x03lt;",
        "a\x1f\x0b\x85\u2028b",
        "\x1fa\x1f",
        "a\u202eb",
    ],
)
def test_shows_as_written(text: str) -> None:
    html = render_markdown(text)
    assert text_of(html) == text
    assert html.startswith("<p>")
    assert faults_of(html) == []


def test_reference_definitions_are_text_that_may_hold_a_link() -> None:
    assert render_markdown("[x]: https://e.x") == f'<p>[x]: <a href="https://e.x"{REL}>https://e.x</a></p>'


def test_images_are_links() -> None:
    assert render_markdown("![a](https://e.x/b.png)") == f'<p><a href="https://e.x/b.png"{REL}>a</a></p>'


def test_controls_are_shown() -> None:
    assert render_markdown("# a\x02") == '<h3>a<bdi class="ctrl" title="U+0002 START OF TEXT">\x02</bdi></h3>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*a* " * (MAX_TEXT // 4) + "\n\n<b>", "<p>" + "*a* " * (MAX_TEXT // 4) + "</p>\n<p>&lt;b&gt;</p>"),
        (f"*a*\n\n{GUARD}", f"<p>*a*</p>\n<p>{GUARD}</p>"),
        (f"{MARK}0{MARK} `a`", f"<p>{MARK}0{MARK} `a`</p>"),
    ],
)
def test_text_out_of_bounds_is_shown_in_paragraphs(text: str, html: str) -> None:
    assert render_markdown(text) == html


def test_one_text_leaves_nothing_behind_for_the_next() -> None:
    before = render_markdown("1. a")
    render_markdown("- a\n  - b\n\n> c\n\n```\nd")
    render_markdown("3. a\n4. b")
    assert render_markdown("1. a") == before


def test_threads_do_not_disturb_each_other() -> None:
    texts = [f"# a{number}\n\n- *b{number}*\n\n```python\nraise E{number}\n```" for number in range(40)]
    expected = [render_markdown(text) for text in texts]
    found: list[str] = [""] * len(texts)

    def work(first: int) -> None:
        for place in range(first, len(texts), 4):
            found[place] = render_markdown(texts[place])

    threads = [threading.Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected
