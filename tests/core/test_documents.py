import copy
import json
from pathlib import Path

import pytest

from errorkb.core.documents import (
    DOCUMENTS,
    EntryDocument,
    PullRequestDocument,
    RepositoryDocument,
    json_schema,
    validate_document,
)
from errorkb.core.problems import DocumentError

SAMPLES = Path(__file__).parent.parent / "samples" / "documents"
ENTRY = json.loads((SAMPLES / "error-0a4a184d34e9a38f.json").read_text("utf-8"))
PULL_REQUEST = json.loads((SAMPLES / "pull-request-33523.json").read_text("utf-8"))
MINIMAL = {"schema_version": "1.0", "repository": "a/b", "message": "m"}


@pytest.mark.parametrize(
    ("model", "raw"),
    [
        (EntryDocument, ENTRY),
        (EntryDocument, MINIMAL),
        (EntryDocument, MINIMAL | {"message": "", "meaning": None, "solutions": ["a", {"text": "b"}]}),
        (PullRequestDocument, PULL_REQUEST),
        (RepositoryDocument, {"schema_version": "1.0", "name": "a/b", "releases": [{"tag": "v1"}]}),
    ],
)
def test_documents_come_out_as_they_went_in(model, raw):
    assert validate_document(model, raw).model_dump(exclude_unset=True, by_alias=True) == raw


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"kind": "oops"}, "$.kind: expected 'error', 'assertion', 'warning' or 'log', found \"oops\""),
        ({"schema_version": "2.0"}, '$.schema_version: expected schema version "1.0" or a later "1.x", found "2.0"'),
        ({"schema_version": 1}, "$.schema_version: expected a string, found 1"),
        ({"id": "0A4A"}, '$.id: expected an id of 16 hex digits, found "0A4A"'),
        ({"repository": "nameless"}, "$.repository: expected a string that should match"),
        ({"repository": "../.."}, "$.repository: expected owner/name, or host/owner/name"),
        ({"source": {"line": True}}, "$.source.line: expected a whole number, found true"),
        ({"source": {"line": 0}}, "$.source.line: expected greater than or equal to 1, found 0"),
        ({"source": {"line": 5, "end_line": 4}}, "$.source: expected end_line at or after line 5, found 4"),
        ({"source": {"path": "../../etc/passwd"}}, "$.source.path: expected a path inside the repository"),
        ({"source": {"path": "/etc/passwd"}}, "$.source.path: expected a path inside the repository"),
        ({"source": {"commit": "zz"}}, '$.source.commit: expected a commit of 7 to 40 hex digits, found "zz"'),
        ({"solutions": [{"kind": "wait"}]}, "$.solutions[0].text: this field is required"),
        ({"solutions": [3]}, "$.solutions[0]: expected an object, found 3"),
        ({"solutions": [{"text": 3}]}, "$.solutions[0].text: expected a string, found 3"),
        ({"related": [{}]}, "$.related[0]: expected an id or a title"),
        ({"pull_requests": [{"number": "1"}]}, '$.pull_requests[0].number: expected a whole number, found "1"'),
        ({"analysis": {"date": "2026-13-01"}}, "$.analysis.date: expected a date that exists"),
        ({"analysis": {"date": "yesterday"}}, "$.analysis.date: expected an ISO 8601 date or time"),
        ({"tags": "a"}, '$.tags: expected an array, found "a"'),
        ({"retryable": "yes"}, '$.retryable: expected true or false, found "yes"'),
        ({"foo": 1}, "$.foo: unknown field; schema version 1.0 has no such name"),
        ({"examples": [{"code": "c", "text": 1}]}, "$.examples[0].text: unknown field"),
        ({"pull_requests": [{"number": 1, "object": 1}]}, "$.pull_requests[0].object: unknown field"),
        ({"releases": {"str": 1}}, "$.releases.str: unknown field"),
        ({"solutions": [{"text": "a", "object": 1}]}, "$.solutions[0].object: unknown field"),
        ({"solutions": [{"text": "a", "releases": {"text": 1}}]}, "$.solutions[0].releases.text: unknown field"),
        ({"solutions": [{"text": "a", "releases": ["v1", 2]}]}, "$.solutions[0].releases[1]: expected a string"),
        ({"schema_version": "1.\u0661"}, "$.schema_version: expected schema version"),
        ({"analysis": {"date": "\u0662026-01-01"}}, "$.analysis.date: expected an ISO 8601 date or time"),
        ({"source": {"colour": 1}}, "$.source.colour: unknown field; schema version 1.0 has no such name"),
        ({"template": "a {}"}, "$: template: column 3: expected {name}, {0} or a doubled brace, found '{}'"),
        ({"message": "a {", "placeholders": "brace"}, "$: message: column 3: this brace is never closed"),
        ({"wordings": [{"template": "}"}]}, "$: wordings[0].template: column 1: expected {name}"),
    ],
)
def test_says_where_and_what_was_expected(change, problem):
    with pytest.raises(DocumentError) as refusal:
        validate_document(EntryDocument, MINIMAL | change)
    assert any(str(found).startswith(problem) for found in refusal.value.problems), refusal.value.problems


