"""A load that is killed at any moment leaves whole documents with true indexes, and the same load finishes the work."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.builders import entry

ROOT = Path(__file__).parents[2]
DOCUMENTS = 3_000


def manage(folder: Path, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=os.environ | {"VAR_DIR": str(folder), "DATABASE_URL": f"sqlite:///{folder}/kb.sqlite3"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output(folder: Path, *arguments: str) -> tuple[int, str]:
    process = manage(folder, *arguments)
    out, errors = process.communicate(timeout=120)
    return process.returncode, out + errors


def count(folder: Path) -> int:
    code = "from errorkb.models import ErrorEntry; print(ErrorEntry.objects.count())"
    status, text = output(folder, "shell", "--no-imports", "-c", code)
    assert status == 0, text
    return int(text)


@pytest.mark.parametrize("options", [[], ["--atomic"]])
def test_a_killed_load_leaves_whole_documents_and_is_finished_by_the_same_command(tmp_path, options):
    file = tmp_path / "a.ndjson"
    documents = [entry(f"message number {n}", meaning=f"words about {n}") for n in range(DOCUMENTS)]
    file.write_text("\n".join(map(json.dumps, documents)), "utf-8")
    assert output(tmp_path, "migrate", "-v0")[0] == 0
    before = 0
    for seconds in (0.9, 1.3):
        process = manage(tmp_path, "load_entries", str(file), *options)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = count(tmp_path)
        assert now >= before
        assert now % 200 == 0 or now == DOCUMENTS
        before = now
        assert output(tmp_path, "check_integrity") == (0, "0 strays\n")
    status, text = output(tmp_path, "load_entries", str(file), *options)
    assert status == 0
    assert f"{DOCUMENTS - before} created" in text
    assert f"{before} unchanged" in text
    status, exported = output(tmp_path, "export_entries")
    assert [json.loads(line) for line in exported.splitlines()] == documents
