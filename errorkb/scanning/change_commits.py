"""Scanning: for each change between two commits that was seen at a throw site, the commit that made it.

A text that came to a file in a commit that took it out of another one was moved by it: its origin is looked for there.
Where git is shallow, a text is not found, or several commits might be meant, nothing is claimed.
"""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from subprocess import SubprocessError

from errorkb.scanning.commit_graphs import Brought, Commit, CommitGraph, read_commits
from errorkb.scanning.git import Git, GitError
from errorkb.scanning.line_changes import FileChange, LineChanges, OutOfTimeError

# So many questions are asked of one pair of commits, and so often is a text followed out of one file into another.
MOST_QUESTIONS = 3_000
MOST_MOVES = 20
_SECONDS = 60.0
_FULL = re.compile(r"[0-9a-f]{40,64}")


@dataclass(frozen=True)
class Question:
    """What is to be found: the commit that brought `text` into the file `path`, or took it out where not `came`.

    `is_code` says that the text is a line of code, which others may have too. `follows` says that a text which came
    from another file is looked for there. `key` is the caller's name for it.
    """

    key: Hashable
    path: str
    text: str
    came: bool = True
    is_code: bool = False
    follows: bool = True


@dataclass(frozen=True)
class ChangeCommit:
    """The commit that made a change, the file that it made it in, and the pull request that brought it, if one did."""

    commit: Commit
    path: str
    text: str
    brought: Brought | None


@dataclass
class ChangeCommits:
    """The answers by the keys of their questions; `cut` says in words why some may be missing."""

    found: dict[Hashable, ChangeCommit] = field(default_factory=dict)
    cut: str = ""


def find_change_commits(
    git: Git,
    old: str,
    new: str,
    questions: Sequence[Question],
    *,
    seconds: float = _SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> ChangeCommits:
    """Return which commits made the changes between two commits. It takes `seconds` at most; nothing is raised."""
    if not questions:
        return ChangeCommits()
    try:
        if reason := _unreadable(git, old, new):
            return ChangeCommits(cut=reason)
        search = _Search(git, read_commits(git, git.name(f"{old}^{{commit}}"), git.name(f"{new}^{{commit}}")))
        return search.answer(old, new, questions, LineChanges(git, seconds=seconds, clock=clock))
    except GitError as error:
        return ChangeCommits(cut=f"git cannot tell: {error}")
    except (OSError, ValueError, SubprocessError):
        return ChangeCommits(cut="git does not run here")


def _unreadable(git: Git, old: str, new: str) -> str:
    """Say why nothing can be told of two commits; empty where it can."""
    if git.run("rev-parse", "--is-shallow-repository").stdout.strip() != b"false":
        return "the clone is shallow: it lacks earlier commits"
    for commit in (old, new):
        if not (_FULL.fullmatch(commit) and git.name(f"{commit}^{{commit}}")):
            return f"commit {commit[:10]} is not in this clone"
    return ""


class _Search:
    """The questions about one pair of commits on their way to answers."""

    def __init__(self, git: Git, graph: CommitGraph) -> None:
        self._git = git
        self._graph = graph
        self._answers = ChangeCommits()

    def answer(self, old: str, new: str, questions: Sequence[Question], changes: LineChanges) -> ChangeCommits:
        waiting = list(questions)
        if len(waiting) > MOST_QUESTIONS:
            self._answers.cut = f"only the first {MOST_QUESTIONS:,} changes were looked up"
            waiting = waiting[:MOST_QUESTIONS]
        ranges = {new: waiting}
        try:
            for _ in range(MOST_MOVES):
                moved = [one for end, asked in ranges.items() for one in self._between(old, end, asked, changes)]
                ranges = _by_end(moved)
                if not ranges or len(ranges) > MOST_MOVES:
                    break
        except OutOfTimeError:
            self._answers.cut = "git takes too long: some changes were not looked up"
        return self._answers

    def _between(
        self, old: str, end: str, asked: Sequence[Question], changes: LineChanges
    ) -> list[tuple[str, Question]]:
        """Answer what can be answered; return questions about other files, each with where its time ends."""
        found = changes.between(old, end, [(question.path, question.text) for question in asked])
        chosen = {question: name for question in asked if (name := _chosen(question, found))}
        texts: dict[str, set[str]] = defaultdict(set)
        for question, name in chosen.items():
            if question.follows:
                texts[name].add(question.text)
        whole = changes.of_commits(texts) if texts else {}
        moved: list[tuple[str, Question]] = []
        for question, name in chosen.items():
            origin = _origin(question, whole.get(name, ())) if question.follows else ""
            if origin is None:
                continue
            if origin:
                moved.append((name, replace(question, path=origin)))
            elif name in self._graph.commits:
                brought = self._graph.brought(name)
                commit = self._graph.commits[name]
                self._answers.found[question.key] = ChangeCommit(commit, question.path, question.text, brought)
        return [(self._before(name, question), question) for name, question in moved]

    def _before(self, name: str, question: Question) -> str:
        """Return where a search in another file ends: before the move for what came, at the end for what went."""
        parents = self._graph.commits[name].parents if name in self._graph.commits else ()
        return parents[0] if parents and question.came else ""


def _by_end(moved: Iterable[tuple[str, Question]]) -> dict[str, list[Question]]:
    ranges: dict[str, list[Question]] = defaultdict(list)
    for end, question in moved:
        if end:
            ranges[end].append(question)
    return ranges


def _chosen(question: Question, found: dict[str, list[FileChange]]) -> str:
    """Return the newest commit that brought a text into its file, or took it out; empty where that is not certain."""
    nets = [
        (name, change.net(question.text))
        for name, changes in found.items()
        for change in changes
        if change.path == question.path and change.net(question.text)
    ]
    made = [(name, net) for name, net in nets if (net > 0) == question.came]
    balance = abs(sum(net for _, net in nets))
    if not made or (len(made) > 1 and (balance > 1 or question.is_code)):
        return ""
    return made[0][0]


def _origin(question: Question, changes: Iterable[FileChange]) -> str | None:
    """Return the file that a commit moved a text from or to; empty where it is the change's own; None where unclear."""
    text = question.text
    moved = [change for change in changes if change.path != question.path and change.net(text)]
    others = [change.path for change in moved if (change.net(text) < 0) == question.came]
    if not others:
        return ""
    return others[0] if len(others) == 1 else None
