"""The private PostgreSQL server for tests: where it is found, as whom it runs, and that nothing of it stays."""

import os
import re
import sys
from pathlib import Path

import psycopg
import pytest

from tools import postgresql
from tools.processes import SetupError

needs_postgresql = pytest.mark.skipif(postgresql.find_programs() is None, reason=postgresql.MISSING)


def fake_programs(home: Path, version: str) -> Path:
    folder = home / version / "bin"
    folder.mkdir(parents=True)
    (folder / "initdb").write_text(f"#!/bin/sh\necho 'initdb (PostgreSQL) {version} (Debian)'\n", "utf-8")
    (folder / "initdb").chmod(0o755)
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without PostgreSQL, but for what is put there."""
    monkeypatch.setattr(postgresql, "_HOMES", tmp_path)
    monkeypatch.setenv("PATH", "/nowhere:/bin")
    return tmp_path


def test_the_newest_version_is_taken(home: Path) -> None:
    fake_programs(home, "15.18")
    newest = fake_programs(home, "16.2")
    assert postgresql.find_programs() == newest


def test_an_older_version_is_none(home: Path) -> None:
    fake_programs(home, "13.9")
    assert postgresql.find_programs() is None


def test_a_missing_server_is_named_with_what_to_do(home: Path) -> None:
    with pytest.raises(SetupError, match=re.escape(postgresql.MISSING)):
        postgresql.server().__enter__()


@needs_postgresql
def test_a_server_orders_texts_by_code_points_and_is_gone_afterwards() -> None:
    with postgresql.server() as url:
        folder = url.partition("@")[2].rpartition("/")[0].replace("%2F", "/")
        with psycopg.connect(host=folder, user="errorkb", dbname="postgres") as connection:
            ordered = "SELECT string_agg(x, '' ORDER BY x), lower('AÉ') FROM unnest('{b,a,B,_,é}'::text[]) AS x"
            assert connection.execute(ordered).fetchone() == ("B_abé", "aÉ")
        owner = Path(folder).stat().st_uid
        assert owner != 0
        assert os.geteuid() in (0, owner)
    assert not Path(folder).exists()


@needs_postgresql
def test_a_program_runs_beside_a_server_and_its_status_is_kept() -> None:
    says = "import os, sys; sys.exit(7 if os.environ['DATABASE_URL'].startswith('postgres://errorkb@') else 1)"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgresql, "stop_on_signals", lambda: None)
        assert postgresql.main([sys.executable, "-c", says]) == 7
