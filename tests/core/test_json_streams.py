import json

import pytest

from errorkb.core.json_documents import MAX_BYTES, parse_document
from errorkb.core.json_streams import TOO_LARGE, Form, split_stream

DOCUMENTS = [{"a": 'x"\\}{[,', "b": [1, {"c": []}]}, {"é": "中\n"}, {}]


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100_000])
@pytest.mark.parametrize(
    "text",
    [
        json.dumps(DOCUMENTS),
        json.dumps(DOCUMENTS, indent=1),
        "\ufeff \n" + json.dumps(DOCUMENTS, ensure_ascii=False),
        "\n".join(json.dumps(document) for document in DOCUMENTS),
        "\r\n\r\n".join(json.dumps(document) for document in DOCUMENTS) + "\r\n",
        "\n".join(json.dumps(document, indent=2) for document in DOCUMENTS),
        "".join(json.dumps(document, indent=2) for document in DOCUMENTS),
    ],
)
def test_finds_the_same_documents_in_every_form_and_at_every_cut(text, size):
    frames = list(split_stream(pieces(text.encode(), size)))
    assert [parse_document(frame.data) for frame in frames] == DOCUMENTS
    assert [frame.index for frame in frames] == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        ("", []),
        (" \n ", []),
        ("[]", []),
        ("[ \n ]", []),
        ("[1,,2]", [(0, "1", ""), (1, "", ""), (2, "2", "")]),
        ('[{"a":1}', [(0, '{"a":1}', ""), (1, "", "expected ] at the end of the array")]),
        ('[{"a":1}}', [(0, '{"a":1}', ""), (1, "", "expected ] at the end of the array")]),
        ('[{"a":1}] x', [(0, '{"a":1}', ""), (1, "", "expected nothing behind the array")]),
        ('{"a":', [(0, '{"a":', "")]),
        ('{"a": "x\n{"b":1}\n', [(0, '{"a": "x', ""), (1, '{"b":1}', "")]),
    ],
)
def test_tells_what_is_wrong_with_the_stream_itself(text, frames):
    found = [(frame.index, frame.data.decode(), frame.problem) for frame in split_stream([text.encode()])]
    assert found == frames


def test_counts_lines_from_one():
    frames = split_stream([b'[\n{"a":\n1},\n\n{}]'])
    assert [(frame.index, frame.line) for frame in frames] == [(0, 2), (1, 5)]


def test_a_name_can_say_that_it_is_ndjson():
    frames = list(split_stream([b'{"a":\n{"b":1}\n'], lines=True))
    assert [(frame.form, frame.line, frame.data) for frame in frames] == [
        (Form.LINES, 1, b'{"a":'),
        (Form.LINES, 2, b'{"b":1}'),
    ]


@pytest.mark.parametrize("form", ["array", "lines", "objects"])
def test_passes_over_a_document_that_is_too_large_and_goes_on(form):
    large = b'{"a":"' + b"x" * (MAX_BYTES + 10) + b'"}'
    text = {
        "array": b"[" + large + b',{"b":1}]',
        "lines": large + b'\n{"b":1}\n',
        "objects": b"{\n}" + large + b'{"b":1}',
    }
    frames = list(split_stream(pieces(text[form], 65_536), lines=form == "lines"))
    assert [frame.problem for frame in frames if frame.problem] == [TOO_LARGE]
    assert frames[-1].data == b'{"b":1}'


def test_memory_stays_at_one_document():
    """The stream is made up as it is read: were it kept, ten million documents would not fit."""
    seen = 0

    def stream():
        nonlocal seen
        yield b"["
        for _ in range(2_000):
            seen += 1
            yield b'{"a":1},' * 100
        yield b"{}]"

    frames = split_stream(stream())
    next(frames)
    assert seen == 1
    assert sum(1 for _ in frames) == 200_000


@pytest.mark.parametrize("data", [b"[" * 300_000, b"{" * 300_000, b'["' + b"\\" * 300_000, b'[{"a":"' * 100_000])
def test_hostile_streams_end(data):
    assert len(list(split_stream(pieces(data, 4096)))) <= 2
