"""Search gives the same first results, numbers and excerpts on PostgreSQL as on SQLite."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.databases import ROOT, OwnBase, own_base, sqlite_base

pytestmark = pytest.mark.postgresql

PACKAGES = ("gunicorn", "packaging")


def filled(base: OwnBase) -> OwnBase:
    """Put everything in data/ and what two packages throw into a base."""
    assert base.run("migrate", "-v0") == (0, "")
    for kind in ("repositories", "pull_requests", "entries"):
        status, said = base.run(f"load_{kind}", str(ROOT / "data" / kind))
        assert status == 0, said
    for package in PACKAGES:
        status, said = base.run("scan_source", "--package", package)
        assert status == 0, said
    return base


def answers(base: OwnBase) -> list[list]:
    """Return what the program beside this file prints on a base, a question a row."""
    env = os.environ | {"VAR_DIR": str(base.folder), "DATABASE_URL": base.url, "PYTHONPATH": str(ROOT)}
    program = [sys.executable, str(Path(__file__).with_name("first_tens.py"))]
    out = subprocess.run(program, env=env, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    return [json.loads(line) for line in out.splitlines()]


def test_every_question_has_the_same_answer(tmp_path: Path) -> None:
    (tmp_path / "sqlite").mkdir()
    (tmp_path / "postgresql").mkdir()
    expected = answers(filled(sqlite_base(tmp_path / "sqlite")))
    with own_base(tmp_path / "postgresql") as base:
        found = answers(filled(base))
    assert len(expected) > 250
    assert sum(bool(names) for _, names, *_ in expected) > 200
    assert [pair for pair in zip(expected, found, strict=True) if pair[0] != pair[1]] == []
