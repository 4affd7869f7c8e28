"""Documents of hostile writers: each a clean page, soon, or no document at all."""

import pytest

from tests.builders import entry, site
from tests.web.test_leaves import assert_harmless

X = "aaaaaaaaaaaaaaa1"
AT_X = f"/errors/{X}/"
NEARLY_8_MIB = 8 * 1024 * 1024 - 2_000

ATTACKS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<svg/onload=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](  JaVaScRiPt:alert(1))",
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "<div><p><b>never closed",
    "</article></main></body></html>",
    "<style>*{display:none}</style>",
    "```\n</code></pre><script>alert(1)</script>\n```",
    "\u202eevil\u202d\u2066",
    "{% load x %}{{ settings.SECRET_KEY }}",
)


def everywhere(text: str) -> dict:
    """Return an entry that says `text` in every field that takes any text."""
    return entry(
        text,
        id=X,
        exception_type=text[:300],
        code=text,
        wordings=[{"message": text, "from": text, "until": text}],
        source=site(path=text, symbol=text)
        | {"language": text, "snippet": {"start_line": 9, "code": f"{text}\n{text}"}},
        conditions=[text],
        releases={"first": text, "last": text, "removed": text},
        meaning=text,
        trigger=text,
        common_situations=text,
        solutions=[text, {"text": text, "code": text, "releases": [text], "evidence": [{"url": text}]}],
        examples=[{"purpose": text, "language": text, "code": text, "caption": text}],
        related=[{"title": text}],
        references=[{"type": text, "url": text}],
        slots=[{"name": text, "kind": text, "meaning": text}],
        samples=[text],
        tags=[text],
        language=text,
        state="withdrawn",
        withdrawn={"reason": text},
        analysis={"model": text, "reviewed": True, "reviewed_by": text},
    )


@pytest.mark.parametrize("text", ATTACKS)
def test_shows_an_attack_as_text(read, put, text):
    put(everywhere(text))
    page = read(AT_X)
    assert_harmless(page)
    assert page.by_id("message").text == text


@pytest.mark.parametrize("text", ATTACKS)
def test_shows_an_attack_in_a_report_as_text(read, put, text):
    report = {
        "source_url": text,
        "language": text,
        "summary": text,
        "implementation": [text],
        "key_files": [{"path": text, "module": text, "symbols": [text], "note": text}],
        "key_symbols": [text],
        "snippets": [{"path": text, "language": text, "note": text, "code": text}],
        "discussion": {"summary": text, "topics": [{"title": text, "kind": text, "note": text}]},
        "risk_flags": [text],
        "sections": [{"heading": text, "body": text}],
    }
    document = {"schema_version": "1.0", "repository": "o/n", "number": 7, "title": text, "url": text, "author": text}
    put(document | {"labels": [text], "fixes": [{"message": text}], "report": report}, kind="pull_requests")
    page = read("/r/o/n/pulls/7/")
    assert_harmless(page)
    assert page.one("h1").text == text


@pytest.mark.parametrize("text", ATTACKS)
def test_shows_an_attack_in_lists_as_text(read, put, text):
    put(entry(text, id=X, meaning=f"findable {text}", source=site(path=text)))
    for address in ("/", "/errors/", "/errors/?q=findable", "/r/o/n/"):
        assert_harmless(read(address))


@pytest.mark.parametrize(
    "fields",
    [
        {"message": "x" * NEARLY_8_MIB},
        {"message": "%s " * 90_000, "placeholders": "percent"},
        {"meaning": "[" * NEARLY_8_MIB},
        {"solutions": ["*a* " * (NEARLY_8_MIB // 4)]},
        {"examples": [{"code": "(" * NEARLY_8_MIB, "language": "python"}]},
        {"source": site() | {"snippet": {"start_line": 1, "code": "x\n" * (NEARLY_8_MIB // 3)}}},
        {"tags": ["a"] * (NEARLY_8_MIB // 5)},
    ],
    ids=lambda fields: next(iter(fields)),
)
@pytest.mark.long
def test_shows_eight_mebibytes(client, put, fields):
    put(entry(id=X) | fields)
    page = client.get(AT_X)
    assert page.status_code == 200
    assert len(page.content) > 270_000


def test_shows_a_hundred_thousand_brackets(read, put):
    code = {"code": "(" * 100_000, "language": "python"}
    put(entry(id=X, meaning="[" * 100_000, trigger="> " * 50_000, examples=[code]))
    page = read(AT_X)
    assert "[" * 100_000 in page.text
    assert "(" * 100_000 in page.text


def test_shows_as_many_related_errors_as_can_be_read_and_lists_the_rest(read, put):
    put(entry(id=X, related=[{"title": f"another error, number {n}"} for n in range(300)]))
    page = read(AT_X)
    assert len(page.one("section", id="related").text.split("named by its author")) == 101
    assert "another error, number 299" in page.one("dl", class_="facts").text
