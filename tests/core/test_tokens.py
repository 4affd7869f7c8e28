"""Core: folding and splitting, against tables worked out by hand."""

import re
import sys
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errorkb.core.tokens import (
    MAX_TOKEN_LENGTH,
    Token,
    comparable,
    fold,
    index_tokens,
    part_tokens,
    phrase,
    query_tokens,
    tokenize,
    whole_tokens,
)
from errorkb.core.tokens.folding import plain_with_spans

MIB = 1 << 20

FOLDS = [
    ("NotImplementedError", "notimplementederror"),
    ("STRASSE Straße", "strasse strasse"),
    ("PD\u2011disaggregation", "pd-disaggregation"),
    ("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-------"),
    ("\uff0d\ufe63\ufe58", "---"),
    ("\u201cdoesn\u2019t\u201d", '"doesn\'t"'),
    ("\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\uff02", '"""""""""'),
    ("\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u02bc\uff07", "'''''''''"),
    ("it\u00b4s", "it's"),
    ("École Naïve Ångström", "ecole naive angstrom"),
    ("e\u0301cole", "ecole"),
    ("Ελλάδα", "ελλαδα"),
    ("Ещё Йод", "еще иод"),
    ("İstanbul", "istanbul"),
    ("ＡｓｃｅｎｄＫＶ（１２）", "ascendkv(12)"),
    ("ﬁle ½ x² ①", "file 1\u20442 x2 1"),
    ("ｶﾞｷﾞ", "ガギ"),
    ("가각 한국어", "가각 한국어"),
    ("接口漂移，修复。", "接口漂移,修复。"),
    ("a\u00adb\u200bc\ufeffd\u202ee", "abcde"),
    ("a ≠ b", "a ≠ b"),
    ("`code` \\n", "`code` \\n"),
    ("接口：「漂移」——か\u3099ｱ", '接口:"漂移"--がア'),
    ("，。：；！？（）［］｛｝＜＞＝＋＊％＃＠", ",。:;!?()[]{}<>=+*%#@"),
    ("हिन्दी", "हिन्दी"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), FOLDS)
def test_folds_case_width_accents_dashes_and_quotes(text: str, expected: str) -> None:
    assert fold(text) == expected


@pytest.mark.parametrize(("text", "expected"), FOLDS)
def test_folding_twice_changes_nothing_more(text: str, expected: str) -> None:
    assert fold(expected) == expected


def test_every_character_folds_to_what_stays_folded() -> None:
    assert [hex(code) for code in range(sys.maxunicode + 1) if fold(fold(chr(code))) != fold(chr(code))] == []


def test_no_character_folds_to_a_dash_or_quote_other_than_the_plain_ones() -> None:
    left = re.compile("[\u2010-\u2015\u2212\u2018-\u201f]")
    assert [hex(code) for code in range(sys.maxunicode + 1) if left.search(fold(chr(code)))] == []


# Each row: the text, its tokens in order, and the kind of each by its first letter (whole, part, word, cjk).
TOKENS = [
    ("Ascend PD transfer", "ascend pd transfer", "www"),
    ("dst_device_kv_indices", "dst_device_kv_indices dst device kv indices", "hpppp"),
    ("AscendKVManager", "ascendkvmanager ascend kv manager", "hppp"),
    ("getHTTPResponse", "gethttpresponse get http response", "hppp"),
    ("HTTP404Error", "http404error http404 http 404 error", "hpppp"),
    ("camelCase", "camelcase camel case", "hpp"),
    ("snake_CamelMix", "snake_camelmix snake camel mix", "hppp"),
    ("NPUs", "npus", "w"),
    ("fields.E304", "fields.e304 fields e304", "hpp"),
    ("E0277", "e0277", "w"),
    ("0x1F", "0x1f", "w"),
    ("0a4a184d34e9a38f", "0a4a184d34e9a38f", "w"),
    ("conn.py:136", "conn.py conn py 136", "hppw"),
    ("srt/ascend/conn.py", "srt/ascend/conn.py srt ascend conn py", "hpppp"),
    ("C:\\Users\\me", "c users\\me users me", "whpp"),
    ("std::vec::Vec", "std::vec::vec std vec vec", "hppp"),
    ("--enable-hicache", "enable-hicache enable hicache", "hpp"),
    ("-m", "m", "w"),
    ("v0.5.18", "v0.5.18 0.5.18", "hp"),
    ("0.5.18.", "0.5.18", "w"),
    ("0.5.18.post1", "0.5.18.post1 0.5.18 post1 post 1", "hpppp"),
    ("1.2.3rc1", "1.2.3rc1 1.2.3 rc1", "hpp"),
    ("sglang-0.5.18", "sglang-0.5.18 sglang 0.5.18", "hpp"),
    ("127.0.0.1:8000", "127.0.0.1 8000", "ww"),
    ("python3.11", "python3.11 python3 python 3 11", "hpppp"),
    ("__init__", "__init__ init", "hp"),
    ("List[int]", "list int", "ww"),
    ("doesn\u2019t", "doesn t", "ww"),
    ("${response.status}", "response.status response status", "hpp"),
    ("%(name)s %d", "name s d", "www"),
    ("PR#31901", "pr 31901", "ww"),
    ("failed...retry", "failed retry", "ww"),
    ("a, b;c|d", "a b c d", "wwww"),
    ("___ -- ... _._", "", ""),
    ("😀 🚀", "", ""),
    ("接口漂移", "接口 接 口漂 口 漂移 漂 移", "cpcpcpp"),
    ("修复", "修复 修 复", "cpp"),
    ("修", "修", "c"),
    ("修复send_kvcache缺参", "修复 修 复 send_kvcache send kvcache 缺参 缺 参", "cpphppcpp"),
    ("、。修，", "修", "c"),
    ("エラー", "エラ エ ラー ラ ー", "cpcpp"),
    ("오류 발생", "오류 오 류 발생 발 생", "cppcpp"),
    ("Ошибка", "ошибка", "w"),
    ("tab\tnul\0bell\x07", "tab nul bell", "www"),
]
KINDS = {"whole": "h", "part": "p", "word": "w", "cjk": "c"}


