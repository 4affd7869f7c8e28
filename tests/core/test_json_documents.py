import json

import pytest

from errorkb.core.json_documents import MAX_BYTES, BrokenJsonError, dump_document, parse_document
from errorkb.core.problems import DocumentError


def nested(levels: int) -> bytes:
    return b'{"a":' * (levels - 1) + b"{}" + b"}" * (levels - 1)


@pytest.mark.parametrize(
    "text",
    ['{"a": "\\u202e\\u2011 中", "b": [1.5, -0, true, null, "\\ud83d\\ude00"]}', '\ufeff{"z": 1, "a": {}}', "{}"],
)
def test_keeps_values_and_the_order_of_keys(text):
    expected = json.loads(text.removeprefix("\ufeff"))
    assert parse_document(text.encode()) == expected
    assert json.loads(dump_document(parse_document(text.encode()))) == expected
    assert list(parse_document(text.encode())) == list(expected)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'{"a":1,"a":2}', "$.a: this key stands twice"),
        (b'{"b":{"x":[{"a":1,"a":2}]}}', "$.b.x[0].a: this key stands twice"),
        (b'{"a":["\\u0000"]}', "$.a[0]: expected text without NUL"),
        (b'{"a":"x\\ud800y"}', "$.a: expected whole characters, found the lone surrogate U+D800"),
        (b'{"\\udfff":1}', "$: a key: expected whole characters, found the lone surrogate U+DFFF"),
        (b'{"a":NaN}', "$: expected a finite number, found NaN"),
        (b'{"a":-Infinity}', "$: expected a finite number, found -Infinity"),
        (b'{"a":1e999}', "$.a: expected a finite number"),
        (b'{"a":' + b"1" * 5000 + b"}", "$: expected a number of at most 1000 digits, found 5000"),
        (nested(65), "expected at most 64 levels"),
        (b'{"a":' * 100_000, "expected at most 64 levels"),
        (b"[1]", "$: expected a JSON object, found an array"),
        (b'"a"', "$: expected a JSON object, found a string"),
        (b" " * (MAX_BYTES + 1), "$: expected at most 8388608 bytes"),
    ],
)
def test_refuses_what_json_allows_and_documents_do_not(data, problem):
    with pytest.raises(DocumentError) as refusal:
        parse_document(data)
    assert problem in str(refusal.value)
    assert not isinstance(refusal.value, BrokenJsonError)


def test_tells_the_first_of_very_many_faults():
    with pytest.raises(DocumentError) as refusal:
        parse_document(b'{"a":[' + b",".join([b'"\\u0000"'] * 100_000) + b"]}")
    assert len(refusal.value.problems) == 21
    assert str(refusal.value.problems[20]) == "$: more is wrong than these"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'\xff{"a":1}', "expected UTF-8, found byte 0xff at offset 0"),
        (b'{"a":"\n"}', "invalid control character at (line 1 column 7"),
        (b'{"a":1', "expecting ',' delimiter (line 1 column 7"),
        (b'{"a":1}}', "extra data (line 1 column 8"),
        (b"", "expecting value"),
        (b"{a:1}", "expecting property name"),
    ],
)
def test_tells_broken_json_from_wrong_documents(data, problem):
    with pytest.raises(BrokenJsonError) as refusal:
        parse_document(data)
    assert problem in str(refusal.value)


def test_sixty_four_levels_are_allowed():
    assert parse_document(nested(64))
