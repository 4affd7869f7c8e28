"""Tests: git repositories, written by git itself."""

import os
import subprocess
from pathlib import Path


class Repository:
    """A git repository in a folder of the test, written by git itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, when: str = "") -> str:
        identity = ("-c", "user.name=A Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false")
        command = ("git", "-C", str(self.folder), *identity, *arguments)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        environment |= {"GIT_COMMITTER_DATE": when} if when else {}
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.strip()

    def commit(self, path: str, content: str | bytes, *, tag: str = "", when: str = "") -> str:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.git("add", "--force", "--", path)
        return self.commit_index(tag=tag, when=when)

    def commit_index(self, *, tag: str = "", when: str = "") -> str:
        self.git("commit", "--quiet", "--no-verify", "--message", "A change", when=when)
        if tag:
            self.git("tag", "--annotate", "--message", tag, tag)
        return self.git("rev-parse", "HEAD")

    def forget(self, revision: str) -> None:
        """Remove an object from git's store."""
        name = self.git("rev-parse", revision)
        (self.folder / ".git" / "objects" / name[:2] / name[2:]).unlink()