@pytest.mark.parametrize(("text", "words", "kinds"), TOKENS)
def test_splits_into_words_and_parts(text: str, words: str, kinds: str) -> None:
    tokens = list(tokenize(text))
    assert [token.text for token in tokens] == words.split()
    assert "".join(KINDS[token.kind] for token in tokens) == kinds


@pytest.mark.parametrize(("text", "words", "kinds"), TOKENS)
def test_each_text_is_indexed_by_its_tokens(text: str, words: str, kinds: str) -> None:
    expected_parts = {word for word, kind in zip(words.split(), kinds, strict=True) if kind == "p"}
    expected_whole = {word for word, kind in zip(words.split(), kinds, strict=True) if kind != "p"}
    found = index_tokens(text)
    assert set(found.whole) == expected_whole
    assert set(found.parts) == expected_parts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[npu] Fix PD\u2011disaggregation", [("npu", 1, 4), ("fix", 6, 9), ("pd-disaggregation", 10, 27)]),
        ("Straße nein", [("strasse", 0, 6), ("nein", 7, 11)]),
        ("ﬁle, ﬂow", [("file", 0, 3), ("flow", 5, 8)]),
        ("e\u0301cole x", [("ecole", 0, 6), ("x", 7, 8)]),
        ("½ x", [("1", 0, 1), ("2", 0, 1), ("x", 2, 3)]),
        ("Ｅ０２７７！", [("e0277", 0, 5)]),
        ("😀 foo→bar…", [("foo", 2, 5), ("bar", 6, 9)]),
        ("ab\u00adcd ef", [("abcd", 0, 5), ("ef", 6, 8)]),
    ],
)
def test_tokens_say_where_they_stand_in_the_original(text: str, expected: list[tuple[str, int, int]]) -> None:
    found = [(token.text, token.start, token.end) for token in tokenize(text) if token.kind != "part"]
    assert found == expected


def test_halfwidth_kana_are_marked_with_their_voicing_mark() -> None:
    assert list(tokenize("ｶﾞｷﾞ")) == [
        Token("ガギ", 0, 4, "cjk"),
        Token("ガ", 0, 2, "part"),
        Token("ギ", 2, 4, "part"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dst_device_kv_indices", "dst_device_kv_indices"),
        ("AscendKVManager.send_kvcache", "ascendkvmanager send_kvcache"),
        ("python/sglang/conn.py", "python sglang conn py"),
        ("--enable-hicache", "enable hicache"),
        ("fields.E304", "fields e304"),
        ("v0.5.18", "v0.5.18"),
        ("KeyError: 'x'", "keyerror x"),
        ("kv kv KV", "kv"),
        ("接口漂移", "接口 口漂 漂移"),
        ("漂", "漂"),
        ('"*" NEAR(', "near"),
        ("😀", ""),
    ],
)
def test_a_query_asks_for_each_identifier(text: str, expected: str) -> None:
    assert query_tokens(text) == tuple(expected.split())


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("kv_indices", "kv_indices", "kv indices"),
        ("ascend_kv_manager", "ascend_kv_manager", "ascend kv manager"),
        ("ascend/conn.py", "ascend/conn.py", "ascend conn py"),
        ("v0.5.18", "v0.5.18", "v0.5.18"),
        ("接口漂移", "接口 口漂 漂移", "接口 口漂 漂移"),
    ],
)
def test_a_query_word_can_be_asked_for_whole_or_by_its_parts(text: str, whole: str, parts: str) -> None:
    assert whole_tokens(text) == tuple(whole.split())
    assert part_tokens(text) == tuple(parts.split())


