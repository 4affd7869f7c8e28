import gzip
import io
import json
import os
from pathlib import Path

import pytest

from errorkb.ingest.readers import UnreadableError, find_files, read_documents
from tests.builders import entry

ONE, TWO = entry("one"), entry("two")


def read(path, **options):
    return [(item.raw, [str(problem) for problem in item.problems]) for item in read_documents(str(path), **options)]


@pytest.mark.parametrize(
    ("name", "data", "documents"),
    [
        ("a.json", json.dumps(ONE), [ONE]),
        ("a.json", json.dumps(ONE, indent=4), [ONE]),
        ("a.json", json.dumps([ONE, TWO]), [ONE, TWO]),
        ("a.ndjson", f"{json.dumps(ONE)}\n\n{json.dumps(TWO)}\n", [ONE, TWO]),
        ("a.jsonl", f"{json.dumps(ONE)}\r\n{json.dumps(TWO)}", [ONE, TWO]),
        ("anything", f"{json.dumps(ONE)}\n{json.dumps(TWO)}", [ONE, TWO]),
        ("empty.json", "", []),
        ("empty.json", "[]", []),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_reads_every_form_plain_and_gzipped(tmp_path, name, data, documents, packed):
    path = tmp_path / (name + ".gz" * packed)
    path.write_bytes(gzip.compress(data.encode()) if packed else data.encode())
    assert read(path) == [(document, []) for document in documents]


def test_reads_standard_input():
    data = io.BytesIO(json.dumps([ONE, TWO]).encode())
    assert read("-", standard_input=data) == [(ONE, []), (TWO, [])]


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\n\n\n", b" " * 1000, b"\xef\xbb\xbf\r\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_tells_json_from_a_report_behind_blanks_and_a_byte_order_mark(before, packed):
    data = before + json.dumps(ONE).encode()
    stream = io.BytesIO(gzip.compress(data) if packed else data)
    assert read("-", standard_input=stream, reports=True) == [(ONE, [])]


@pytest.mark.parametrize("name", ["report.md", "report.md.gz", "report", "-"])
def test_a_report_among_documents_is_one_problem_that_names_its_command(tmp_path, name):
    data = "# PR #7 完整报告\n\n- 仓库：`acme/shop`\n\n## Motivation\n\nWords.\n".encode()
    data = gzip.compress(data) if name.endswith(".gz") else data
    (tmp_path / name).write_bytes(data)
    path = name if name == "-" else tmp_path / name
    ((raw, (problem,)),) = read(path, standard_input=io.BytesIO(data))
    assert raw is None
    assert problem.startswith("$: expected JSON, found what looks like a Markdown report; load that with load_pull_req")


def test_a_file_that_cannot_be_read_is_a_problem_of_its_own(tmp_path):
    (found,) = read(tmp_path)
    assert found == (None, ["$: the file cannot be read: Is a directory"])


def test_a_name_that_is_not_utf_8_is_shown_escaped(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.json")
    Path(path).write_text(json.dumps(ONE))
    (found,) = read_documents(path)
    assert (found.where, found.writer) == (f"{tmp_path}/\\udcff.json", f"file:{tmp_path}/\\udcff.json")


def test_finds_documents_in_a_folder_in_order_of_their_names(tmp_path):
    for name in (
        "b.json",
        "a/z.ndjson.gz",
        "a/a.jsonl",
        "README.json",
        "readme+api+1.json",
        ".hidden/x.json",
        "notes.txt",
        "a/.x.json",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = [path.removeprefix(f"{tmp_path}/") for path in find_files(str(tmp_path))]
    assert found == ["a/a.jsonl", "a/z.ndjson.gz", "b.json", "readme+api+1.json"]
    assert f"{tmp_path}/notes.txt" in find_files(str(tmp_path), reports=True)


def test_says_which_path_is_missing(tmp_path):
    with pytest.raises(UnreadableError, match=r"nowhere\.json: no such file or folder"):
        find_files(str(tmp_path / "nowhere.json"))


@pytest.mark.parametrize(
    ("name", "data", "wheres", "problem"),
    [
        ("a.ndjson", '{"a":1}\n{"a":\n{"b":1}', ["line 1", "line 2", "line 3"], "expected JSON"),
        ("a.json", '[{"a":1},\n{"a" 1},{"b":1}]', ["index 0 (line 1)", "index 1 (line 2)"], "expecting ':' delimiter"),
        ("a.json", '[{"a":1},{"a":1,"a":2},{"b":1}]', ["index 0", "index 1", "index 2"], "this key stands twice"),
        ("a.json", '[{"a":1},3]', ["index 0", "index 1"], "expected a JSON object, found a number"),
    ],
)
def test_broken_json_ends_its_array_and_costs_ndjson_one_line(tmp_path, name, data, wheres, problem):
    path = tmp_path / name
    path.write_text(data)
    found = list(read_documents(str(path)))
    assert len(found) == len(wheres)
    assert all(where in item.where for item, where in zip(found, wheres, strict=True))
    (bad,) = [item for item in found if item.problems]
    assert problem in str(bad.problems[0])


@pytest.mark.parametrize("cut", [5, -9, -1])
def test_a_gzip_file_that_is_cut_off_keeps_what_came_before(tmp_path, cut):
    path = tmp_path / "a.ndjson.gz"
    path.write_bytes(gzip.compress((json.dumps(ONE) + "\n").encode() * 3)[:cut])
    found = read(path)
    assert found[-1][0] is None
    assert "expected a whole gzip file" in found[-1][1][0]


def test_a_file_writes_as_itself_and_a_named_tool_as_that(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(ONE))
    assert [item.writer for item in read_documents(str(path))] == [f"file:{path}"]
    assert [item.writer for item in read_documents(str(path), writer="tool:x")] == ["tool:x"]
