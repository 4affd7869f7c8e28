"""What docs/postgresql.md says of moving, backing up and the order of texts is true of a running server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.databases import ROOT, OwnBase, own_base, sqlite_base
from tools.postgresql import find_programs

pytestmark = pytest.mark.postgresql

PAGE = (ROOT / "docs" / "postgresql.md").read_text("utf-8")
SECTIONS = {title: body for title, _, body in (part.partition("\n") for part in PAGE.split("\n## "))}
URL = "postgres://errorkb@%2Fvar%2Frun%2Fpostgresql/errors"
LEFT_BEHIND = ("contenttypes", "auth.permission", "errorkb.rendering", "errorkb.searchword")
PERSON = """
from django.contrib.auth.models import Group, Permission, User
from django.utils import timezone
from errorkb.ingest.edits import Edit, edit
from errorkb.models import ErrorEntry, Miss

curators = Group.objects.create(name="curators")
curators.permissions.set(Permission.objects.filter(codename__contains="entry"))
User.objects.create_user("ada", password="a long enough one").groups.add(curators)
entry = ErrorEntry.objects.first()
edit(entry, entry.as_document() | {"meaning": "By 人, ada."}, Edit("ada", "better"), clock=timezone.now)
Miss.objects.create(digest="d", template="x", first_at=timezone.now(), last_at=timezone.now())
"""


def commands(section: str) -> list[str]:
    """Return the lines of a section's sh blocks."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", SECTIONS[section], re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line]


def run(command: str, base: OwnBase, folder: Path) -> str:
    """Run a line of the page on a base, in a folder that stands for the project's; return what it prints."""
    programs = find_programs()
    env = os.environ | {
        "DATABASE_URL": base.url,
        "VAR_DIR": str(folder / "var"),
        "PATH": f"{programs}:{os.environ['PATH']}",
    }
    command = command.replace(".venv/bin/python manage.py", f"{sys.executable} {ROOT / 'manage.py'}")
    quiet = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    done = subprocess.run(["sh", "-c", command.replace(URL, base.url)], cwd=folder, env=env, **quiet)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def everything(base: OwnBase, folder: Path) -> list[dict]:
    """Return all rows of a base but those that are left behind, in one order."""
    excluded = " ".join(f"--exclude {name}" for name in LEFT_BEHIND)
    dumped = run(f".venv/bin/python manage.py dumpdata --natural-foreign {excluded} --format jsonl", base, folder)
    return sorted(map(json.loads, dumped.splitlines()), key=lambda row: (row["model"], row["pk"]))


@pytest.fixture
def filled(tmp_path: Path) -> OwnBase:
    """An SQLite base with documents of every kind, a scan, a revision, an account and a miss."""
    (tmp_path / "var").mkdir()
    base = sqlite_base(tmp_path)
    for arguments in (
        ("migrate", "-v0"),
        *((f"load_{kind}", str(ROOT / "data" / kind)) for kind in ("repositories", "pull_requests", "entries")),
        ("scan_source", "--package", "gunicorn"),
        ("shell", "--no-imports", "-c", PERSON),
    ):
        status, said = base.run(*arguments)
        assert status == 0, said
    return base


def test_a_base_moves_from_sqlite_whole_and_comes_back_from_its_backup(filled: OwnBase, tmp_path: Path) -> None:
    dump, *load = commands("Move a base from SQLite")
    run(dump, filled, tmp_path)
    with own_base(tmp_path) as moved, own_base(tmp_path) as restored:
        for command in load:
            run(command, moved, tmp_path)
        rows = everything(moved, tmp_path)
        assert rows == everything(filled, tmp_path)
        assert {"errorkb.sighting", "errorkb.revision", "auth.user", "errorkb.miss"} <= {row["model"] for row in rows}
        assert moved.run("load_entries", str(ROOT / "data" / "entries"))[1].startswith("0 created")
        others = PERSON.replace("ada", "bob").replace("curators", "others").replace('"d"', '"e"')
        assert moved.run("shell", "--no-imports", "-c", others) == (0, "")
        backup, restore = commands("Backup")
        run(backup, moved, tmp_path)
        run(restore, restored, tmp_path)
        assert restored.run("check_integrity") == (0, "0 strays\n")
        assert everything(restored, tmp_path) == everything(moved, tmp_path)


def test_a_base_in_the_order_of_a_language_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with own_base(tmp_path) as base:
        name = base.url.rpartition("/")[2]
        options = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"
        with psycopg.connect(base.url.replace(name, "postgres"), autocommit=True) as administration:
            administration.execute(f"CREATE DATABASE {name}_en {options}")
        try:
            status, said = OwnBase(tmp_path, f"{base.url}_en").run("migrate", "-v0")
        finally:
            with psycopg.connect(base.url.replace(name, "postgres"), autocommit=True) as administration:
                administration.execute(f"DROP DATABASE {name}_en WITH (FORCE)")
    assert status == 1
    assert "make it with the locale C (docs/postgresql.md)" in said


def test_a_command_names_a_base_without_tables_and_what_to_do(tmp_path: Path) -> None:
    with own_base(tmp_path) as base:
        status, said = base.run("check_integrity")
    assert status == 2
    assert said.startswith('CommandError: the database is not set up (relation "')
    assert said.endswith("run: python manage.py migrate\n")
