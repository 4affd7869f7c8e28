"""Every leaf of a document is in the JSON, in the export and on the page: both examples, and 200 mutations of them."""

import html
import json
import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from errorkb.ingest.exporting import export_documents, exported_rows
from errorkb.models import ErrorEntry, PullRequest

SAMPLES = Path(__file__).parent / "samples" / "documents"
ENTRY = json.loads((SAMPLES / "error-0a4a184d34e9a38f.json").read_text("utf-8"))
PULL_REQUEST = json.loads((SAMPLES / "pull-request-33523.json").read_text("utf-8"))

# Values of every field that the examples lack, so that mutations start from the whole contract.
FULL_ENTRY = ENTRY | {
    "code": "E0277",
    "aliases": ["00000000000000aa"],
    "template": "Ascend {what} transfer",
    "wordings": [{"message": "older %s", "template": "older {0}", "from": "v0.5.1", "until": "v0.5.9"}],
    "conditions": ["In `send_kvcache`, when `x is not None`"],
    "releases": {"first": "v0.5.18", "last": "v0.5.23", "removed": "v0.6.0"},
    "references": [{"type": "docs", "url": "https://docs.example.org/hisparse?a=1&b=2"}],
    "slots": [{"name": "what", "kind": "word", "meaning": "the transfer"}],
    "samples": ["Ascend PD transfer"],
    "cause": "unsupported",
    "retryable": False,
    "language": "en",
    "tags": ["npu", "hi-sparse"],
    "state": "published",
}
FULL_PULL_REQUEST = PULL_REQUEST | {
    "author": "somebody",
    "merged_by": "bot[bot]",
    "merge_commit": "89abcdef01",
    "labels": ["npu", "run-ci"],
    "introduced_by": {"repository": "sgl-project/sglang", "number": 31901},
    "fixes": [{"exception_type": "TypeError", "message": "got an unexpected keyword argument 'x'"}],
}
# Text that pages like to lose: letters of other scripts, markup, quotes, things that Markdown or HTML would eat.
PIECES = [
    "plain words", "中文提示", "naïve café", "U+2011 a‑b", "<non-None ndarray>", "<script>alert(1)</script>",
    "a & b &amp; c", "__init__", "*args, **kwargs", "List[int]", "f(x)[0]", "C:\\path\\to", '"quoted" and \'single\'',
    "100% {braces} ${x}",
    "snake_case_name", "~tilde~", "emoji 😀", "[x]: y", "1 < 2 > 0", "#hash", "a|b|c",
]  # fmt: skip
# Fields with a closed set of values, or that other rules bind; a mutation leaves them alone.
FIXED = {
    "schema_version", "id", "aliases", "kind", "placeholders", "template", "state", "method", "cause", "role",
    "relation", "repository", "commit", "merge_commit", "date", "merged_at", "reviewed_at", "at",
}  # fmt: skip


class _Text(HTMLParser):
    """Collect what a person reads: text outside scripts and styles."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self._hidden += tag in ("script", "style", "head", "template")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style", "head", "template")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(data)


def read_page(body: str) -> str:
    parser = _Text()
    parser.feed(body)
    return "".join(parser.pieces)


def words(text: str) -> str:
    """Fold white space, and drop the few marks that Markdown may rightly turn into something else than letters."""
    return re.sub(r"\s+", " ", re.sub(r"[`*]", "", text)).strip()


def leaves(value, path=()) -> Iterator[tuple[tuple, object]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


def mutated(document: dict, source: random.Random) -> dict:
    """Return a copy with some leaves replaced by other values of their type, and some optional fields dropped."""

    def change(value, key):
        if isinstance(value, dict):
            return {name: change(item, name) for name, item in value.items() if not dropped(name, item)}
        if isinstance(value, list):
            return [change(item, key) for item in value]
        if key in FIXED or source.random() < 0.5:
            return value
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return source.randrange(1, 100_000) if key not in ("line", "start_line", "number") else value
        if isinstance(value, str):
            return " ".join(source.sample(PIECES, source.randrange(1, 4)))
        return value

    def dropped(name, item):
        kept = (
            "schema_version repository number message path code text title url heading body line id start_line name tag"
        )
        return name not in kept.split() and source.random() < 0.12

    return change(document, "")


def missing(document: dict, page: str) -> list[str]:
    text = words(page)
    absent = []
    for path, value in leaves(document):
        said = {True: ("yes", "true", "reviewed"), False: ("no", "false", "not"), None: ("not given", "null", "none")}
        wanted = said[value] if value is None or isinstance(value, bool) else (words(str(value)),)
        lines = [words(line) for line in str(value).splitlines()] if isinstance(value, str) and "\n" in value else None
        found = all(line in text for line in lines) if lines else any(choice in text for choice in wanted)
        if not found:
            absent.append(f"{'.'.join(map(str, path))}: {value!r}")
    return absent


def numbered() -> list[tuple[int, dict, str]]:
    cases = []
    for seed in range(100):
        source = random.Random(seed)
        cases.append((seed, mutated(FULL_ENTRY if seed % 4 else ENTRY, source), "entries"))
        cases.append((seed, mutated(FULL_PULL_REQUEST if seed % 4 else PULL_REQUEST, source), "pull_requests"))
    return cases


@pytest.mark.parametrize(
    ("kind", "document"),
    [
        ("entries", ENTRY),
        ("entries", FULL_ENTRY),
        ("pull_requests", PULL_REQUEST),
        ("pull_requests", FULL_PULL_REQUEST),
    ],
)
def test_every_leaf_of_the_examples(loader, client, kind, document):
    check(loader, client, kind, document)


@pytest.mark.parametrize("block", [0, 1, 2, *(pytest.param(block, marks=pytest.mark.long) for block in range(3, 10))])
def test_every_leaf_of_mutated_documents(loader, client, block):
    for _, document, kind in numbered()[block * 20 : block * 20 + 20]:
        check(loader, client, kind, document)
        ErrorEntry.objects.all().delete()
        PullRequest.objects.all().delete()


def check(loader, client, kind: str, document: dict) -> None:
    (outcome,) = loader.load(loader.file("x.json", document), kind=kind)
    assert outcome.status == "created", outcome.problems
    (exported,) = [found for _, found in export_documents(exported_rows(kind))]
    assert json.dumps(exported) == json.dumps(document)
    row = (ErrorEntry if kind == "entries" else PullRequest).objects.get()
    api = f"/api/errors/{row.public_id}" if kind == "entries" else f"/api/pull-requests/{row.repository}/{row.number}"
    served = client.get(api).json()
    assert {key: served[key] for key in document} == document
    answer = client.get(row.get_absolute_url())
    assert answer.status_code == 200
    body = answer.content.decode()
    assert missing(document, read_page(body)) == []
    assert "<script>alert" not in body
    assert html.unescape("&lt;") in read_page(body) or "<" not in json.dumps(document)


def test_the_walk_notices_what_is_missing():
    document = {"a": ["one", {"b": "two\nthree"}], "c": None, "d": True}
    assert missing(document, "one two three; c: not given; d: yes") == []
    assert missing(document, "one two") == ["a.1.b: 'two\\nthree'", "c: None", "d: True"]
