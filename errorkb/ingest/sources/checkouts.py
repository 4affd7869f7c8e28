"""Ingest: source files in a git checkout or a bare repository, read at the pin out of git's own store."""

import re
import subprocess
from pathlib import Path

from errorkb.ingest.sources.trees import RepositoryFacts, SourceError, SourceFile, SourceTree
from errorkb.scanning.checkouts import CheckoutTree as CommitTree
from errorkb.scanning.files import MAX_BYTES, lines_of, read_below
from errorkb.scanning.git import Git, blob_id
from errorkb.scanning.trees import Origin, Pin, Tree

_COMMIT = re.compile(r"[0-9a-fA-F]{7,40}")
# The names that git allows (https://git-scm.com/docs/git-check-ref-format), without those that mean something else.
_TAG = re.compile(r"(?!.*(?:\.\.|//|@\{))[\w+][\w.+@/-]*")
_SHOWN_COMMIT = 10


class CheckoutTree(SourceTree):
    """Files as the pinned commit has them; where git lacks one, the work tree's, if it is the same by its hash."""

    def __init__(self, folder: Path, git_data: Path) -> None:
        """Open a checkout. Raises SourceError where git is missing or cannot read it."""
        super().__init__()
        self._folder = folder if git_data != folder else None
        self._git = Git(git_data)
        self._commits: dict[str, str] = {}
        try:
            done = self._git.run("rev-parse", "--git-dir")
        except (OSError, subprocess.SubprocessError):
            raise SourceError(f"{folder} is a git checkout, and git does not run here.") from None
        if done.returncode:
            told = done.stderr.decode("utf-8", "replace").strip().splitlines()[:1]
            raise SourceError(f"{folder} has git data that git cannot read: {' '.join(told)}")

    def _find(self, facts: RepositoryFacts, path: str, commit: str, release: str) -> SourceFile | None:
        pin = commit or release
        full = self._commit_of(pin, is_tag=not commit)
        if not full:
            return None
        content = self._stored(f"{full}:{path}")
        if content is None:
            content = self._checked_out(full, path)
        lines = lines_of(content) if content is not None else None
        shown = commit[:_SHOWN_COMMIT].lower() or release
        return SourceFile(lines, f"git checkout at {shown}") if lines is not None else None

    def _tree(self, facts: RepositoryFacts, commit: str, release: str) -> Tree | None:
        full = self._commit_of(commit or release, is_tag=not commit)
        if not full:
            return None
        listed = self._git.read("ls-tree", "-r", "-z", "--full-tree", full)
        return CommitTree(self._git, self._folder or Path(), "", listed, full, Pin(full), Origin())

    def _commit_of(self, pin: str, *, is_tag: bool) -> str:
        """Return the full hash of a commit that is here, by its first digits or by a tag; empty if it isn't here."""
        allowed = _TAG if is_tag else _COMMIT
        if not allowed.fullmatch(pin):
            return ""
        if pin not in self._commits:
            full = self._git.name(f"refs/tags/{pin}^{{commit}}" if is_tag else f"{pin}^{{commit}}")
            # Of a branch or tag that looks like a commit, git would take the branch.
            if not full or not (is_tag or full.startswith(pin.lower())):
                return ""
            self._commits[pin] = full
        return self._commits[pin]

    def _stored(self, revision: str) -> bytes | None:
        """Return a file out of git's store, links inside the repository followed; None if it isn't there or too big.

        The answer's form is described at https://git-scm.com/docs/git-cat-file#_batch_output.
        """
        with self._git.start("cat-file", "--batch", "--follow-symlinks") as process:
            assert process.stdin and process.stdout
            process.stdin.write(revision.encode("utf-8", "surrogateescape") + b"\n")
            process.stdin.close()
            found = re.fullmatch(rb"[0-9a-f]+ blob (\d+)\n", process.stdout.readline())
            size = int(found[1]) if found else MAX_BYTES + 1
            content = process.stdout.read(size) if size <= MAX_BYTES else None
            process.kill()
        return content

    def _checked_out(self, commit: str, path: str) -> bytes | None:
        """Return a file of the work tree where HEAD is the commit and the file is what the commit's tree names."""
        if self._folder is None or self._git.name("HEAD^{commit}") != commit:
            return None
        content = read_below(self._folder, path)
        return content if content is not None and blob_id(content) == self._git.name(f"{commit}:{path}") else None
