import json
from pathlib import Path

import pytest

from errorkb.ingest.exporting import export_documents, exported_rows
from errorkb.ingest.integrity import find_strays
from errorkb.models import PullRequest, Repository, SearchRow
from tests.builders import entry

SAMPLES = Path(__file__).parents[1] / "samples"
EXAMPLE = json.loads((SAMPLES / "documents" / "pull-request-33523.json").read_text("utf-8"))


def pull_request(number: int = 7, **fields) -> dict:
    return {"schema_version": "1.0", "repository": "o/n", "number": number} | fields


def exported() -> list[dict]:
    return [document for _, document in export_documents(exported_rows("pull_requests"))]


def test_the_report_form_loads_as_the_same_document(loader):
    seed = next(path for path in (SAMPLES / "reports").glob("*seed*") if path.suffix in (".txt", ".md"))
    path = loader.file("seed.txt", seed.read_bytes())
    assert [outcome.status.value for outcome in loader.load(path, kind="pull_requests")] == ["created"]
    assert exported() == [EXAMPLE]


def test_a_report_comes_over_standard_input_too(loader):
    seed = next(path for path in (SAMPLES / "reports").glob("*seed*") if path.suffix in (".txt", ".md"))
    loader.load("-", kind="pull_requests", standard_input=seed.read_bytes())
    assert exported() == [EXAMPLE]


def test_what_is_no_report_is_refused_with_what_was_expected(loader):
    (outcome,) = loader.load(loader.file("x.md", b"# Shopping\n\n- milk\n"), kind="pull_requests")
    assert outcome.status == "refused"
    assert outcome.problems


def test_loading_again_changes_only_what_differs(loader):
    assert loader.put("p.json", EXAMPLE, kind="pull_requests") == ["created"]
    assert loader.put("p.json", EXAMPLE, kind="pull_requests") == ["unchanged"]
    assert loader.put("p.json", EXAMPLE | {"title": "t"}, kind="pull_requests") == ["updated"]
    assert loader.put("q.json", EXAMPLE | {"title": "u"}, kind="pull_requests") == ["conflicting"]
    assert exported() == [EXAMPLE | {"title": "t"}]
    assert SearchRow.objects.count() == 1
    assert list(find_strays()) == []


def test_one_number_twice_in_a_load_is_refused_unless_it_is_the_same(loader):
    assert loader.put("p.json", pull_request(), pull_request(), pull_request(title="t"), kind="pull_requests") == [
        "created",
        "unchanged",
        "refused",
    ]


def test_files_of_one_load_are_sources_each(loader):
    paths = [
        loader.file("a.json", [pull_request(title="t")]),
        loader.file("b.json", [pull_request(author="ada")]),
        loader.file("c.json", [pull_request(author="bob")]),
    ]
    outcomes = loader.load(*paths, kind="pull_requests")
    assert [outcome.status.value for outcome in outcomes] == ["created", "updated", "conflicting"]
    assert exported() == [pull_request(title="t", author="ada")]


def test_pull_requests_of_a_renamed_repository_become_one(loader):
    loader.put("p.json", pull_request(title="t"), pull_request(8), kind="pull_requests")
    loader.put("q.json", pull_request(author="ada") | {"repository": "new/n"}, kind="pull_requests")
    loader.put("r.json", {"schema_version": "1.0", "name": "new/n", "aliases": ["o/n"]}, kind="repositories")
    assert exported() == [pull_request(title="t", author="ada"), pull_request(8)]
    assert {row.repository.name for row in PullRequest.objects.all()} == {"new/n"}
    assert list(find_strays()) == []


def test_an_entry_is_told_to_use_the_other_command(loader):
    (outcome,) = loader.load(
        loader.file("e.json", [{"schema_version": "1.0", "repository": "o/n", "message": "m"}]), kind="pull_requests"
    )
    assert "load it with load_entries" in str(outcome.problems[0])


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"url": "https://github.com/o/n/pull/8"}, "$.url"),
        ({"url": "https://github.com/o/n/pull/8/files"}, "$.url"),
        ({"report": {"source_url": "http://reports.example/O/N/pull/8"}}, "$.report.source_url"),
    ],
)
def test_a_number_that_disagrees_with_its_address_is_refused(loader, fields, path):
    document = {"schema_version": "1.0", "repository": "o/n", "number": 7} | fields
    (outcome,) = loader.load(loader.file("a.json", document), kind="pull_requests")
    (problem,) = outcome.problems
    assert str(problem) == f"{path}: expected the address of pull request 7, found that of 8"
    assert not PullRequest.objects.exists()
    assert not Repository.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"url": "https://github.com/old/name/pull/7"},
        {"url": "https://o.example/changes/8"},
        {"report": {"source_url": "http://reports.example/x/y/pull/8"}},
    ],
)
def test_other_addresses_are_taken_as_they_are(loader, fields):
    document = {"schema_version": "1.0", "repository": "o/n", "number": 7} | fields
    assert loader.put("a.json", document, kind="pull_requests") == ["created"]


def test_says_once_that_nothing_was_known_of_the_repository(loader):
    documents = [{"schema_version": "1.0", "repository": "o/n", "number": number} for number in (7, 8)]
    outcomes = loader.load(loader.file("a.json", documents), kind="pull_requests")
    assert [outcome.notes for outcome in outcomes] == [
        ("nothing here was about o/n before; see that its name is right",),
        (),
    ]
    (again,) = loader.load(loader.file("b.json", documents[:1]), kind="pull_requests")
    assert again.notes == ()


def test_a_report_with_a_thousand_files_is_kept_whole(loader):
    files = [{"path": f"src/m{n}.py", "symbols": ["f"]} for n in range(1_000)]
    document = {"schema_version": "1.0", "repository": "o/n", "number": 7, "report": {"key_files": files}}
    loader.put("e.json", entry("bad"))
    (outcome,) = loader.load(loader.file("a.json", document), kind="pull_requests")
    assert outcome.notes == ("of its 1,000 key files, the first 500 are looked at for errors",)
    assert PullRequest.objects.get().as_document() == document
