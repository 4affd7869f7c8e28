"""Search: every text of a document is among its tokens, in the column where it belongs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errorkb.core.tokens import query_tokens
from errorkb.search.row_tokens import NO_WORDS, RowTokens, texts_of, tokens_for_entry, tokens_for_pull_request
from tests.search.bases import ENTRY, MINIMAL, PULL_REQUEST


def all_tokens(tokens: RowTokens) -> set[str]:
    return {token for column in tokens for token in column.split(" ")}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (
            {"repository": "a/b", "message": "KV lost", "exception_type": "PDError"},
            RowTokens(title="pderror kv lost pd error | kv lost", names="a/b a b", parts="", prose=""),
        ),
        (
            {"message": "", "exception_type": "AssertionError", "source": {"symbol": "Join.run", "path": "sql/x.py"}},
            RowTokens(
                title="assertionerror join.run assertion error join run",
                names="sql/x.py sql x py",
                parts="",
                prose="",
            ),
        ),
        (
            {"message": "m", "source": {"symbol": "Join.run", "line": 7}, "code": "E0277", "meaning": "Use kv_size."},
            RowTokens(title="m | m", names="e0277 join.run join run", parts="kv size", prose="7 use kv_size"),
        ),
        (
            {"message": "m", "wordings": [{"message": "old", "template": "old {x}", "from": "1.2"}]},
            RowTokens(title="m old x | m | old", names="", parts="", prose="1.2"),
        ),
        (
            {"message": "no %s of (%s)s in %s!", "placeholders": "percent"},
            RowTokens(title="no s of in | no , of , s in", names="", parts="", prose=""),
        ),
        (
            {"schema_version": "1.0", "message": "m", "kind": "error", "analysis": {"method": "human"}},
            RowTokens(title="m | m", names="", parts="", prose=""),
        ),
        (
            {"message": "m", "pull_requests": [{"number": 33523, "role": "fixed"}], "tags": ["npu"], "retryable": True},
            RowTokens(title="m | m", names="npu 33523", parts="", prose=""),
        ),
        (
            {"message": "m", "examples": [{"code": "try:\\n\\tsend()\\nexcept KeyError:"}]},
            RowTokens(title="m | m", names="", parts="key error", prose="try send except keyerror"),
        ),
        (
            {"message": "m", "examples": [{"code": 'print("\\\\n")\nnext()'}]},
            RowTokens(title="m | m", names="", parts="", prose="print n next"),
        ),
        (
            {"message": "m", "x_future": {"deep": [{"er": "修复 it"}, 12, 1.5, None, False]}},
            RowTokens(title="m | m", names="", parts="修 复", prose="it 12 1.5 修复"),
        ),
    ],
)
def test_entry_tokens_by_column(document: dict[str, Any], expected: RowTokens) -> None:
    assert tokens_for_entry(document) == expected


def test_pull_request_tokens_by_column() -> None:
    report = {
        "key_files": [{"path": "ascend/conn.py", "note": "Sole file"}],
        "key_symbols": ["send_kv"],
        "risk": "风险",
    }
    document = {"repository": "a/b", "number": 33523, "title": "Fix PD\u2011x", "report": report}
    assert tokens_for_pull_request(document) == RowTokens(
        title="33523 fix pd-x pd x",
        names="send_kv ascend/conn.py a/b send kv ascend conn py a b",
        parts="风 险",
        prose="sole file 风险",
    )


@pytest.mark.parametrize(
    ("document", "tokens"),
    [(ENTRY, tokens_for_entry(ENTRY)), (PULL_REQUEST, tokens_for_pull_request(PULL_REQUEST))],
    ids=["entry", "pull request"],
)
def test_every_field_of_the_seeds_is_found(document: dict[str, Any], tokens: RowTokens) -> None:
    found = all_tokens(tokens)
    texts = [(field, text) for field, text in texts_of(document) if query_tokens(text) and field not in NO_WORDS]
    assert {field: set(query_tokens(text)) - found for field, text in texts} == {field: set() for field, _ in texts}


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=5), values, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from([*ENTRY, "x_new"]), JSON_VALUES))
def test_every_text_of_any_document_is_found(document: dict[str, Any]) -> None:
    found = all_tokens(tokens_for_entry(MINIMAL | document))
    texts = [text for field, text in texts_of(document) if field not in NO_WORDS]
    assert all(set(query_tokens(text)) <= found for text in texts)


def test_deep_documents_are_read() -> None:
    document: Any = {"x": "deepest"}
    for _ in range(100_000):
        document = {"x": [document]}
    assert "deepest" in tokens_for_entry(document).prose
