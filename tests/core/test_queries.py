"""Core: the query language, against a table worked out by hand, and its description against the language."""

import re
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errorkb.core.queries import (
    FILTERS,
    MAX_QUERY_LENGTH,
    SORTS,
    Filter,
    Query,
    parse_query,
    query_with,
    query_without,
    sorted_query,
    written_filter,
)
from errorkb.core.tokens import query_tokens


def repo(value: str, *, negated: bool = False) -> Filter:
    return Filter("repo", value, negated)


# Each row: what is typed, and the fields of the query that are not empty.
QUERIES: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("   \n ", {}),
    ("Ascend PD", {"words": ("Ascend", "PD")}),
    ("Ascend Ascend", {"words": ("Ascend",)}),
    ("dst_device_kv_indices", {"words": ("dst_device_kv_indices",)}),
    ("接口漂移 修复", {"words": ("接口漂移", "修复")}),
    ("接口漂移\u3000修复", {"words": ("接口漂移", "修复")}),
    ('"does not support" x', {"phrases": ("does not support",), "words": ("x",)}),
    ("“does not support” x", {"phrases": ("does not support",), "words": ("x",)}),
    ("„接口漂移”", {"phrases": ("接口漂移",)}),
    ('"Invalid JSON {"', {"phrases": ("Invalid JSON {",)}),
    ('"a  b"', {"phrases": ("a b",)}),
    ("“PD\u2011disaggregation”", {"phrases": ("PD\u2011disaggregation",)}),
    ('"one" "two"', {"phrases": ("one", "two")}),
    ('""', {"problems": 1}),
    ('"->" x', {"words": ("x",), "problems": 1}),
    ('"unclosed x', {"words": ('"unclosed', "x")}),
    ('argument="the value"', {"words": ('argument="the', 'value"')}),
    ("-mooncake", {"excluded_words": ("mooncake",)}),
    ("x -mooncake", {"words": ("x",), "excluded_words": ("mooncake",)}),
    ("x -修", {"words": ("x",), "excluded_words": ("修",)}),
    ("x \u2011mooncake", {"words": ("x",), "excluded_words": ("mooncake",)}),
    ('x -"not this"', {"words": ("x",), "excluded_phrases": ("not this",)}),
    ("x -“not this”", {"words": ("x",), "excluded_phrases": ("not this",)}),
    ("exit code -1", {"words": ("exit", "code", "-1")}),
    ("python -m site", {"words": ("python", "-m", "site")}),
    ("--enable-hicache", {"words": ("--enable-hicache",)}),
    # Lines of files, and links to them.
    ("a/conn.py:12 x", {"words": ("a/conn.py:12", "x")}),
    ("path:a/conn.py:12", {"filters": (Filter("path", "a/conn.py"),)}),
    ("https://github.com/a/b/blob/0132848349/src/conn.py#L136-L140", {"words": ("src/conn.py:136",)}),
    ("https://gitlab.example/a/b/-/blob/main/src/conn.py?ref=x#L7", {"words": ("src/conn.py:7",)}),
    ("https://github.com/a/b/blob/main/src/conn.py", {"words": ("src/conn.py",)}),
    ("path:https://github.com/a/b/blob/main/src/conn.py#L3", {"filters": (Filter("path", "src/conn.py"),)}),
    ("https://github.com/a/b/issues/1#L2", {"words": ("https://github.com/a/b/issues/1#L2",)}),
    ("Cannot connect to host x ssl:default", {"words": ("Cannot", "connect", "to", "host", "x", "ssl:default")}),
    ("send-receive a - b", {"words": ("send-receive", "a", "b")}),
    ("repo:sgl-project/sglang", {"filters": (repo("sgl-project/sglang"),)}),
    ("Repo:sglang x", {"filters": (repo("sglang"),), "words": ("x",)}),
    ("repository:sglang", {"filters": (repo("sglang"),)}),
    ("repo:https://github.com/sgl-project/sglang/", {"filters": (repo("sgl-project/sglang"),)}),
    ("repo：sglang", {"filters": (repo("sglang"),)}),
    ("-repo:sglang", {"filters": (repo("sglang", negated=True),)}),
    ("repo:a repo:b repo:a", {"filters": (repo("a"), repo("b"))}),
    ('repo:"a b"', {"filters": (repo("a b"),)}),
    ("repo:“a b”", {"filters": (repo("a b"),)}),
    ("type:NotImplementedError", {"filters": (Filter("type", "NotImplementedError"),)}),
    ("path:*/ascend/*.py", {"filters": (Filter("path", "*/ascend/*.py"),)}),
    ('path:"my files/a.py"', {"filters": (Filter("path", "my files/a.py"),)}),
    ("kind:assertion", {"filters": (Filter("kind", "assertion"),)}),
    ("kind:PR", {"filters": (Filter("kind", "pull_request"),)}),
    ("kind:pull_request", {"filters": (Filter("kind", "pull_request"),)}),
    ("lang:Python", {"filters": (Filter("lang", "python"),)}),
    ("lang:py language:js", {"filters": (Filter("lang", "python"), Filter("lang", "javascript"))}),
    ("code:E0277", {"filters": (Filter("code", "E0277"),)}),
    ("code:fields.E304", {"filters": (Filter("code", "fields.E304"),)}),
    ("symbol:Vec::push", {"filters": (Filter("symbol", "Vec::push"),)}),
    ("is:reviewed", {"filters": (Filter("is", "reviewed"),)}),
    ("is:unreviewed is:explained", {"filters": (Filter("is", "unreviewed"), Filter("is", "explained"))}),
    ("is:stale", {"filters": (Filter("is", "stale"),)}),
    ("is:facts-only", {"filters": (Filter("is", "facts-only"),)}),
    ("is:facts\u2011only", {"filters": (Filter("is", "facts-only"),)}),
    ("-is:removed", {"filters": (Filter("is", "removed", negated=True),)}),
    ("pr:123", {"filters": (Filter("pr", "123"),)}),
    ("pr:#123", {"filters": (Filter("pr", "123"),)}),
    ("pr:a/b#123", {"filters": (Filter("pr", "a/b#123"),)}),
    ("pr:https://github.com/a/b/pull/123", {"filters": (Filter("pr", "a/b#123"),)}),
    ("pr:https://gitlab.com/a/b/-/merge_requests/5", {"filters": (Filter("pr", "gitlab.com/a/b#5"),)}),
    ("-pr:123", {"filters": (Filter("pr", "123", negated=True),)}),
    ("pr:2147483648 x", {"words": ("x",), "problems": 1}),
    ("pr:abc x", {"words": ("x",), "problems": 1}),
    ("release:v0.5.18 version:2", {"filters": (Filter("release", "v0.5.18"), Filter("release", "2"))}),
    ("module:django/db/", {"filters": (Filter("module", "django/db"),)}),
    ("sort:newest x", {"words": ("x",), "order": "newest"}),
    ("sort:Path order:oldest", {"order": "oldest"}),
    ("sort:best x", {"words": ("x",), "problems": 1}),
    ("-sort:path x", {"words": ("x",), "problems": 1}),
    ("sort: x", {"words": ("sort:", "x"), "problems": 1}),
    ("is:banana x", {"words": ("x",), "problems": 1}),
    ("kind:banana x", {"words": ("x",), "problems": 1}),
    ("colour:red x", {"words": ("x",), "problems": 1}),
    ("-colour:red x", {"words": ("x",), "problems": 1}),
    ('colour:"dark red" x', {"words": ("x",), "problems": 1}),
    ('repo:"" x', {"words": ("x",), "problems": 1}),
    ("path:*a*b*c*d*e*f*g*h*i x", {"words": ("x",), "problems": 1}),
    ("path:" + "a" * 301, {"problems": 1}),
    ("repo: sglang", {"words": ("repo:", "sglang"), "problems": 1}),
    ("http://localhost:8000/v1", {"words": ("http://localhost:8000/v1",)}),
    ("localhost:abc node:fs urn:ietf", {"words": ("localhost:abc", "node:fs", "urn:ietf")}),
    ("KeyError: x", {"words": ("KeyError:", "x")}),
    ("KeyError:x", {"words": ("KeyError:x",)}),
    ("C:\\path\\x", {"words": ("C:\\path\\x",)}),
    ("file:///etc/passwd", {"words": ("file:///etc/passwd",)}),
    ("std::string", {"words": ("std::string",)}),
    ("conn.py:136 line:12", {"words": ("conn.py:136", "line:12")}),
    ("summary：修复", {"words": ("summary：修复",)}),
    ("/v1/models ${response.status}", {"words": ("/v1/models", "${response.status}")}),
    ("0a4a184d34e9a38f", {"words": ("0a4a184d34e9a38f",), "identifier": "0a4a184d34e9a38f"}),
    (" 0A4A184D34E9A38F\n", {"words": ("0A4A184D34E9A38F",), "identifier": "0a4a184d34e9a38f"}),
    ("0a4a184d34e9a38", {"words": ("0a4a184d34e9a38",)}),
    ("0a4a184d34e9a38f x", {"words": ("0a4a184d34e9a38f", "x")}),
    ('"', {"problems": 1}),
    ("*** 😀", {"problems": 1}),
    ("NEAR(a b) AND x* OR y:z", {"words": ("NEAR(a", "b)", "AND", "x*", "OR", "y:z")}),
    ("'; DROP TABLE x; --", {"words": ("DROP", "TABLE", "x;")}),
    ("a\0b\x1fc\ud800d", {"words": ("a", "b", "c", "d")}),
]
FIELDS = ("words", "phrases", "excluded_words", "excluded_phrases", "filters", "identifier", "order")


