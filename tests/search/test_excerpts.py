"""Search: which piece of a document is shown, and what is marked in it."""

import re
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errorkb.core.tokens import tokenize
from errorkb.search.excerpts import MAX_EXCERPT, MAX_TITLE, Excerpt, Fragment, Marks, excerpt, marked_title
from tests.search.bases import ENTRY, PULL_REQUEST


def shown(fragments: tuple[Fragment, ...]) -> str:
    """Write hits in brackets."""
    return "".join(f"[{fragment.text}]" if fragment.hit else fragment.text for fragment in fragments)


def marks(telling: str, common: str = "") -> Marks:
    return Marks(frozenset(telling.split()), frozenset(common.split()))


@pytest.mark.parametrize(
    ("title", "telling", "common", "expected"),
    [
        ("KV cache lost", "lost", "", "KV cache [lost]"),
        ("KV cache lost", "kv lost", "", "[KV] cache [lost]"),
        ("KV cache lost", "kv cache", "", "[KV cache] lost"),
        ("does not support it", "support", "does not it", "[does not support it]"),
        ("it is not so", "kv", "it is not", "it is not so"),
        ("doesn\u2019t work", "doesn work", "t", "[doesn\u2019t work]"),
        ("AscendKVManager gone", "kv", "", "Ascend[KV]Manager gone"),
        ("AscendKVManager gone", "ascendkvmanager", "", "[AscendKVManager] gone"),
        ("Fix PD\u2011disaggregation", "pd-disaggregation", "", "Fix [PD\u2011disaggregation]"),
        ("基类接口漂移了", "接口 口漂 漂移", "", "基类[接口漂移]了"),
        ("École ﬁle", "ecole", "", "[École] ﬁle"),
        ("a\tb\n\nc\x00d \u202ee", "c", "", "a b [c] d e"),
        ("", "kv", "", ""),
    ],
)
def test_titles_are_marked(title: str, telling: str, common: str, expected: str) -> None:
    assert shown(marked_title(title, marks(telling, common))) == expected


@given(st.text("aBkVmX019_./\\-: '\u00e9\u4fee", max_size=40))
def test_each_token_of_a_title_is_marked_when_it_is_asked_for(text: str) -> None:
    for token in tokenize(text):
        fragments = marked_title(text, marks(token.text))
        assert any(fragment.hit and text[token.start : token.end] in fragment.text for fragment in fragments)


def test_a_very_long_title_is_cut_at_a_word() -> None:
    text = shown(marked_title("word " * 10_000, marks("")))
    assert text == ("word " * 60).rstrip() + "\u2026"
    assert len(text) <= MAX_TITLE


@pytest.mark.parametrize(
    ("telling", "field", "part"),
    [
        ("dst_device_kv_indices", "meaning", "Passing [dst_device_kv_indices] raises"),
        ("mooncake nixl", "common_situations", "the [Mooncake/NIXL] path"),
        ("ascendkvmanager", "source.symbol", "[AscendKVManager].send_kvcache"),
        ("supports_hisparse_dst", "examples.code", "def [supports_hisparse_dst](conn)"),
        ("implement wait", "solutions", "[Wait] for or [implement] Ascend"),
        ("zaya1", "related.title", "([ZAYA1] CCA"),
        ("zzzz", "meaning", "The Ascend (NPU) prefill-decode transfer"),
        ("", "meaning", "The Ascend (NPU) prefill-decode transfer"),
    ],
)
def test_the_excerpt_is_from_the_field_that_matched(telling: str, field: str, part: str) -> None:
    found = excerpt(ENTRY, marks(telling))
    assert found.field == field
    assert part in shown(found.fragments)


def test_reports_are_excerpted_alike() -> None:
    found = excerpt(PULL_REQUEST, marks("接口 口漂 漂移"))
    assert (found.field, shown(found.fragments)) == ("report.risk_flags", "基类[接口漂移]")
    assert excerpt(PULL_REQUEST, marks("")).field == "report.summary"


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"meaning": "Pass `kv_size`, **not** the [cache](https://example.org/)."}, "Pass [kv]_size, not the cache."),
        ({"common_situations": "- the first\n- *the* kv"}, "the first the [kv]"),
        ({"solutions": [{"text": "1. Wait for kv"}]}, "Wait for [kv]"),
        ({"examples": [{"code": "* kv `x`"}]}, "* [kv] `x`"),
        ({"kind": "kv", "meaning": "it"}, "it"),
    ],
)
def test_excerpts_are_plain_text_and_code_stays(document: dict[str, Any], expected: str) -> None:
    assert shown(excerpt(document, marks("kv")).fragments) == expected


def test_the_beginning_of_a_word_marks_the_word() -> None:
    found = excerpt({"meaning": "its kv_indices"}, Marks(frozenset(["kv", "indic"]), prefix="indic"))
    assert shown(found.fragments) == "its [kv_indices]"


def test_a_long_field_is_cut_about_its_hits() -> None:
    text = "before " * 1000 + "the kv cache was lost " + "after " * 1000
    found = excerpt({"meaning": text}, marks("kv lost"))
    assert shown(found.fragments).startswith("\u2026")
    assert "the [kv] cache was [lost] after" in shown(found.fragments)
    assert shown(found.fragments).endswith("\u2026")
    assert sum(len(fragment.text) for fragment in found.fragments) <= MAX_EXCERPT + 2


def test_the_densest_place_is_shown() -> None:
    text = "kv once. " + "filler " * 60 + "kv and kv and the lost kv."
    assert "[kv] and [kv] and the [lost kv]" in shown(excerpt({"meaning": text}, marks("kv lost")).fragments)


@pytest.mark.parametrize("document", [{}, {"message": "only"}, {"meaning": "  "}, {"retryable": True, "x": None}])
def test_where_there_is_nothing_to_show_nothing_is_shown(document: dict[str, Any]) -> None:
    assert excerpt(document, marks("only")) == Excerpt("", ())


@given(st.text(alphabet="kv KV\u2011 修复é\n.…😀", max_size=600))
def test_what_is_shown_stands_in_the_text(text: str) -> None:
    found = excerpt({"meaning": text}, marks("kv 修复"))
    plain = "".join(fragment.text for fragment in found.fragments)
    assert plain.strip("\u2026") in re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("text", ["kv " * (1 << 20), "k" * (3 << 20), "(" * (3 << 20), "修" * (1 << 20)])
def test_megabytes_are_excerpted_in_a_moment(text: str) -> None:
    began = process_time()
    excerpt({"meaning": text}, marks("kv 修修 lost"))
    marked_title(text, marks("kv 修修 lost"))
    assert process_time() - began < 5
