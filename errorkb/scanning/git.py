"""Scanning: git's own store, asked without running or reading anything that a repository or the caller may have set.

No network, no hooks, no filters, no questions, no locks. The git data is always named outright, so that git neither
looks for another repository nor refuses one that belongs to somebody else (`safe.directory`).
"""

import hashlib
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO

_SECONDS = 300
_MAX_ANSWER = 64 * 1024 * 1024
_MAX_TOLD = 1000
# Nothing of the caller's git, no question, no lock, no other object in place of one, and no transport: a partial
# clone would fetch what it lacks.
_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}
_SETTINGS = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false")
# What a repository may call for each kind of file: https://git-scm.com/docs/gitattributes#_filter
_NO_FILTER = {"clean": "", "smudge": "", "process": "", "required": "false"}


class GitError(Exception):
    """Git does not run, or cannot read a repository; the text is what it says."""


def git_folder(folder: Path) -> Path | None:
    """Return where a checkout or a bare repository has its git data; None for another folder."""
    if (folder / ".git").exists():
        return folder / ".git"
    is_bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
    return folder if is_bare else None


def blob_id(content: bytes) -> str:
    """Return what git calls a file: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


class Git:
    """Git commands on one repository: its git data, and its work tree where it has one."""

    def __init__(self, git_data: Path, work_tree: Path | None = None) -> None:
        tree = [f"--work-tree={work_tree}"] if work_tree is not None else []
        self._command = ("git", f"--git-dir={git_data}", *tree, *_SETTINGS)
        self._work_tree = work_tree

    def run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """Run a command with a short answer to its end. Raises OSError or SubprocessError where it can't run."""
        return subprocess.run(
            (*self._command, *arguments),
            capture_output=True,
            env=_environment({}),
            cwd=self._work_tree,
            timeout=_SECONDS,
            check=False,
        )

    def read(self, *arguments: str, settings: dict[str, str] | None = None, stdin: IO[bytes] | None = None) -> bytes:
        """Return what a command writes, at most 64 MiB: half a million files.

        Raises GitError where the command fails or writes more.
        """
        with tempfile.TemporaryFile() as told:
            try:
                answer, status = self._answer(self._start(arguments, settings or {}, stderr=told, stdin=stdin))
            except (OSError, ValueError):
                raise GitError("git does not run here") from None
            if status:
                told.seek(0)
                first = told.readline(_MAX_TOLD).decode("utf-8", "replace")
                raise GitError(" ".join(first.split()) or "it holds too much, or answers too slowly")
        return answer

    def ask(self, asked: bytes, *arguments: str) -> bytes:
        """Return what a command writes, at most 64 MiB, that reads some lines. Raises GitError as `read` does."""
        with tempfile.TemporaryFile() as written:
            written.write(asked)
            written.seek(0)
            return self.read(*arguments, stdin=written)

    @staticmethod
    def _answer(process: subprocess.Popen[bytes]) -> tuple[bytes, int]:
        """Return what a process writes, and its exit status; it is ended when it writes too much or for too long."""
        assert process.stdout
        deadline = threading.Timer(_SECONDS, process.kill)
        deadline.start()
        with process:
            if process.stdin:
                process.stdin.close()
            answer = process.stdout.read(_MAX_ANSWER + 1)
            if len(answer) > _MAX_ANSWER:
                process.kill()
        deadline.cancel()
        return answer, process.returncode

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a command that is written to and read from. Raises OSError where it can't run."""
        return self._start(arguments, {}, stderr=subprocess.DEVNULL)

    def _start(
        self,
        arguments: tuple[str, ...],
        settings: dict[str, str],
        *,
        stderr: int | IO[bytes],
        stdin: IO[bytes] | None = None,
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            (*self._command, *arguments),
            stdin=subprocess.PIPE if stdin is None else stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=_environment(settings),
            cwd=self._work_tree,
        )

    def name(self, revision: str) -> str:
        """Return the hash of an object that git knows of; empty if it knows none."""
        done = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", revision)
        return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else ""

    def settings(self, pattern: str) -> dict[str, str]:
        """Return the settings whose names match a regular expression, the last of each; none where git fails."""
        try:
            listed = self.run("config", "--null", "--get-regexp", pattern).stdout.decode("utf-8", "replace")
        except (OSError, subprocess.SubprocessError):
            return {}
        return {name: value for name, _, value in (item.partition("\n") for item in listed.split("\0") if item)}

    def changed_paths(self, below: str = "") -> list[str]:
        """Return the tracked files of the work tree that differ from HEAD, below a folder. Raises GitError.

        Filters that the repository sets are programs: they are not run, whatever a file looks like without them.
        """
        names = {setting.rpartition(".")[0] for setting in self.settings(r"^filter\.")}
        unset = {f"{name}.{key}": value for name in names for key, value in _NO_FILTER.items()}
        command = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all")
        listed = self.read(*command, "--", *([below] if below else []), settings=unset)
        return [item[3:].decode("utf-8", "replace") for item in listed.split(b"\0") if item]


def _environment(settings: dict[str, str]) -> dict[str, str]:
    """Return the environment without the caller's git; settings go in by https://git-scm.com/docs/git-config#ENVIRONMENT."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    pairs = {
        f"GIT_CONFIG_{part}_{number}": text
        for number, pair in enumerate(settings.items())
        for part, text in zip(("KEY", "VALUE"), pair, strict=True)
    }
    return kept | _ENVIRONMENT | pairs | {"GIT_CONFIG_COUNT": str(len(settings))}