@pytest.mark.parametrize(("text", "expected"), QUERIES)
def test_reads_words_phrases_and_filters(text: str, expected: dict[str, Any]) -> None:
    query = parse_query(text)
    found = {name: getattr(query, name) for name in FIELDS if getattr(query, name)}
    assert found == {name: value for name, value in expected.items() if name != "problems"}
    assert len(query.problems) == expected.get("problems", 0)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("symbl:x", "“symbl:x” was left out: symbl: is no filter; did you mean symbol:?"),
        ("is:banana", "“is:banana” was left out: is: takes reviewed, unreviewed, explained, facts-only, removed"),
        (
            "colour:red",
            "filters are repo:, type:, path:, module:, kind:, lang:, code:, symbol:, is:, pr:, release:.",
        ),
        ("pr:x", "“pr:x” was left out: pr: takes a pull request: its number, or owner/name#number."),
        ("sort:best", "sort: takes relevance, newest, oldest or path."),
        ("-sort:path", "“-sort:path” was left out: sort: has no opposite."),
        ("sorted:path", "sorted: is no filter; did you mean sort:?"),
        ("code:", "“code:” was searched for as a word; as a filter it needs a value, code:…"),
        ('lang:""', "lang: needs the programming language of the source."),
        ('"..."', "“...” was left out: there is no word in it."),
        ("?!", "There is no word in the query to search for."),
        ("x " * 2000, "Only the first 2,000 characters were searched for."),
        ("x" * 1_000_000, "Only the first 2,000 characters were searched for."),
        (" ".join(f"repo:r{n}" for n in range(21)), "Only the first 20 filters were used."),
    ],
)
def test_says_what_it_did_not_understand(text: str, problem: str) -> None:
    assert problem in " ".join(parse_query(text).problems)


