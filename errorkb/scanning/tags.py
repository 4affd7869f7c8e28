"""Scanning: the releases that a git repository has as tags, and which came from which."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from errorkb.scanning.checkouts import CheckoutTree, find_checkout, open_commit, repository_of_remotes
from errorkb.scanning.git import Git, GitError
from errorkb.scanning.opening import clean_prefix, existing_folder
from errorkb.scanning.sites import ScanProblem
from errorkb.scanning.trees import MAX_COMMIT_DIGITS, Pin, TreeError, passed_over

MAX_TAG = 300
_SHOWN = 5
_WILD = re.compile(r"[*?\[]")
_PEELED = re.compile(r"(?P<id>[0-9a-f]{40,64}) (?P<kind>\w+)")


@dataclass(frozen=True)
class Tag:
    """A tag that leads to a commit: the commit, when it was made (ISO 8601), and the nearest tags that it came from."""

    name: str
    commit: str
    date: str = ""
    parents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tags:
    """Tags of a repository, ancestors first: all that were asked about, and those that globs matched.

    `problems` are those that lead to nothing that can be scanned.
    """

    every: tuple[Tag, ...]
    matching: tuple[Tag, ...]
    problems: tuple[ScanProblem, ...]


class TaggedRepository:
    """A checkout, a folder in one, or a bare repository, whose tags are to be scanned."""

    def __init__(self, path: str) -> None:
        """Raises TreeError where the path is none of these, or its history is cut off."""
        self._folder = existing_folder(path)
        found = find_checkout(self._folder)
        if found is None:
            raise TreeError(
                f"{self._folder.name} is not a git checkout: it has no tags. Scan one release after another, each with "
                "--release TAG."
            )
        data, root = found
        is_bare = data == self._folder
        self._below = "" if is_bare else self._folder.relative_to(root).as_posix().removeprefix(".")
        self.git = Git(data.absolute(), None if is_bare else root.absolute())
        with _git_errors(self._folder.name):
            if self.git.read("rev-parse", "--is-shallow-repository").strip() == b"true":
                raise TreeError(
                    f"{self._folder.name} is a shallow clone, so that it is not known which release came from which: "
                    "git fetch --unshallow --tags"
                )

    @property
    def repository(self) -> str:
        """Return the repository of the remote; empty where that is not known."""
        return repository_of_remotes(self.git)

    def find_tags(self, patterns: Sequence[str], known: Collection[str] = ()) -> Tags:
        """Return the tags that match one of some globs, and of those whose names are `known` the ones that exist.

        Raises TreeError for a glob that matches none, for a name that no tag has, and for one that leads to no commit.
        """
        with _git_errors(self._folder.name):
            names = self._names()
            chosen = {name for pattern in patterns for name in self._matching(pattern, names)}
            peeled = dict(self._peel(sorted(chosen | (set(known) & set(names)))))
            problems = {name: f"it leads to {kind}, not to a commit" for name, (kind, _) in peeled.items() if kind}
            for pattern in patterns:
                if pattern in problems:
                    raise TreeError(f"The tag {pattern} of {self._folder.name} cannot be scanned: {problems[pattern]}.")
            commits = {name: commit for name, (kind, commit) in peeled.items() if not kind}
            tags = tuple(self._in_order(commits))
        told = (passed_over(f"tag {name}", text) for name, text in problems.items() if name in chosen)
        return Tags(tags, tuple(tag for tag in tags if tag.name in chosen), tuple(told))

    def prefix(self, stated: str | None) -> str:
        """Return what stands before paths: what is stated, else the folder in the checkout."""
        return clean_prefix(self._below if stated is None else stated)

    def around(self, commit: str, known: Collection[str]) -> tuple[tuple[Tag, ...], tuple[str, ...]]:
        """Return tags around a commit, those that are known and the last one before it, and that one's name.

        Raises TreeError where git cannot tell.
        """
        with _git_errors(self._folder.name):
            last = self._last_before(commit)
            commits = dict(self._peel(sorted({*known, last} & set(self._names()))))
            tags = tuple(self._in_order({name: found for name, (kind, found) in commits.items() if not kind}))
        return tags, (last,) if last in {tag.name for tag in tags} else ()

    def _last_before(self, commit: str) -> str:
        """Return the tag that has most of the commits that one has: https://git-scm.com/docs/git-describe#_search_strategy."""
        told = self.git.run("describe", "--tags", "--abbrev=0", commit).stdout
        return told.decode("utf-8", "replace").strip()

    def open(self, tag: Tag, path_prefix: str) -> CheckoutTree:
        """Return the files of a tag. Raises TreeError where git does not have them."""
        pin = Pin(tag.commit, tag.name, tag.date)
        with _git_errors(f"{self._folder.name} at {tag.name}"):
            return open_commit(self.git, self._folder, self._below, pin, path_prefix)

    def _names(self) -> list[str]:
        listed = self.git.read("for-each-ref", "--format=%(refname:strip=2)", "refs/tags")
        return [name for name in listed.decode("utf-8", "replace").split("\n") if name]

    def _matching(self, pattern: str, names: Sequence[str]) -> list[str]:
        if not _WILD.search(pattern):
            found = [pattern] if pattern in names else []
        else:
            found = [name for name in names if fnmatchcase(name, pattern)]
        if found:
            return found
        shown = ", ".join(names[-_SHOWN:])
        there = f"it has {len(names)}, such as {shown}" if names else "it has no tags at all"
        wanted = f"No tag of {self._folder.name} matches {pattern!r}" if _WILD.search(pattern) else ""
        raise TreeError(f"{wanted or f'{self._folder.name} has no tag {pattern!r}'}: {there}.")

    def _peel(self, names: Sequence[str]) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield for each tag what it leads to where that is no commit, else the commit."""
        asked = "".join(f"refs/tags/{name}^{{}}\n" for name in names).encode()
        format = "--batch-check=%(objectname) %(objecttype)"
        told = self.git.ask(asked, "cat-file", format).decode("utf-8", "replace").split("\n")
        for name, line in zip(names, told, strict=False):
            found = _PEELED.fullmatch(line)
            if len(name) > MAX_TAG or not name.isprintable():
                yield name, ("a name that documents cannot hold", "")
            elif found is None:
                yield name, ("what git does not have here", "")
            else:
                yield name, ("" if found["kind"] == "commit" else f"a {found['kind']}", found["id"])

    def _in_order(self, commits: dict[str, str]) -> Iterator[Tag]:
        """Yield tags with the nearest other ones that each came from, ancestors first."""
        if not commits:
            return
        asked = "".join(f"{commit}\n" for commit in sorted(set(commits.values()))).encode()
        history = self.git.ask(
            asked,
            "rev-list",
            "--parents",
            "--topo-order",
            "--reverse",
            "--simplify-by-decoration",
            "--timestamp",
            "--stdin",
        )
        named: dict[str, list[str]] = {}
        for name, commit in sorted(commits.items()):
            named.setdefault(commit, []).append(name)
        for commit, date, parents in _nearest(history.decode("ascii", "replace").split("\n"), named):
            came_from = tuple(name for parent in parents for name in named[parent])
            for name in named[commit]:
                yield Tag(name, commit[:MAX_COMMIT_DIGITS], date, came_from)


def _nearest(lines: Iterable[str], wanted: Collection[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the wanted commits of a history with their dates and the nearest wanted ones that each came from.

    A line has a commit's time, its name and those of its parents; parents come before their children. Sets of commits
    are numbers here, with one bit for each.
    """
    bits = {commit: 1 << n for n, commit in enumerate(wanted)}
    commits = list(bits)
    above: dict[str, int] = {}
    nearest: dict[str, int] = {}
    for line in filter(None, lines):
        time, commit, *parents = line.split()
        candidates = 0
        for parent in parents:
            candidates |= bits.get(parent) or nearest.get(parent, 0)
        hidden = 0
        for n in _ones(candidates):
            hidden |= above[commits[n]]
        nearest[commit] = candidates & ~hidden
        above[commit] = candidates | hidden
        if commit in bits:
            date = datetime.fromtimestamp(int(time), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            yield commit, date, [commits[n] for n in _ones(nearest[commit])]


def _ones(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


@contextmanager
def _git_errors(name: str) -> Iterator[None]:
    """Turn what git says into a sentence for people."""
    try:
        yield
    except GitError as error:
        raise TreeError(f"{name} has git data that git cannot read: {error}.") from None
