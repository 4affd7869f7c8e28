"""Bases of their own for tests that run programs: of the kind that the tests run on, or of a named one."""

import os
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import psycopg
from django.db import connection

ROOT = Path(__file__).parents[1]
SECONDS = 120
FILE = "kb.sqlite3"
# The context in which a module's fixture fills the base of `module_base`.
Filling = Callable[[], AbstractContextManager[None]]


class OwnBase(NamedTuple):
    """A base that programs are run on, and a folder for what they write beside it."""

    folder: Path
    url: str

    def start(self, *arguments: str, stdin: int = subprocess.DEVNULL) -> "subprocess.Popen[str]":
        """Start a command of manage.py."""
        return subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=os.environ | {"VAR_DIR": str(self.folder), "DATABASE_URL": self.url},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> tuple[int, str]:
        """Run a command of manage.py; return its exit status and all that it says."""
        process = self.start(*arguments)
        out, errors = process.communicate(timeout=SECONDS)
        return process.returncode, out + errors

    def ask(self, question: str) -> Any:
        """Return the first value of an answer to SQL."""
        opened = sqlite3.connect(self.folder / FILE) if self.url.startswith("sqlite") else psycopg.connect(self.url)
        with closing(opened) as base:
            return base.execute(question).fetchone()[0]


def sqlite_base(folder: Path) -> OwnBase:
    """Return an empty SQLite base in a folder."""
    return OwnBase(folder, f"sqlite:///{quote(str(folder))}/{FILE}")


@contextmanager
def own_base(folder: Path) -> Iterator[OwnBase]:
    """Yield an empty base beside the tests' one, of the same kind; remove it at the end."""
    if connection.vendor == "sqlite":
        yield sqlite_base(folder)
        return
    name = f"own_{uuid.uuid4().hex}"
    settings = connection.settings_dict
    server = {"host": settings["HOST"], "port": settings["PORT"] or 5432, "user": settings["USER"]}
    secret = {"password": settings["PASSWORD"]} if settings["PASSWORD"] else {}
    with psycopg.connect(**server, **secret, dbname="postgres", autocommit=True) as administration:
        administration.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        try:
            yield OwnBase(folder, f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}")
        finally:
            administration.execute(f"DROP DATABASE {name} WITH (FORCE)")
