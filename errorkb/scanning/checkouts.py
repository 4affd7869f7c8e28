"""Scanning: git checkouts and bare repositories: the files that HEAD names, out of git's own store."""

import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from posixpath import dirname, join, normpath

from errorkb.scanning.files import MAX_BYTES, is_hidden
from errorkb.scanning.folders import LEAVES, LOOPS, TOO_LARGE, ListedTree
from errorkb.scanning.git import Git, GitError, git_folder
from errorkb.scanning.remotes import repository_of
from errorkb.scanning.sites import ScanProblem
from errorkb.scanning.trees import (
    MAX_COMMIT_DIGITS,
    Blob,
    Origin,
    Pin,
    Tree,
    TreeError,
    Wanted,
    passed_over,
    path_problem,
    shown_path,
)

_MISSING = "git does not have its content here"
_FILE, _LINK = "100", "120"
# https://git-scm.com/docs/git-ls-tree#_output_format
_LISTED = re.compile(rb"(?P<mode>\d{3})\d{3} \w+ (?P<id>[0-9a-f]+)\t(?P<path>.+)", re.DOTALL)
_COMMITTED = re.compile(rb"^committer .* (\d{1,11}) [+-]\d{4}$", re.MULTILINE)
_MAX_HOPS = 40
_SHOWN_CHANGES = 3
_SHOWN_COMMIT = 10


def find_checkout(folder: Path) -> tuple[Path, Path] | None:
    """Return a folder's git data and the root of its checkout; None for a folder that git does not know.

    A folder inside a checkout belongs to it if HEAD has files in it: an unpacked package in a work tree does not.
    """
    own = git_folder(folder)
    if own is not None:
        return own, folder
    root = next((parent for parent in folder.parents if (parent / ".git").exists()), None)
    if root is None:
        return None
    data = root / ".git"
    try:
        is_known = Git(data).name(f"HEAD:{folder.relative_to(root).as_posix()}")
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return (data, root) if is_known else None


def open_checkout(
    folder: Path, git_data: Path, root: Path, *, release: str = "", allow_dirty: bool = False
) -> "CheckoutTree | ListedTree":
    """Return the files of a checkout, or of one folder in it, as HEAD has them.

    The pin is HEAD's commit, and `release`, else the one tag at HEAD. Files that differ from HEAD are refused, unless
    `allow_dirty`: then the tracked files are read as they stand in the work tree. Raises TreeError.
    """
    is_bare = git_data == folder
    below = "" if is_bare else folder.relative_to(root).as_posix().removeprefix(".")
    git = Git(git_data.absolute(), None if is_bare else root.absolute())
    try:
        pin = _pin(git, folder.name, release)
        title = f"the git checkout {folder.name} at {pin.commit[:_SHOWN_COMMIT]}"
        origin = Origin(repository_of_remotes(git), f"{below}/" if below else "")
        # This comes first because it is bounded: a few trees can name each other for billions of files.
        listed = git.read("ls-tree", "-r", "-z", "--full-tree", f"HEAD:{below}")
        changed = [] if is_bare else git.changed_paths(below)
        if not changed:
            return CheckoutTree(git, folder, below, listed, title, pin, origin)
        if not allow_dirty:
            raise TreeError(_refusal(folder.name, changed))
        paths = _tracked(git, below)
    except GitError as error:
        raise TreeError(f"{folder.name} has git data that git cannot read: {error}.") from None
    dirty = Pin(pin.commit, pin.release, pin.date, dirty=True)
    return ListedTree(folder, paths, f"{title}, with changes", dirty, origin)


def open_commit(git: Git, folder: Path, below: str, pin: Pin, path_prefix: str) -> "CheckoutTree":
    """Return the files that a commit has in a repository, or below a folder in it. Raises GitError."""
    listed = git.read("ls-tree", "-r", "-z", "--full-tree", f"{pin.commit}:{below}")
    title = f"{folder.name} at {pin.release}"
    return CheckoutTree(git, folder, below, listed, title, pin, Origin(path_prefix=path_prefix))


