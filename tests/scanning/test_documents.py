import json
from dataclasses import replace

import pytest

from errorkb.core.documents import EntryDocument, validate_document
from errorkb.core.json_documents import parse_document
from errorkb.scanning.documents import ScanFacts, bounded, facts_of, site_document
from errorkb.scanning.opening import open_tree
from errorkb.scanning.sites import ThrowSite, Wording

FACTS = ScanFacts(
    repository="shop/shop",
    commit="0132848349" * 4,
    release="v1.0",
    path_prefix="src/",
    package="pkg:pypi/shop@1.0",
    license="MIT",
    date="2026-11-30T10:00:00Z",
)
PERCENT = Wording("%s has no %d items", "percent", "{0} has no {1} items")
LITERAL = Wording("Nothing is left {here", None, "Nothing is left {{here")
SITE = ThrowSite(
    kind="error",
    exception_type="StockError",
    wordings=(PERCENT,),
    text="full",
    path="shop/basket.py",
    line=12,
    end_line=14,
    symbol="Basket.add",
    code="E12",
    conditions=("In `Basket.add`, when `item is None`",),
    signature="def add(self, item)",
    snippet_start=11,
    snippet="        if item is None:\n            raise StockError(\n",
)


def test_writes_everything_that_a_scan_knows():
    assert site_document(SITE, FACTS) == {
        "schema_version": "1.0",
        "repository": "shop/shop",
        "message": "%s has no %d items",
        "kind": "error",
        "exception_type": "StockError",
        "code": "E12",
        "placeholders": "percent",
        "source": {
            "path": "src/shop/basket.py",
            "line": 12,
            "end_line": 14,
            "symbol": "Basket.add",
            "commit": "0132848349" * 4,
            "release": "v1.0",
            "language": "python",
            "package": "pkg:pypi/shop@1.0",
            "license": "MIT",
            "snippet": {"start_line": 11, "code": "        if item is None:\n            raise StockError(\n"},
        },
        "conditions": ["In `Basket.add`, when `item is None`", "Signature: `def add(self, item)`"],
        "analysis": {"method": "scanner", "commit": "0132848349" * 4, "date": "2026-11-30T10:00:00Z"},
    }


def test_leaves_out_what_is_not_known():
    site = replace(
        SITE, exception_type="", wordings=(), text="none", symbol="", code="", conditions=(), signature="", snippet=""
    )
    assert site_document(site, ScanFacts("shop/shop")) == {
        "schema_version": "1.0",
        "repository": "shop/shop",
        "message": "",
        "kind": "error",
        "source": {"path": "shop/basket.py", "line": 12, "end_line": 14, "language": "python"},
        "analysis": {"method": "scanner"},
    }


@pytest.mark.parametrize(
    ("wording", "fields"),
    [
        (LITERAL, {"message": "Nothing is left {here"}),
        (Wording("{a} of {{b}}", "fstring", "{a} of {{b}}"), {"message": "{a} of {{b}}", "placeholders": "fstring"}),
        # a template that its message and style do not give
        (Wording("%s", "percent", "{name}"), {"message": "%s", "placeholders": "percent", "template": "{name}"}),
        (Wording("{", "brace", "{{"), {"message": "{", "template": "{{"}),
    ],
)
def test_says_how_a_message_is_to_be_read(wording, fields):
    document = site_document(replace(SITE, wordings=(wording,)), FACTS)
    names = ("message", "placeholders", "template", "wordings")
    assert {name: document[name] for name in names if name in document} == fields
    validate_document(EntryDocument, document)


def test_lists_all_wordings_of_a_site_that_has_several():
    document = site_document(replace(SITE, wordings=(LITERAL, PERCENT)), FACTS)
    assert document["message"] == "Nothing is left {here"
    assert document["wordings"] == [
        {"message": "Nothing is left {here", "template": "Nothing is left {{here"},
        {"message": "%s has no %d items", "template": "{0} has no {1} items"},
    ]


@pytest.mark.parametrize(
    "site",
    [
        SITE,
        replace(SITE, wordings=()),
        replace(SITE, wordings=(LITERAL, PERCENT)),
        replace(SITE, kind="log", exception_type=""),
        bounded(replace(SITE, symbol="x" * 5000, exception_type="E" * 5000, code="c" * 5000)),
        replace(SITE, wordings=(Wording("NUL \0 and \ud800", None, "NUL \0 and \ud800"),), snippet="'\ud800'"),
        replace(SITE, signature="def add(self, mark='`')", conditions=("when `'\udfff'`",)),
    ],
)
def test_makes_documents_that_are_read_again_as_they_are(site):
    document = site_document(site, FACTS)
    text = json.dumps(document, ensure_ascii=False).encode("utf-8")
    assert parse_document(text) == document
    validate_document(EntryDocument, document)


def test_writes_what_json_cannot_hold_as_source_does():
    document = site_document(replace(SITE, wordings=(Wording("é \0 \ud800", None, "é \0 \ud800"),)), FACTS)
    assert document["message"] == "é \\x00 \\ud800"


def test_takes_the_facts_of_a_tree_and_the_word_of_the_caller(tmp_path):
    tree = open_tree(str(tmp_path), release="v2", path_prefix="lib")
    assert facts_of(tree) == ScanFacts("", release="v2", path_prefix="lib/")
    assert facts_of(tree, repository="a/b", license="MIT", date="2026-11-30") == ScanFacts(
        "a/b", release="v2", path_prefix="lib/", license="MIT", date="2026-11-30"
    )
