"""Hostile documents give a clean page or a clear refusal: never a server error, a dead process or a live script."""

import json
from html.parser import HTMLParser

import pytest

from errorkb.models import ErrorEntry, PullRequest
from tests.builders import entry, site

SCRIPTS = [
    "<script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</pre></code><img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "[click](javascript:alert(1))",
    "[click](JaVa\tScRiPt:alert(1))",
    "[click](&#106;avascript:alert(1))",
    "![x](data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=)",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<iframe src=//evil.example></iframe><base href=//evil.example/>",
    "<style>*{display:none}</style><link rel=stylesheet href=//evil.example>",
    "<b><i></b></i><div><table><tr></div>",
    "<!-- <![CDATA[ ]]> --!><?php ?>",
    "\u202eexe.txt\u202c \u2066x\u2069 \u200f",
    "{% load x %}{{ settings.SECRET_KEY }}",
    "wzxhzdk:0 klzzwxh:0001",
]
BIG = 2 * 1024 * 1024


def strings(text: str) -> dict:
    """Return an entry with this text in every field that takes any text."""
    return entry(
        text,
        exception_type=text[:300],
        code=text[:300],
        source={"path": text[:600], "symbol": text[:600], "line": 2, "release": text[:300], "language": text[:300]}
        | {"package": text, "license": text, "snippet": {"start_line": 1, "code": f"x\n{text}\ny"}},
        meaning=text,
        trigger=text,
        common_situations=text,
        conditions=[text],
        solutions=[text, {"text": text, "id": text, "code": text, "releases": text, "evidence": [{"url": text}]}],
        examples=[{"purpose": text, "language": text, "code": text, "caption": text}],
        related=[{"title": text}],
        references=[{"type": text, "url": text}],
        slots=[{"name": text, "kind": text, "meaning": text}],
        wordings=[{"message": text, "from": text[:300], "until": text[:300]}],
        samples=[text],
        tags=[text],
        language=text[:300],
        withdrawn={"reason": text},
        analysis={"model": text, "reviewed_by": text},
    )


def report(text: str) -> dict:
    """Return a pull request with this text in every field that takes any text."""
    parts = {"summary": text, "recommendation": text, "motivation": text, "risk": text, "impact": text}
    return {
        "schema_version": "1.0",
        "repository": "o/n",
        "number": 7,
        "title": text,
        "url": text,
        "author": text,
        "labels": [text],
        "fixes": [{"exception_type": text[:300], "message": text}],
        "related": [{"number": 8, "title": text, "note": text}],
        "report": parts
        | {
            "source_url": text,
            "language": text[:300],
            "implementation": [text],
            "key_files": [{"path": text, "module": text, "symbols": [text], "note": text}],
            "key_symbols": [text],
            "snippets": [{"path": text, "language": text, "note": text, "code": text}],
            "discussion": {"summary": text, "topics": [{"title": text, "kind": text, "note": text}]},
            "risk_flags": [text],
            "sections": [{"heading": text, "body": text}],
        },
    }