def test_tells_every_fault_at_once():
    with pytest.raises(DocumentError) as refusal:
        validate_document(EntryDocument, {"kind": 1, "foo": 2})
    assert {problem.path for problem in refusal.value.problems} >= {
        "$.schema_version",
        "$.repository",
        "$.message",
        "$.kind",
        "$.foo",
    }


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"tags": [1] * 4_000_000}, ["$.tags[0]: expected a string, found 1"]),
        ({"solutions": [{}] * 2_000_000}, ["$.solutions[0].text: this field is required"]),
        (
            {f"a{n}": 1 for n in range(100_000)},
            [f"$.a{n}: unknown field; schema version 1.0 has no such name" for n in range(20)]
            + ["$: more is wrong than these"],
        ),
    ],
)
def test_tells_the_first_of_very_many_faults(change, told):
    with pytest.raises(DocumentError) as refusal:
        validate_document(EntryDocument, MINIMAL | change)
    assert [str(problem) for problem in refusal.value.problems] == told


@pytest.mark.parametrize("path", [(), ("source",), ("solutions", 0)])
def test_accepts_unknown_fields_under_a_later_minor_version_only(path):
    part = raw = copy.deepcopy(MINIMAL | {"schema_version": "1.1", "source": {}, "solutions": [{"text": "a"}]})
    for step in path:
        part = part[step]
    part["foo"] = {"bar": [1, None]}
    assert validate_document(EntryDocument, raw).message == "m"
    with pytest.raises(DocumentError, match="foo: unknown field"):
        validate_document(EntryDocument, raw | {"schema_version": "1.0"})


@pytest.mark.parametrize(
    "moment", ["2026-08-28", "2026-08-05T09:54", "2026-08-05T09:54:01.25Z", "2026-08-05 09:54+08:00"]
)
def test_accepts_dates_and_times_with_and_without_a_zone(moment):
    assert validate_document(PullRequestDocument, PULL_REQUEST | {"merged_at": moment}).merged_at == moment


@pytest.mark.parametrize("model", DOCUMENTS.values())
def test_publishes_a_schema_that_names_each_field(model):
    schema = json_schema(model, base_url="https://kb.example")
    assert schema["$id"] == f"https://kb.example/api/schemas/{model.NAME}.json"
    assert set(schema["properties"]) == set(model.model_fields)
    assert schema["additionalProperties"] is False


def test_names_fields_that_are_python_keywords_as_the_contract_does():
    schema = json_schema(EntryDocument, base_url="")
    assert set(schema["$defs"]["Wording"]["properties"]) == {"message", "template", "from", "until"}
