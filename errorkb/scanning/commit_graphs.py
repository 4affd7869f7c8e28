"""Scanning: the commits between two others, and the merge that brought each: from one listing by git."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from errorkb.scanning.git import Git, GitError
from errorkb.scanning.merge_messages import NamedNumber, pull_request_in

# Between two releases of a large project there are some thousands.
MOST_COMMITS = 50_000
# Forges write as this committer what they squash or rebase on their pages.
_FORGES = frozenset(("noreply@github.com", "noreply@gitlab.com", "noreply@bitbucket.org", "noreply@codeberg.org"))
_FORMAT = "--format=%H%x00%P%x00%ct%x00%ce%x00%s%x00%b%x01"
_NAME = re.compile(r"[0-9a-f]{40,64}")


@dataclass(frozen=True)
class Commit:
    """A commit: its hash, parents, date (ISO 8601), and the pull request that its own message names."""

    name: str
    parents: tuple[str, ...]
    date: str
    subject: str
    named: NamedNumber | None
    is_a_forges: bool


@dataclass(frozen=True)
class Brought:
    """The pull request that brought a commit: its number, and the words of the commit or of the merge `by`."""

    number: int
    words: str
    by: str


class CommitGraph:
    """The commits of a range, the newest first, and how they came into it."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self.commits = {commit.name: commit for commit in commits}
        self._merges: dict[str, Commit] = {}
        if commits:
            self._note_merges(commits[0].name)

    def brought(self, name: str) -> Brought | None:
        """Return the pull request that brought a commit, None where no message names one.

        The commit's own message counts first where a forge has written it, else that of the innermost merge.
        """
        commit, merge = self.commits[name], self._merges.get(name)
        merged = Brought(merge.named.number, merge.named.words, merge.name) if merge and merge.named else None
        own = Brought(commit.named.number, commit.named.words, name) if commit.named else None
        if own and (commit.is_a_forges or len(commit.parents) > 1 or merged is None):
            return own
        return merged

    def _note_merges(self, tip: str) -> None:
        """Note for each commit the innermost merge with a number that brought it. Each commit is looked at once."""
        waiting: list[tuple[str, Commit | None]] = [(tip, None)]
        seen: set[str] = set()
        while waiting:
            start, outer = waiting.pop()
            line = list(self._first_parents(start, seen))
            seen.update(line)
            for name in line:
                if outer is not None:
                    self._merges[name] = outer
            # The oldest merge is looked at first, so that what it brought is not taken for a later one's.
            for name in line:
                commit = self.commits[name]
                inner = commit if commit.named and len(commit.parents) > 1 else outer
                waiting += [(parent, inner) for parent in commit.parents[1:]]

    def _first_parents(self, start: str, seen: set[str]) -> Iterator[str]:
        name = start
        while name in self.commits and name not in seen:
            yield name
            parents = self.commits[name].parents
            if not parents:
                return
            name = parents[0]


def read_commits(git: Git, old: str, new: str) -> CommitGraph:
    """Return the commits that `new` has and `old` has not (full hashes). Raises GitError."""
    if not (_NAME.fullmatch(old) and _NAME.fullmatch(new)):
        raise GitError("a commit is not named in full")
    listed = git.read(
        "log", "--topo-order", f"--max-count={MOST_COMMITS + 1}", "--no-mailmap", _FORMAT, f"{old}..{new}"
    )
    records = listed.decode("utf-8", "replace").split("\x01")
    commits = [_commit(record.lstrip("\n")) for record in records if record.strip("\n")]
    if len(commits) > MOST_COMMITS:
        raise GitError(f"there are more than {MOST_COMMITS:,} commits in between")
    return CommitGraph([commit for commit in commits if commit is not None])


def _commit(record: str) -> Commit | None:
    fields = record.split("\x00")
    if len(fields) != 6:
        return None
    name, parents, seconds, committer, subject, body = fields
    date = datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if seconds.isdigit() else ""
    named = pull_request_in(subject, body)
    return Commit(name, tuple(parents.split()), date, subject, named, committer.lower() in _FORGES)
