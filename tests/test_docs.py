"""The documentation is true: its commands run, its settings exist, its links lead somewhere."""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from errorkb.core.documents import PullRequestDocument, validate_document
from errorkb.core.pr_reports import parse_report
from errorkb.core.pr_reports.words import find_heading, find_label
from tests.projects import ROOT, clean_environment, copy_project, free_port

DOCUMENTS = (
    *("README.md", "docs/loading.md", "docs/reports.md", "docs/scanning.md", "docs/api.md", "docs/deploying.md"),
    "docs/matching-doors.md",
    "docs/releases.md",
    "docs/pull-requests.md",
)
MARKDOWN = sorted(path for folder in (".", "docs", "data", "bench") for path in (ROOT / folder).glob("*.md"))
REPORTS = re.compile(r"^(`{3,})markdown\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")

# tests/test_make.py runs the first; the others are these very tests.
NOT_RUN_HERE = {"make run", "make test"}
# What a person would type in answer, so that nobody has to.
WITHOUT_QUESTIONS = {"manage.py createsuperuser": "manage.py createsuperuser --noinput"}
ANSWERS = {
    "DJANGO_SUPERUSER_USERNAME": "first",
    "DJANGO_SUPERUSER_EMAIL": "first@example.org",
    "DJANGO_SUPERUSER_PASSWORD": "a long enough one",
}


def commands_of(document: str) -> list[str]:
    """Return the lines of a document's sh blocks, in order."""
    text = (ROOT / document).read_text("utf-8")
    return [line for block in COMMANDS.findall(text) for line in block.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone after `make run`: its environment made, its base loaded."""
    folder = copy_project(tmp_path_factory.mktemp("docs"))
    (folder / ".venv").symlink_to(sys.prefix)
    subprocess.run(
        [sys.executable, "-m", "tools.prepare_site"], cwd=folder, env=clean_environment(SCAN="no"), check=True
    )
    return folder


@pytest.fixture(scope="module")
def port(project: Path) -> Iterator[int]:
    """The port at which that clone is served."""
    port = free_port()
    env = clean_environment(GUNICORN_BIND=f"127.0.0.1:{port}")
    server = subprocess.Popen([sys.executable, "-m", "gunicorn"], cwd=project, env=env)
    try:
        wait_until_served(port)
        yield port
    finally:
        server.terminate()
        server.wait(30)


def wait_until_served(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_run_as_written(document: str, project: Path, port: int) -> None:
    failures = {}
    for command in commands_of(document):
        if command in NOT_RUN_HERE:
            continue
        done = run(command, project, port)
        if done.returncode:
            failures[command] = f"exit status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert not failures, "\n\n".join(f"{command}: {why}" for command, why in failures.items())


def run(command: str, project: Path, port: int) -> subprocess.CompletedProcess[str]:
    for asking, silent in WITHOUT_QUESTIONS.items():
        command = command.replace(asking, silent)
    command = command.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    return subprocess.run(
        ["sh", "-c", command],
        cwd=project,
        env=clean_environment(**ANSWERS),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_reports_are_documented_by_examples_that_are_read_whole() -> None:
    text = (ROOT / "docs" / "reports.md").read_text("utf-8")
    shortest, english, chinese = (parse_report(example) for _, example in REPORTS.findall(text))
    assert (shortest["repository"], shortest["number"]) == ("acme/shop", 7)
    for document, language in ((english, "en"), (chinese, "zh-hans")):
        validate_document(PullRequestDocument, document)
        assert document["report"]["language"] == language
        assert document["fixes"] == [{"exception_type": "KeyError", "message": "'currency'"}]
        assert [related["number"] for related in document["related"]] == [5, 12]
        assert "sections" not in document["report"], "a heading of the example is not known"
    assert english.keys() == chinese.keys() and english["report"].keys() == chinese["report"].keys()
    assert set(english["report"]) == REPORT_FIELDS


REPORT_FIELDS = {
    *("source_url", "language", "summary", "recommendation", "motivation", "implementation", "key_files"),
    *("key_symbols", "snippets", "discussion", "risk", "impact", "risk_flags"),
}


@pytest.mark.parametrize(("table", "find"), [("| line |", find_label), ("| heading |", find_heading)])
def test_names_that_reports_are_documented_with_are_known(table: str, find: Callable[[str], object]) -> None:
    text = (ROOT / "docs" / "reports.md").read_text("utf-8")
    rows = text.partition(f"\n{table}")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(rows) >= 9
    for row in rows:
        names = re.findall(r"`([^`]+)`", "|".join(row.split("|")[1:-2]))
        found = [find(name) for name in names]
        fields = {getattr(word, "field", word) for word in found}
        assert len(fields) == 1 and None not in fields, row


def test_bases_and_their_copies_hold_accounts_and_stay_out_of_git() -> None:
    files = re.findall(r"[\w./-]+\.sqlite3[\w-]*", "\n".join(commands_of("docs/deploying.md")))
    assert len(files) > 5
    assert [file for file in files if not file.startswith("var/")] == []
    assert {"var/", "*.sqlite3*"} <= set((ROOT / ".gitignore").read_text("utf-8").splitlines())


def test_readme_shows_every_way_in() -> None:
    shown = "\n".join(commands_of("README.md"))
    for way in (
        "make run",
        "make test",
        "load_entries",
        "export_entries",
        "manage.py match",
        "/api/errors/",
        "createsuperuser",
    ):
        assert way in shown


def test_every_setting_is_documented_and_every_documented_setting_exists() -> None:
    read = set(re.findall(r"env\.\w+\(\s*\"(\w+)\"", (ROOT / "errorkb" / "settings.py").read_text("utf-8")))
    read |= set(re.findall(r"os\.environ\.get\(\"(\w+)\"", (ROOT / "gunicorn.conf.py").read_text("utf-8")))
    read |= set(re.findall(r"environ\.get\(\"(COMPLETE)\"", (ROOT / "tools" / "run_checks.py").read_text("utf-8")))
    read |= set(re.findall(r"^(\w+) \?=", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)) | {"PYTHON"}
    table = [line for line in (ROOT / "docs" / "settings.md").read_text("utf-8").splitlines() if line.startswith("| `")]
    assert {name for line in table for name in re.findall(r"`(\w+)`", line.split("|")[1])} == read


@pytest.mark.parametrize("requirements", ["requirements.txt", "requirements-dev.txt"])
def test_readme_names_every_requirement(requirements: str) -> None:
    readme = (ROOT / "README.md").read_text("utf-8").lower()
    lines = (ROOT / requirements).read_text("utf-8").splitlines()
    names = [line.partition("==")[0].lower().removeprefix("types-") for line in lines if "==" in line]
    assert [name for name in names if name not in readme] == []


@pytest.mark.parametrize("requirements", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned_exactly(requirements: str) -> None:
    lines = (ROOT / requirements).read_text("utf-8").splitlines()
    loose = [line for line in lines if not re.fullmatch(r"#.*|-r requirements\.txt|[\w.-]+==[\w.]+|", line)]
    assert loose == []


@pytest.mark.parametrize("path", MARKDOWN, ids=[os.fspath(path.relative_to(ROOT)) for path in MARKDOWN])
def test_links_to_files_lead_somewhere(path: Path) -> None:
    dead = [target for target in LINK.findall(path.read_text("utf-8")) if not (path.parent / target).exists()]
    assert dead == []
