import gzip
import io
import json
import sys
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from errorkb.models import ErrorEntry
from tests.builders import entry, site

pytestmark = pytest.mark.django_db


def run(*arguments, **options) -> tuple[int, str, str]:
    out, errors = io.StringIO(), io.StringIO()
    try:
        call_command(*arguments, stdout=out, stderr=errors, no_color=True, **options)
    except SystemExit as end:
        return end.code, out.getvalue(), errors.getvalue()
    return 0, out.getvalue(), errors.getvalue()


@pytest.fixture
def write(tmp_path):
    def written(name, data):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
        return str(path)

    return written


def test_counts_what_it_did(write):
    path = write("a.json", [entry("one"), entry("two")])
    assert run("load_entries", path) == (0, "2 created, 0 updated, 0 unchanged, 0 conflicting, 0 refused\n", "")
    assert run("load_entries", path) == (0, "0 created, 0 updated, 2 unchanged, 0 conflicting, 0 refused\n", "")


def test_names_file_place_path_and_expectation_of_each_refusal(write):
    path = write("a.json", [entry("one"), {"schema_version": "1.0", "repository": "o/n", "message": 3}])
    status, out, errors = run("load_entries", path)
    assert (status, out) == (1, "1 created, 0 updated, 0 unchanged, 0 conflicting, 1 refused\n")
    assert errors == f"refused: {path}, index 1 (line 1): $.message: expected a string, found 3\n"


def test_reports_conflicts_with_both_values(write):
    run("load_entries", write("a.json", entry(meaning="from a", source=site())))
    status, _, errors = run("load_entries", write("b.json", entry(meaning="from b", source=site())))
    assert status == 1
    assert "meaning is kept, written by file:" in errors
    assert '  stored:  "from a"\n  offered: "from b"\n' in errors


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("a" * 300, "a" * 299 + "b", ("…" + "a" * 40 + 'a" (302 characters)', "…" + "a" * 40 + 'b" (302 characters)')),
        ("a" * 300, "a" * 300 + "b", ("…" + "a" * 40 + '" (302 characters)', "…" + "a" * 40 + 'b" (303 characters)')),
        ("b" + "a" * 300, "c", ('"b' + "a" * 198 + "… (303 characters)", '"c"')),
        (
            "a" * 100 + "b" * 300,
            "a" * 100,
            ("…" + "a" * 40 + "b" * 160 + "… (402 characters)", "…" + "a" * 40 + '" (102 characters)'),
        ),
    ],
)
def test_long_values_are_cut_around_what_differs(write, old, new, lines):
    run("load_entries", write("a.json", entry(meaning=old, source=site())))
    _, _, errors = run("load_entries", write("b.json", entry(meaning=new, source=site())))
    assert f"\n  stored:  {lines[0]}\n  offered: {lines[1]}\n" in errors
    _, out, _ = run("load_entries", write("a.json", entry(meaning=new, source=site())), dry_run=True)
    assert f"  $.meaning: {lines[0]} -> {lines[1]}\n" in out


def test_dry_run_prints_differences_field_by_field(write):
    run("load_entries", write("a.json", entry(meaning="old", source=site())))
    status, out, _ = run("load_entries", write("a.json", entry(meaning="new", source=site())), dry_run=True)
    assert status == 0
    assert '  $.meaning: "old" -> "new"\n' in out
    assert ErrorEntry.objects.get().as_document()["meaning"] == "old"


def test_atomic_says_that_nothing_was_loaded(write):
    status, out, _ = run("load_entries", write("a.json", [entry("one"), {}]), atomic=True)
    assert (status, out.endswith("1 refused; nothing was loaded (--atomic)\n")) == (1, True)
    assert not ErrorEntry.objects.exists()


def test_reads_standard_input_gzipped_too(monkeypatch):
    data = io.BytesIO(gzip.compress(json.dumps(entry()).encode()))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=data))
    assert run("load_entries", "-")[0] == 0
    assert ErrorEntry.objects.count() == 1


def test_a_path_that_is_not_there_is_exit_status_2(tmp_path):
    with pytest.raises(CommandError, match="no such file or folder") as error:
        call_command("load_entries", str(tmp_path / "nowhere"))
    assert error.value.returncode == 2


@pytest.mark.parametrize(
    "command",
    [f"{verb}_{kind}" for verb in ("load", "export") for kind in ("entries", "pull_requests", "repositories")]
    + ["check_integrity", "rebuild_index"],
)
def test_help_has_an_example(command, capsys):
    with pytest.raises(SystemExit):
        call_command(command, "--help")
    assert f"Example: python manage.py {command}" in " ".join(capsys.readouterr().out.split())


def test_export_writes_lines_or_files(write, tmp_path):
    documents = [entry("one", id="a" * 16), entry("two", id="b" * 16, meaning="中")]
    run("load_entries", write("a.json", documents))
    _, out, _ = run("export_entries")
    assert [json.loads(line) for line in out.splitlines()] == documents
    assert run("export_entries", split=str(tmp_path / "out"))[0] == 0
    files = sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files] == ["a" * 16 + ".json", "b" * 16 + ".json"]
    assert [json.loads(file.read_text("utf-8")) for file in files] == documents


def test_export_gives_each_document_a_file_that_is_found_again(write, tmp_path):
    names = ["a-b/c", "a/b-c", "readme/api", "git.example/a/b"]
    documents = [{"schema_version": "1.0", "repository": name, "number": 1} for name in names]
    run("load_pull_requests", write("p.json", documents))
    run("export_pull_requests", split=str(tmp_path / "out"))
    files = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert files == ["a+b-c+1.json", "a-b+c+1.json", "git.example+a+b+1.json", "readme+api+1.json"]
    assert "4 unchanged" in run("load_pull_requests", str(tmp_path / "out"))[1]


def test_export_of_one_repository_and_with_what_is_computed(write):
    run("load_entries", write("a.json", [entry("one"), entry("two", repository="x/y")]))
    out = run("export_entries", repository="x/y", computed=True)[1]
    (document,) = [json.loads(line) for line in out.splitlines()]
    assert document["message"] == "two"
    assert document["computed"]["title"] == "ValueError: two"
    assert document["html_url"].endswith(f"/errors/{document['computed']['id']}/")


def test_check_integrity_finds_what_went_past_the_write_path(write):
    run("load_entries", write("a.json", [entry("one")]))
    assert run("check_integrity") == (0, "", "0 strays\n")
    ErrorEntry.objects.update(symbol="elsewhere")
    status, out, _ = run("check_integrity")
    assert (status, "column symbol does not follow" in out) == (1, True)
    assert run("rebuild_index")[0] == 0
    assert run("check_integrity") == (0, "", "0 strays\n")