class CheckoutTree(Tree):
    """The files of a commit, read through one `git cat-file`."""

    def __init__(self, git: Git, folder: Path, below: str, listed: bytes, title: str, pin: Pin, origin: Origin) -> None:
        """Take what `git ls-tree -r -z` says of a commit, or of the folder `below` in it."""
        super().__init__(str(folder), title, pin, origin)
        self._git = git
        self._listed = listed
        self._below = below
        self._process: subprocess.Popen[bytes] | None = None

    def blobs(self, wanted: Wanted) -> Iterator[Blob | ScanProblem]:
        links: dict[str, str] = {}
        for record in self._listed.split(b"\0"):
            found = _LISTED.fullmatch(record)
            path = found["path"].decode("utf-8", "surrogateescape") if found else ""
            if found is None or is_hidden(path):
                continue
            mode, name = found["mode"].decode(), found["id"].decode()
            if mode == _LINK:
                links[path] = name
            elif mode == _FILE and wanted(path):
                yield path_problem(path) or Blob(path, name)
        yield from self._link_problems(links)

    def read(self, blob: Blob) -> bytes | ScanProblem:
        """Return a file's content, by the protocol of https://git-scm.com/docs/git-cat-file#_batch_output."""
        try:
            content = self._ask(blob.id)
        except OSError:
            content = _MISSING
        if isinstance(content, str):
            self.close()
            return passed_over(blob.path, content)
        return content

    def close(self) -> None:
        if self._process is not None:
            with self._process as process:
                process.kill()
        self._process = None

    def _ask(self, name: str) -> bytes | str:
        """Return the content of a blob, or in words why there is none; after that, the process is of no use."""
        if self._process is None:
            self._process = self._git.start("cat-file", "--batch")
        asked, answers = self._process.stdin, self._process.stdout
        assert asked and answers
        asked.write(name.encode() + b"\n")
        asked.flush()
        found = re.fullmatch(rb"[0-9a-f]+ blob (\d+)\n", answers.readline())
        size = int(found[1]) if found else -1
        if not 0 <= size <= MAX_BYTES:
            return TOO_LARGE if found else _MISSING
        content = answers.read(size + 1)
        return content[:size] if len(content) == size + 1 else _MISSING

    def _link_problems(self, links: dict[str, str]) -> Iterator[ScanProblem]:
        """Yield the links that lead out of the repository or back to themselves; what others lead to is scanned."""
        targets = {join(self._below, path): self._target(join(self._below, path), name) for path, name in links.items()}
        for path in links:
            problem = _link_problem(join(self._below, path), targets)
            if problem:
                yield passed_over(path, problem)

    def _target(self, path: str, name: str) -> str:
        """Return where a link leads to, from the root of the repository; empty where git lacks it."""
        content = self.read(Blob(path, name))
        if isinstance(content, ScanProblem):
            return ""
        return normpath(join("/" if content.startswith(b"/") else dirname(path), content.decode("utf-8", "replace")))


def _link_problem(path: str, targets: dict[str, str]) -> str:
    place = path
    for _ in range(_MAX_HOPS):
        target = targets[place]
        if target.startswith(("/", "../")) or target == "..":
            return LEAVES
        if target in (path, ".") or path.startswith(f"{target}/"):
            return LOOPS
        if target not in targets:
            return ""
        place = target
    return LOOPS


def _pin(git: Git, name: str, release: str) -> Pin:
    """Return HEAD's commit, its date, and a release; without `git show`, which runs programs to check signatures."""
    git.read("rev-parse", "--git-dir")
    commit = git.name("HEAD^{commit}")
    if not commit:
        raise TreeError(f"{name} is a git checkout without a commit.")
    committed = _COMMITTED.search(git.read("cat-file", "commit", commit))
    date = datetime.fromtimestamp(int(committed[1]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if committed else ""
    tags = git.read("tag", "--points-at", commit).decode("utf-8", "replace").split("\n")[:-1]
    only = tags[0] if len(tags) == 1 else ""
    return Pin(commit[:MAX_COMMIT_DIGITS], release or only, date)


def repository_of_remotes(git: Git) -> str:
    """Return the repository of `origin`, else of the only other remote; empty where there is none."""
    remotes = git.settings(r"^remote\..*\.url$")
    url = remotes.get("remote.origin.url") or (next(iter(remotes.values())) if len(remotes) == 1 else "")
    return repository_of(url)


def _tracked(git: Git, below: str) -> list[str]:
    """Return the files that the index has below a folder, links and submodules left out."""
    listed = git.read("ls-files", "-z", "--stage", "--full-name", "--", *([below] if below else []))
    records = (record.decode("utf-8", "surrogateescape").partition("\t") for record in listed.split(b"\0") if record)
    start = len(below) + 1 if below else 0
    return [path[start:] for facts, _, path in records if facts.startswith(_FILE)]


def _refusal(name: str, changed: list[str]) -> str:
    shown = ", ".join(map(shown_path, changed[:_SHOWN_CHANGES]))
    more = f" and {len(changed) - _SHOWN_CHANGES} more" if len(changed) > _SHOWN_CHANGES else ""
    return (
        f"{name} has files that differ from HEAD: {shown}{more}. Commit them, or scan the work tree as it is with "
        "--allow-dirty."
    )