class _Audit(HTMLParser):
    """Collect what could run or load something in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.elements = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements += 1
        given = {name: value or "" for name, value in attrs}
        if tag == "script" and not given.get("src", "").startswith("/static/") and "json" not in given.get("type", ""):
            self.faults.append(f"script {given}")
        if tag in ("iframe", "object", "embed", "base", "style", "math"):
            self.faults.append(tag)
        self.faults += [f"{tag} {name}" for name in given if name.startswith("on") or name == "style"]
        for name in ("href", "src", "action", "formaction", "xlink:href", "srcset"):
            scheme = "".join(given.get(name, "").split()).lower().partition(":")[0]
            if scheme in ("javascript", "data", "vbscript") or (name == "src" and "//" in given.get(name, "")):
                self.faults.append(f"{tag} {name}={given[name][:60]}")


def audit(client, address: str) -> _Audit:
    response = client.get(address)
    assert response.status_code == 200
    found = _Audit()
    found.feed(b"".join(response).decode() if response.streaming else response.content.decode())
    assert found.faults == []
    return found


@pytest.mark.parametrize("text", SCRIPTS)
def test_markup_and_scripts_are_only_ever_text(loader, client, text):
    assert loader.put("a.json", strings(text)) == ["created"]
    assert loader.put("p.json", report(text), kind="pull_requests") == ["created"]
    row = ErrorEntry.objects.get()
    addresses = [row.get_absolute_url(), PullRequest.objects.get().get_absolute_url(), "/errors/", "/", "/r/o/n/"]
    for address in addresses:
        audit(client, address)
    assert client.get(f"/api/errors/{row.public_id}").json()["meaning"] == text
    assert client.get("/errors/", {"q": text}).status_code == 200


@pytest.mark.parametrize(
    "text",
    [
        "x" * BIG,
        "word " * (BIG // 5),
        "line\n" * (BIG // 7),
        "[" * 100_000,
        "(" * 100_000,
        "*" * 100_000,
        "_" * 100_000,
        "`" * 100_000,
        "> " * 50_000,
        "- " * 50_000,
        "<" * 100_000,
        "&" * 100_000,
        "[a](" * 50_000,
        "中" * 300_000,
        "{" * 100_000,
        "\u202e" * 50_000,
        "'" * 100_000 + '"',
    ],
    ids=lambda text: f"{text[:4]!r} times {len(text)}",
)
def test_huge_and_deep_text_gives_a_page(loader, client, text):
    documents = [
        entry("m", meaning=text),
        entry(text),
        entry("code", examples=[{"language": "python", "code": text}]),
        entry("snippet", source=site(2) | {"language": "python", "snippet": {"start_line": 1, "code": text}}),
        entry("solution", solutions=[text]),
    ]
    assert set(loader.put("a.json", *documents)) == {"created"}
    audit(client, "/errors/")
    for row in ErrorEntry.objects.all():
        audit(client, row.get_absolute_url())
        assert client.get(f"/api/errors/{row.public_id}").status_code == 200


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({"solutions": ["s"]}, 20_000),
        ({"examples": [{"code": "x = 1"}]}, 5_000),
        ({"related": [{"title": "some title that is long"}]}, 10_000),
        ({"pull_requests": [{"number": 5}]}, 10_000),
        ({"tags": ["t"]}, 50_000),
        ({"conditions": ["c"]}, 50_000),
    ],
)
def test_endless_lists_give_a_page(loader, client, fields, count):
    ((name, (item,)),) = fields.items()
    assert loader.put("a.json", entry("m", **{name: [item] * count})) == ["created"]
    row = ErrorEntry.objects.get()
    audit(client, row.get_absolute_url())
    assert len(client.get(f"/api/errors/{row.public_id}").json()[name]) == count


@pytest.mark.parametrize(
    "data",
    [
        b'{"schema_version":"1.0","repository":"o/n","message":"\\u0000"}',
        b'{"schema_version":"1.0","repository":"o/n","message":"\\ud800"}',
        b'{"schema_version":"1.0","repository":"o/n","message":"m","message":"n"}',
        b'{"schema_version":"1.0","repository":"o/n","message":"m","meaning":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"schema_version":"1.0","repository":"o/n","message":"' + b"x" * (8 * 1024 * 1024) + b'"}',
        b'{"schema_version":"1.0","repository":"<script>/x","message":"m"}',
        b'{"schema_version":"1.0","repository":"o/n\\n","message":"m"}',
        b"\x00\x01\x02",
        b"[" * 100_000,
        b"<html>",
    ],
)
def test_what_is_no_document_is_refused_in_words_and_the_next_one_is_loaded(loader, data):
    outcomes = loader.load(loader.file("a.json", data))
    assert {outcome.status.value for outcome in outcomes} == {"refused"}
    assert all(outcome.problems for outcome in outcomes)
    (good,) = loader.load(loader.file("b.json", [entry()]))
    assert good.status == "created"


def test_ids_given_twice_are_told(loader):
    first, second = loader.load(loader.file("a.json", [entry("one", id="a" * 16), entry("two", id="A" * 16)]))
    assert (first.status, second.status) == ("created", "refused")
    assert "this load has already brought entry aaaaaaaaaaaaaaaa" in str(second.problems[0])


@pytest.mark.parametrize(
    "address",
    [
        "/errors/zz/",
        "/errors/0000000000000000/",
        "/errors/%00/",
        "/errors/../../etc/passwd",
        "/r/no/body/",
        "/r/o/n/pulls/99999999999999999999/",
        "/r/%2e%2e/x/",
        "/r/o%00/n/",
        "/errors/?page=0",
        "/errors/?page=99999999999999999999",
        "/errors/?q=%00",
        "/errors/?q=" + "a" * 100_000,
        "/r/o/n/?page=-1",
        "/r/o/n/?page=x",
        "/api/errors/%00",
        "/api/nothing",
    ],
)
def test_odd_addresses_get_a_clean_answer(loader, client, address):
    loader.put("a.json", entry())
    assert client.get(address).status_code in (200, 301, 302, 400, 404, 422)


def test_a_document_is_never_taken_for_a_template(loader, client):
    loader.put("a.json", entry("{% now 'Y' %} {{ request }}"))
    body = client.get(ErrorEntry.objects.get().get_absolute_url()).content.decode()
    assert "{% now" in body
    assert "{{ request }}" in json.dumps(body)