def test_index_tokens_come_once_in_order_of_appearance() -> None:
    whole, parts = index_tokens("b_c a b_c A fields.E304")
    assert [*whole] == ["b_c", "a", "fields.e304"]
    assert [*parts] == ["b", "c", "fields", "e304"]


def test_long_runs_are_found_by_their_beginning() -> None:
    blob = "QUJD" * 100
    assert [*index_tokens(blob).whole] == [blob[:MAX_TOKEN_LENGTH].casefold()]
    assert query_tokens(blob) == (blob[:MAX_TOKEN_LENGTH].casefold(),)


WORDS = st.text(alphabet="aAbB9_./\\-:'\" é\u2011ß修复ガｶﾞ\u0301\0\t€½", max_size=40)


@given(WORDS)
def test_every_text_is_found_by_itself(text: str) -> None:
    found = index_tokens(text)
    assert {*query_tokens(text), *whole_tokens(text), *part_tokens(text)} <= {*found.whole, *found.parts}


@given(st.text(alphabet="aAbBsS19_./\\-:v ", max_size=40))
def test_names_are_indexed_by_the_parts_that_are_marked_in_them(text: str) -> None:
    found, marked = index_tokens(text), list(tokenize(text))
    assert {*found.whole} == {token.text for token in marked if token.kind != "part"}
    assert {*found.parts} == {token.text for token in marked if token.kind == "part"}


@given(st.text())
def test_no_token_holds_a_blank_a_quote_or_a_control_character(text: str) -> None:
    tokens = [token for column in index_tokens(text) for token in column]
    assert all(0 < len(token) <= MAX_TOKEN_LENGTH for token in tokens)
    assert not [token for token in tokens if re.search(r"[\s\x00-\x1f\"'*]", token)]


@given(st.text(alphabet="aB_.-éß 修ｶﾞ½\u2011…😀", max_size=60))
def test_what_a_token_marks_is_the_text_that_it_was_made_of(text: str) -> None:
    for token in tokenize(text):
        assert token.text in fold(text[token.start : token.end])


@given(st.text())
def test_each_folded_character_has_its_place(text: str) -> None:
    folded, starts, ends = plain_with_spans(text)
    assert len(folded) == len(starts) == len(ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "a" * MIB,
        "A_" * (MIB // 2),
        "a." * (MIB // 2),
        "(" * MIB,
        "修" * MIB,
        "é " * (MIB // 2),
        "a" + "\u0301\u0323" * MIB,
        "1." * (MIB // 2),
        "::" * (MIB // 2),
        "\0" * MIB,
        "\u2011a" * (MIB // 2),
        "😀" * MIB,
    ],
    ids=lambda text: ascii(text[:6]),
)
def test_hostile_megabytes_take_seconds_at_most(text: str) -> None:
    began = process_time()
    index_tokens(text)
    query_tokens(text)
    next(tokenize(text), None)
    assert process_time() - began < 10


@pytest.mark.parametrize(
    ("wanted", "text", "held"),
    [
        ("kv lost", "the KV lost it", True),
        ("kv lost", "the KV\n  lost it", True),
        ("kv  lost", "kv lost", True),
        ("kv lost", "kv is lost", False),
        ("kv lost", "lost kv", False),
        ("v lost", "kv lost", False),
        ("kv lo", "kv lost", False),
        ("kv lo", "kv lost, kv lo", True),
        ("kv indices", "dst_kv indices_2", True),
        ("kv: lost", "kv: lost", True),
        ("kv: lost", "kv lost", False),
        ("(kv)", "f(kv)g", True),
        ("PD-x", "pd\u2011X", True),
        ("\u201ckv\u201d", 'the "kv"', True),
        ("PR", "由该PR引入", True),
        ("口漂", "接口漂移", True),
        ("修复 npu", "修复 NPU", True),
        ("kv", "", False),
    ],
)
def test_phrases_are_held_word_for_word_and_sign_for_sign(wanted: str, text: str, *, held: bool) -> None:
    assert phrase(wanted).is_in(comparable(text)) is held


def test_phrases_are_looked_for_in_linear_time() -> None:
    began = process_time()
    assert not phrase("a" * 1000 + "b").is_in("a" * MIB)
    assert not phrase("a").is_in("a" * MIB)
    assert process_time() - began < 5