def test_cuts_between_words() -> None:
    query = parse_query("word " * 1000)
    assert query.text == ("word " * 400).strip()
    assert query.words == ("word",)


def test_blanks_around_a_query_do_not_count() -> None:
    assert parse_query(" " * 5000 + "x" + " " * 5000) == Query("x", words=("x",))


@given(st.text(alphabet='ab:"“”-‑* \0/\\修é1is repo', max_size=80))
def test_every_text_is_a_query(text: str) -> None:
    query = parse_query(text)
    items = [*query.words, *query.phrases, *query.excluded_words, *query.excluded_phrases]
    assert all(query_tokens(item) for item in items)
    assert all(item.value for item in query.filters)


@pytest.mark.parametrize("item", ['"', '"a" ', "a:", "-", " ", "is:x ", "😀", "\0", "-a"])
def test_a_megabyte_is_read_at_once(item: str) -> None:
    began = process_time()
    query = parse_query(item * (1_000_000 // len(item)))
    assert len(query.text) <= MAX_QUERY_LENGTH
    assert process_time() - began < 1


DESCRIPTION = (Path(__file__).parent.parent.parent / "docs" / "search.md").read_text("utf-8")
ROWS = re.findall(r"^\| (`.*?) \|", DESCRIPTION, re.MULTILINE)
DESCRIBED = [example for row in ROWS for example in re.findall("`(.+?)`", row)]


@pytest.mark.parametrize("example", DESCRIBED)
def test_every_example_of_the_description_is_understood(example: str) -> None:
    assert parse_query(example).problems == ()


def test_every_filter_is_described() -> None:
    assert {item.name for example in DESCRIBED for item in parse_query(example).filters} == set(FILTERS)


def test_every_order_is_described() -> None:
    assert {parse_query(example).order for example in DESCRIBED} - {""} == set(SORTS)


@pytest.mark.parametrize(
    ("text", "name", "value", "expected"),
    [
        ("", "repo", "a/b", "repo:a/b"),
        ("x -y", "type", "KeyError", "x -y type:KeyError"),
        ("x", "path", "my files/a.py", 'x path:"my files/a.py"'),
        ("x", "module", "/a", 'x module:"/a"'),
        ("x", "type", 'a"b', 'x type:"a b"'),
        ("x is:explained", "is", "explained", "x is:explained"),
    ],
)
def test_writes_a_query_with_a_filter_more(text: str, name: str, value: str, expected: str) -> None:
    assert query_with(parse_query(text), name, value) == expected


@pytest.mark.parametrize(
    ("text", "removed", "expected"),
    [
        ('x  repo:a "b c" -y', Filter("repo", "a"), 'x "b c" -y'),
        ("repo:a repo:b REPO:a", Filter("repo", "a"), "repo:b"),
        ("x -is:removed is:removed", Filter("is", "removed", negated=True), "x is:removed"),
        ("is:banana x kind:PR", Filter("kind", "pull_request"), "is:banana x"),
    ],
)
def test_writes_a_query_without_one_of_its_filters(text: str, removed: Filter, expected: str) -> None:
    assert query_without(parse_query(text), removed) == expected


@pytest.mark.parametrize(
    ("text", "order", "expected"),
    [
        ("x", "newest", "x sort:newest"),
        ("", "path", "sort:path"),
        ("sort:path x", "newest", "x sort:newest"),
        ("x sort:path", "relevance", "x"),
    ],
)
def test_writes_a_query_in_another_order(text: str, order: str, expected: str) -> None:
    assert sorted_query(parse_query(text), order) == expected


@given(st.sampled_from(sorted(FILTERS)), st.text(alphabet='ab:"\u201c\u201d /*#\\-', min_size=1, max_size=12))
def test_a_written_filter_is_read_as_it_was_meant(name: str, value: str) -> None:
    taken = parse_query(f'{name}:"{value.replace(chr(34), " ")}"').filters
    assert [parse_query(written_filter(item.name, item.value)).filters for item in taken] == [(item,) for item in taken]


@pytest.mark.parametrize(
    ("text", "unfiltered"),
    [
        ("kv  lost: 'x'", "kv lost: 'x'"),
        ("repo:a/b Session is closed", "Session is closed"),
        ('kv sort:newest "not here" -type:KeyError lost', 'kv "not here" lost'),
        ("repo:a/b", ""),
        ("foo:bar kv repo:a/b", "foo:bar kv"),
    ],
)
def test_a_query_without_its_filters_is_as_it_was_typed(text: str, unfiltered: str) -> None:
    assert parse_query(text).unfiltered == unfiltered


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pandas/core/frame.py:4500 x", ("pandas/core/frame.py", "x")),
        ("a.ts:12:7, a.ts:9", ("a.ts",)),
        ("a:12 1.5:3 KeyError:12 v.py:1:2:3", ("a:12", "1.5:3", "KeyError:12", "v.py:1:2:3")),
    ],
)
def test_a_query_without_lines_has_the_files_alone(text: str, words: tuple[str, ...]) -> None:
    assert parse_query(text).without_lines().words == words
